package dev.penstock.server.operations;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import dev.penstock.service.CallRejectedException;
import dev.penstock.service.ServicePool;
import dev.penstock.service.Supervision;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Service pools in the metrics and the health of a server, and at its end. */
@Timeout(600)
final class PoolMetricsIT extends ServerFixture {
    private final Operations operations = new Operations(null, Map.of(), null);

    @AfterEach
    void close() {
        operations.close();
    }

    private Server serving(ServicePool<?>... pools) {
        Server server =
                start(builder -> {
                    operations.mount(builder);
                    for (ServicePool<?> pool : pools) {
                        builder.closeAtStop(pool);
                    }
                    return builder;
                });
        operations.watch(server);
        List.of(pools).forEach(operations::watch);
        return server;
    }

    private static Reply get(Server server, String path) throws IOException {
        try (TestClient client = Protocol.HTTP_1_1.connect(server.port())) {
            return client.get(path).reply();
        }
    }

    /** The values of the pools' metrics by their names and labels. */
    private static Map<String, Double> metrics(Server server) throws IOException {
        return get(server, Operations.METRICS)
                .text()
                .lines()
                .filter(line -> line.startsWith("service_pool_"))
                .collect(
                        Collectors.toMap(
                                line -> line.substring(0, line.lastIndexOf(' ')),
                                line -> Double.valueOf(line.substring(line.lastIndexOf(' ')))));
    }

    private static double of(Map<String, Double> metrics, String figure, String pool) {
        return requireNonNull(
                metrics.get("service_pool_" + figure + "{pool=\"" + pool + "\"}"), figure);
    }

    @Test
    void metrics_ofAPool_areItsFiguresOfTheMoment() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        ServicePool<Runnable> pool =
                ServicePool.of(Runnable.class, () -> () -> {})
                        .name("quotes")
                        .size(1)
                        .queue(1)
                        .callTimeout(Duration.ZERO)
                        .start();
        Server server = serving(pool);
        pool.run(Runnable::run);
        CompletableFuture<String> running = pool.async(_ -> waited(end));
        CompletableFuture<String> waiting = pool.async(_ -> waited(end));
        assertThat(pool.async(_ -> "refused"))
                .failsWithin(Duration.ofSeconds(60))
                .withThrowableThat()
                .withCauseInstanceOf(CallRejectedException.class);
        Map<String, Double> now = metrics(server);
        Map<String, Double> expected =
                Map.of(
                        "size",
                        1.0,
                        "min",
                        1.0,
                        "max",
                        1.0,
                        "idle",
                        0.0,
                        "busy",
                        1.0,
                        "waiting",
                        1.0,
                        "calls_total",
                        1.0,
                        "rejections_total",
                        1.0,
                        "restarts_total",
                        0.0,
                        "quarantined",
                        0.0);
        expected.forEach((figure, value) ->
                assertThat(of(now, figure, "quotes")).as(figure).isEqualTo(value));
        assertThat(of(now, "longest_wait_seconds", "quotes")).isPositive();
        assertThat(of(now, "call_time_seconds_count", "quotes")).isOne();

