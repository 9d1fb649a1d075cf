package dev.penstock.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Admission;
import dev.penstock.http.HttpException;
import dev.penstock.http.Suspension;
import dev.penstock.http.server.Server;
import dev.penstock.http.servlet.RawClient.Reply;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Waits and admission are the same wherever handlers run. */
@Timeout(60)
@ParameterizedClass
@MethodSource("dev.penstock.http.servlet.Container#each")
final class ContainerWaitsConformanceTest extends ContainerFixture {
    ContainerWaitsConformanceTest(Container container) {
        super(container);
    }

    @Test
    void wait_longerThanTheContainersIdleTime_goesOn() throws Exception {
        Running at =
                start(
                        "/*",
                        300,
                        b ->
                                b.get(
                                        "/{millis}",
                                        x ->
                                                x.suspend(LONG)
                                                        .resumeAfter(
                                                                Duration.ofMillis(
                                                                        Long.parseLong(
                                                                                x.pathParameter(
                                                                                        "millis"))),
                                                                y ->
                                                                        y.respond(
                                                                                200, "a/b",
                                                                                "waited"))));
        await(() -> isAnsweredAfter(1000, at));
        await(() -> isAnsweredAfter(0, at));
    }

    private boolean isAnsweredAfter(long millis, Running at) throws Exception {
        long begin = System.nanoTime();
        try {
            assertThat(get(at, "/" + millis).body()).isEqualTo("waited");
        } catch (IOException ended) {
            // The connection was idle too long before it asked.
            return false;
        }
        assertThat(System.nanoTime() - begin)
                .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(millis));
        return true;
    }

    @Test
    void waits_fiveHundred_holdNoThread() throws Exception {
        BlockingQueue<Suspension> waits = new LinkedBlockingQueue<>();
        int threads = Thread.getAllStackTraces().size();
        Running at = start(b -> b.maxConnections(2000).get("/", x -> waits.add(x.suspend(LONG))));
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 500; i++) {
                clients.add(new RawClient(at.port()).get("/"));
            }
            await(() -> waits.size() == 500 && at.server().running() == 0);
            await(() -> at.server().waiting() == 500);
            assertThat(Thread.getAllStackTraces())
                    .as("platform threads, those that carry virtual ones among them")
                    .hasSizeLessThan(threads + 40 + Runtime.getRuntime().availableProcessors());
            waits.forEach(wait -> wait.respond(200, "text/plain", "done"));
            for (RawClient each : clients) {
                assertThat(each.reply().body()).isEqualTo("done");
            }
        } finally {
            for (RawClient each : clients) {
                each.close();
            }
        }
    }

    @Test
    void wait_whoseTimeoutComes_is503OrTheHandlersChoice() throws Exception {
        Duration soon = Duration.ofMillis(50);
        Running at =
                start(b ->
                        b.get("/plain", x -> x.suspend(soon))
                                .get(
                                        "/own",
                                        x ->
                                                x.suspend(soon)
                                                        .onTimeout(y ->
                                                                y.respond(200, "a/b", "own"))));
        HttpResponse<String> plain = get(at, "/plain");
        assertThat(plain.statusCode()).isEqualTo(503);
        assertThat(plain.headers().firstValue("Retry-After")).contains("5");
        assertThat(get(at, "/own").body()).isEqualTo("own");
    }

    @Test
    void wait_forAStage_goesOnWithItsValueOrFailure() throws Exception {
        BlockingQueue<CompletableFuture<String>> stages = new LinkedBlockingQueue<>();
        Running at =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    CompletableFuture<String> stage = new CompletableFuture<>();
                                    x.suspend(LONG)
                                            .resumeWhen(stage, (y, v) -> y.respond(200, "a/b", v));
                                    stages.add(stage);
                                }));
        var first =
                client.sendAsync(
                        HttpRequest.newBuilder(URI.create(at.url("/"))).build(),
                        BodyHandlers.ofString());
        stages.take().complete("value");
        assertThat(first.get().body()).isEqualTo("value");
        var second =
                client.sendAsync(
                        HttpRequest.newBuilder(URI.create(at.url("/"))).build(),
                        BodyHandlers.ofString());
        stages.take().completeExceptionally(new HttpException(418, "no coffee"));
        assertThat(second.get().statusCode()).isEqualTo(418);
    }

    @Test
    void waits_beyondTheLimit_are503() throws Exception {
        BlockingQueue<Suspension> waits = new LinkedBlockingQueue<>();
        Running at = start(b -> b.maxSuspended(1, LONG).get("/", x -> waits.add(x.suspend(LONG))));
        try (RawClient raw = new RawClient(at.port())) {
            raw.get("/");
            Suspension wait = waits.take();
            HttpResponse<String> refused = get(at, "/");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            wait.respond(200, "a/b", "first");
            assertThat(raw.reply().body()).isEqualTo("first");
        }
    }

    @Test
    void admission_thatIsFull_queuesAndRefuses() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        Admission admission = new Admission(1, 1, Duration.ofMinutes(1));
        Running at =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    begun.incrementAndGet();
                                    go.await();
                                    x.respond(200, "a/b", "ran");
                                },
                                _ -> admission));
        try (RawClient first = new RawClient(at.port());
                RawClient second = new RawClient(at.port());
                RawClient third = new RawClient(at.port())) {
            first.get("/");
            await(() -> begun.get() == 1);
            second.get("/");
            await(() -> admission.waitingNow() == 1);
            Reply refused = third.get("/").reply();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Retry-After")).contains("60");
            go.countDown();
            assertThat(first.reply().body()).isEqualTo("ran");
            assertThat(second.reply().body()).isEqualTo("ran");
        }
    }

    @Test
    void admission_thatIsFullForLong_refusesWhatWaits() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Admission admission = new Admission(1, 1, Duration.ofMillis(100));
        Running at =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    go.await();
                                    x.respond(200, "a/b", "ran");
                                },
                                _ -> admission));
        try (RawClient first = new RawClient(at.port());
                RawClient second = new RawClient(at.port())) {
            first.get("/");
            await(() -> admission.runningNow() == 1);
            assertThat(second.get("/").reply().status()).isEqualTo(503);
            go.countDown();
            assertThat(first.reply().body()).isEqualTo("ran");
        }
    }

    @Test
    void stop_whileRequestsWait_answers503() throws Exception {
        BlockingQueue<Suspension> waits = new LinkedBlockingQueue<>();
        AtomicInteger cancelled = new AtomicInteger();
        Running at =
                start(b ->
                        b.get(
                                "/",
                                x ->
                                        waits.add(
                                                x.suspend(LONG)
                                                        .onCancel(cancelled::incrementAndGet))));
        Server server = at.server();
        try (RawClient raw = new RawClient(at.port())) {
            raw.get("/");
            waits.take();
            await(() -> server.running() == 0);
            Thread stopping =
                    Thread.startVirtualThread(() -> {
                        try {
                            at.stop();
                        } catch (Exception failure) {
                            throw new IllegalStateException(failure);
                        }
                    });
            Reply reply = raw.reply();
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.body()).contains("The server is stopping");
            stopping.join();
        }
        await(() -> cancelled.get() == 1);
        stop(at);
    }
}
