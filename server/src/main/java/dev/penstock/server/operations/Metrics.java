package dev.penstock.server.operations;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.FinishedRequest;
import dev.penstock.http.server.Server;
import dev.penstock.server.database.ConnectionPools;
import dev.penstock.server.log.LogHandler;
import dev.penstock.server.log.Logging;
import dev.penstock.server.memory.TablesInMemory;
import dev.penstock.server.transfer.UploadCounts;
import dev.penstock.server.transfer.UploadService;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The metrics of the server, in Prometheus' text format, or in that of OpenMetrics, which has traces as examples
 * (exemplars).
 */
public final class Metrics implements AutoCloseable {
    private static final String MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS =
            "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private final RequestSpan span = new RequestSpan();
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(
                    PrometheusConfig.DEFAULT, new PrometheusRegistry(), Clock.SYSTEM, span);
    private final RequestMetrics requests = new RequestMetrics(registry, span);
    private final JvmGcMetrics collections = new JvmGcMetrics();

    Metrics() {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ClassLoaderMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        collections.bindTo(registry);
        counter(
                "log.lines.dropped",
                "Lines of the log, the access log's among them, that could not be written at all",
                Logging.lines(),
                LogHandler::lost);
    }

    /** Returns the listener that counts requests. */
    public Consumer<FinishedRequest> requests() {
        return requests;
    }

    /** Adds the metrics of a server. */
    public void watch(Server server) {
        gauge("http.server.connections", "Open connections", server::connections);
        gauge("http.server.running", "Handlers that run on a thread", server::running);
        gauge(
                "http.server.suspended",
                "Requests that wait, suspended, without a thread",
                server::waiting);
        Gauge.builder("http.server.buffers", () -> server.bufferBytes())
                .description("Memory outside the heap that the pool of buffers holds")
                .baseUnit("bytes")
                .register(registry);
        counter(
                "http.server.clients.slow",
                "Clients reset as too slow",
                server,
                Server::slowClients);
        counter(
                "http.server.clients.rejected",
                "Connections and requests rejected since their client has as many as it may",
                server,
                Server::limited);
        counter(
                "http.server.accesslog.dropped",
                "Lines of the access log that could not be written in time",
                server,
                Server::droppedLogLines);
    }

    /** Adds the metrics of an admission. */
    public void watch(String kind, Admission admission) {
        admission("admission.running", "Requests that hold a permit", kind, admission::runningNow);
        admission("admission.permits", "How many permits there are", kind, admission::permits);
        admission(
                "admission.queued", "Requests that wait for a permit", kind, admission::waitingNow);
        admission("admission.queue.limit", "How many may wait", kind, admission::queueLimit);
        FunctionCounter.builder("admission.rejected", admission, Admission::refused)
                .description(
                        "Requests that found the queue full, were displaced in it, or waited too long")
                .tag("kind", kind)
                .register(registry);
    }

    private void admission(String name, String description, String kind, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).tag("kind", kind).register(registry);
    }

    /** Adds the metrics of the connection pools. */
    public void watch(ConnectionPools pools) {
        MicrometerMetricsTrackerFactory trackers = new MicrometerMetricsTrackerFactory(registry);
        for (HikariDataSource pool : pools.all()) {
            pool.setMetricsTrackerFactory(trackers);
        }
    }

    /** Adds the metrics of the tables in memory. */
    public void watch(TablesInMemory tables) {
        bytes("snapshot.memory.used", "What tables in memory take", tables::usedBytes);
        bytes("snapshot.memory.max", "What they may take", tables::limitBytes);
        Gauge.builder("snapshot.age", tables::ageSeconds)
                .description("How long ago they were loaded")
                .baseUnit("seconds")
                .register(registry);
        gauge(
                "snapshot.refresh.failures",
                "How many of the latest refreshes failed in a row",
                tables::refreshFailures);
    }

    /** Adds the metrics of service pools, of those too that are added later. */
    void watch(ServicePools pools) {
        registry.getPrometheusRegistry().register(new PoolMetrics(pools::figures));
    }

    /** Adds the metrics of uploads. */
    public void watch(UploadService uploads) {
        UploadCounts counts = uploads.counts();
        gauge("uploads.open", "Uploads that have begun and are not finished", uploads::open);
        counter("uploads.begun", "Uploads that have begun", counts, UploadCounts::begun);
        counter("uploads.finished", "Uploads that are whole", counts, UploadCounts::finished);
        counter(
                "uploads.failed",
                "Requests to begin, go on with or finish an upload that were refused or failed",
                counts,
                UploadCounts::failed);
        FunctionCounter.builder("uploads.finished.size", counts, UploadCounts::finishedBytes)
                .description("The bytes of uploads that are whole")
                .baseUnit("bytes")
                .register(registry);
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(registry);
    }

    private void bytes(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).baseUnit("bytes").register(registry);
    }

    private <T> void counter(String name, String description, T source, ToDoubleFunction<T> value) {
        FunctionCounter.builder(name, source, value).description(description).register(registry);
    }

    void respond(Exchange exchange) {
        boolean open =
                exchange.headers("Accept").stream()
                        .anyMatch(types -> types.contains("application/openmetrics-text"));
        String format = open ? OPEN_METRICS : MEDIA_TYPE;
        exchange.header("Cache-Control", "no-store")
                .header("Vary", "Accept")
                .respond(200, format, registry.scrape(format));
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