        end.countDown();
        CompletableFuture.allOf(running, waiting).join();
        await("both are counted", () -> of(metrics(server), "calls_total", "quotes") == 3);
        Map<String, Double> later = metrics(server);
        assertThat(of(later, "queue_time_seconds_count", "quotes")).isEqualTo(3);
        assertThat(of(later, "call_time_seconds_sum", "quotes")).isPositive();
        assertThat(later.get("service_pool_call_time_seconds_bucket{pool=\"quotes\",le=\"+Inf\"}"))
                .isEqualTo(3);
        assertThat(get(server, Operations.METRICS).text())
                .contains("# TYPE service_pool_queue_time_seconds histogram");
    }

    private static String waited(CountDownLatch end) throws InterruptedException {
        end.await();
        return "";
    }

    @Test
    void metrics_ofPoolsAndParts_areNamedByThem() throws Exception {
        ServicePool<Runnable> split =
                ServicePool.of(Runnable.class, () -> () -> {})
                        .name("split")
                        .part("rare", part -> part.size(2), "run")
                        .start();
        ServicePool<Runnable> other =
                ServicePool.of(Runnable.class, () -> () -> {}).name("a \"name\"").start();
        Server server = serving(split, other);
        assertThat(of(metrics(server), "max", "split.rare")).isEqualTo(2);
        assertThat(of(metrics(server), "max", "split")).isPositive();
        assertThat(of(metrics(server), "max", "a \\\"name\\\"")).isPositive();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> operations.watch(split))
                .withMessageContaining("split")
                .withMessageContaining("name of its own");
    }

    @Test
    void metrics_withoutPools_haveNoneOfTheirs() throws Exception {
        assertThat(metrics(serving())).isEmpty();
    }

    @Test
    void buckets_ofAllDurations_holdEachOnce() throws Exception {
        try (ServicePool<Runnable> pool =
                ServicePool.of(Runnable.class, () -> () -> {}).size(1).start()) {
            for (int i = 0; i < 9; i++) {
                pool.run(Runnable::run);
            }
            for (var histogram : List.of(pool.figures().queueTime(), pool.figures().callTime())) {
                ClassicHistogramBuckets buckets = PoolMetrics.buckets(histogram);
                assertThat(buckets.stream().mapToLong(each -> each.getCount()).sum()).isEqualTo(9);
                assertThat(buckets.getUpperBound(0)).isEqualTo(1.024e-6);
                assertThat(buckets.getUpperBound(buckets.size() - 2)).isBetween(68.0, 69.0);
            }
        }
    }

    @Test
    void ready_whilePoolsHaveNoInstance_is503AndNamesThem() throws Exception {
        ServicePool<Runnable> pool =
                ServicePool.of(Runnable.class, () -> () -> {})
                        .name("quotes")
                        .size(1)
                        .supervise(Supervision.standard().stop(IllegalStateException.class))
                        .start();
        Server server = serving(pool);
        assertThat(get(server, Operations.READY).status()).isEqualTo(200);
        assertThatIllegalStateException().isThrownBy(() -> pool.run(_ -> fail()));
        await("stopped", () -> !pool.isReady());
        Reply reply = get(server, Operations.READY);
        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.text()).contains("the pool quotes has no instance for calls");
        assertThat(get(server, Operations.LIVE).status()).isEqualTo(200);
        pool.resize(1, 1);
        assertThat(pool.awaitReady(Duration.ofSeconds(60))).isTrue();
        assertThat(get(server, Operations.READY).status()).isEqualTo(200);
    }

    private static void fail() {
        throw new IllegalStateException("broken");
    }

    @Test
    void close_ofTheServer_closesThePoolAfterItsLastRequest() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        ServicePool<Function<String, String>> pool = pool(end);
        Server server =
                start(builder ->
                        builder.get(
                                        "/",
                                        exchange ->
                                                exchange.suspend(
                                                        pool.async(service -> service.apply("x")),
                                                        (later, text) ->
                                                                later.respond(200, "a/b", text)))
                                .closeAtStop(pool));
        operations.watch(pool);
        try (TestClient client = Protocol.HTTP_1_1.connect(server.port())) {
            client.get("/");
            await("called", () -> pool.figures().busy() == 1);
            Thread closing = Thread.startVirtualThread(server::close);
            await("stopping", () -> context(server).stopping());
            assertThat(pool.isReady()).as("the pool is open").isTrue();
            end.countDown();
            assertThat(client.reply().text()).isEqualTo("served x");
            client.leave();
            closing.join();
        }
        assertThat(pool.isReady()).as("the pool is open").isFalse();
        assertThat(pool.figures().size()).isZero();
    }

    @SuppressWarnings("unchecked")
    private static ServicePool<Function<String, String>> pool(CountDownLatch end) {
        Class<Function<String, String>> type =
                (Class<Function<String, String>>) (Class<?>) Function.class;
        return ServicePool.<Function<String, String>>of(type, () -> text -> awaited(end, text))
                .name("served")
                .callTimeout(Duration.ZERO)
                .start();
    }

    private static String awaited(CountDownLatch end, String text) {
        try {
            end.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return "served " + text;
    }
}
