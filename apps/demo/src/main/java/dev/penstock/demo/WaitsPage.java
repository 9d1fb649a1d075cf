package dev.penstock.demo;

import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.Processes;
import dev.penstock.http.Resource;
import dev.penstock.http.events.Topic;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.http.text.JsonText;
import dev.penstock.http.websocket.WebSocket;
import dev.penstock.server.page.LocalOnly;
import dev.penstock.server.page.PagePolicy;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait: {@code /hi?wait=100}, {@code /process?seconds=2}, and the page {@code /waits},
 * which shows what they cost while they do. The page's figures are events themselves, twice a second while somebody
 * looks.
 */
final class WaitsPage implements AutoCloseable {
    static final String PATH = "/waits";

    private static final System.Logger LOG = System.getLogger("dev.penstock.server");
    private static final int MOST_MILLIS = 60_000;
    private static final int MOST_SECONDS = 60;
    private static final int MOST_PROCESSES = 16;
    private static final int MOST_VIEWERS = 100;
    private static final int MOST_ECHOED = 1024;
    private static final int EVERY_MILLIS = 500;
    private static final int DIGITS = 2;
    private static final double NANOS_A_MILLI = 1e6;
    private static final Duration BEYOND = Duration.ofSeconds(5);

    /**
     * The script of a child process: a line a second, and in the end its duration. Its argument is the number of
     * seconds.
     */
    private static final String SCRIPT =
            "i=0; while [ $i -lt $1 ]; do sleep 1; i=$((i+1)); echo second $i; done; echo ran ${1}s";

    private final Processes processes = new Processes(MOST_PROCESSES);
    private final Topic figures = new Topic(4, 64 * 1024, MOST_VIEWERS);

    /** The lateness of answers in nanoseconds, between two events. */
    private final Recorder lateness = new Recorder(DIGITS);

    // Of the clock's thread alone.
    private @Nullable Histogram interval;

    private final String page =
            DemoPage.of(
                    "waits",
                    "Waiting without a thread",
                    "A request that waits is a connection, its head and a timer. Nothing else is kept for it.",
                    PATH + ".live.css",
                    PATH + ".live.js",
                    PATH + ".js");
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("penstock-waits").factory());

    void mount(ServerBuilder builder) {
        builder.get("/hi", Handler.nonBlocking(this::hi))
                .get(
                        "/process",
                        LocalOnly.of("runs a process", ", or run sleep yourself", this::process))
                .get(PATH, this::page)
                .get(PATH + "/events", figures::stream)
                .get(PATH + "/echo", Handler.nonBlocking(WaitsPage::echo))
                .get(PATH + ".live.css", Resource.of(WaitsPage.class, "live.css"))
                .get(PATH + ".live.js", Resource.of(WaitsPage.class, "live.js"))
                .get(PATH + ".js", Resource.of(WaitsPage.class, "waits.js"));
    }

    /** Publishes the number of suspended requests from now on. */
    void watch(IntSupplier waiting) {
        var _ =
                clock.scheduleAtFixedRate(
                        () -> tryToPublish(waiting),
                        EVERY_MILLIS,
                        EVERY_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    /**
     * Publishes one event. A failure, for want of memory for example, skips that event: a scheduled task that throws is
     * never run again.
     */
    @SuppressWarnings("CatchingUnchecked")
    private void tryToPublish(IntSupplier waiting) {
        try {
            publish(waiting);
        } catch (Throwable failure) {
            LOG.log(System.Logger.Level.WARNING, "The page of waits has no figures", failure);
        }
    }

    private void hi(Exchange exchange) {
        int millis = WholeNumber.of(exchange, "wait", "milliseconds", 0, MOST_MILLIS);
        Duration wait = Duration.ofMillis(millis);
        long dueNanos = System.nanoTime() + wait.toNanos();
        exchange.suspend(wait.plus(BEYOND))
                .resumeAfter(
                        wait,
                        Handler.nonBlocking(due -> {
                            lateness.recordValue(Math.max(0, System.nanoTime() - dueNanos));
                            due.respond(200, "text/plain", "waited " + millis + "ms");
                        }));
    }

    private void process(Exchange exchange) throws IOException {
        int seconds = WholeNumber.of(exchange, "seconds", "seconds", 0, MOST_SECONDS);
        processes.run(
                exchange,
                new ProcessBuilder("/bin/sh", "-c", SCRIPT, "sh", Integer.toString(seconds)),
                Duration.ofSeconds(seconds).plus(BEYOND),
                "text/plain; charset=utf-8");
    }

    /** Sends every message back. */
    private static void echo(Exchange exchange) {
        WebSocket.open(
                exchange,
                WebSocket.Options.DEFAULT.withMaxMessageBytes(MOST_ECHOED),
                new WebSocket.Listener() {
                    @Override
                    public void text(WebSocket socket, String text, boolean last)
                            throws IOException {
                        socket.send(text);
                    }
                });
    }

    private void page(Exchange exchange) {
        PagePolicy.SCRIPT.send(exchange, 200, "no-cache", page);
    }

    private void publish(IntSupplier waiting) {
        Histogram late = lateness.getIntervalHistogram(interval);
        interval = late;
        if (figures.waiting() == 0) {
            return;
        }
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        // The viewers of the page are suspended requests themselves.
        int others = Math.max(0, waiting.getAsInt() - figures.waiting());
        figures.publish(
                new JsonText()
                        .object()
                        .member("suspended", others)
                        .member("threads", ManagementFactory.getThreadMXBean().getThreadCount())
                        .object("heap")
                        .member("used", heap.getUsed())
                        .member("max", heap.getMax())
                        .endObject()
                        .member("processes", processes.running())
                        .member("answers", late.getTotalCount())
                        .object("lateMillis")
                        .member("p50", late.getValueAtPercentile(50) / NANOS_A_MILLI, 3)
                        .member("p99", late.getValueAtPercentile(99) / NANOS_A_MILLI, 3)
                        .member("max", late.getMaxValue() / NANOS_A_MILLI, 3)
                        .endObject()
                        .endObject()
                        .toString());
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
