package dev.penstock.http.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.Suspension;
import dev.penstock.http.response.Problem;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests that wait without a thread. */
@Timeout(60)
@ParameterizedClass
@EnumSource(Protocol.class)
final class SuspensionIT extends ServerFixture {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Protocol protocol;

    SuspensionIT(Protocol protocol) {
        this.protocol = protocol;
    }

    private static void text(Exchange exchange, String text) {
        exchange.respond(200, "text/plain", text);
    }

    @Test
    void wait_thatIsResumedFromElsewhere_answersOnTheSameConnectionAgainAndAgain()
            throws Exception {
        ConcurrentLinkedQueue<Suspension> waiting = new ConcurrentLinkedQueue<>();
        Server server = start(b -> b.get("/{n}", x -> waiting.add(x.suspend(LONG))));
        try (TestClient client = protocol.connect(server.port())) {
            for (int i = 0; i < 100; i++) {
                client.get("/" + i);
                await("suspended", () -> !waiting.isEmpty());
                await("handler", () -> server.running() == 0);
                await("suspended", () -> server.waiting() == 1);
                Suspension wait = waiting.remove();
                assertThat(wait.resume(x -> text(x, "again " + x.pathParameter("n")))).isTrue();
                assertThat(wait.resume(x -> text(x, "never"))).isFalse();
                assertThat(client.reply().text()).isEqualTo("again " + i);
            }
        }
        assertThat(server.waiting()).isZero();
    }

    @Test
    void wait_thatIsAnsweredWithoutAThread_isAnswered() throws Exception {
        AtomicReference<Suspension> waiting = new AtomicReference<>();
        Server server =
                start(b -> b.get("/", x -> waiting.set(x.header("X-Before", "yes").suspend(LONG))));
        try (TestClient client = protocol.connect(server.port())) {
            client.get("/");
            await("suspended", () -> waiting.get() != null);
            assertThatThrownBy(() -> waiting.get().respond(200, "x/y", new byte[40_000]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("40000 bytes is too large");
            assertThat(waiting.get().respond(201, "text/plain", "ünicode")).isTrue();
            Reply reply = client.reply();
            assertThat(reply.status()).isEqualTo(201);
            assertThat(reply.header("X-Before")).contains("yes");
            assertThat(reply.text()).isEqualTo("ünicode");
        }
    }

    @Test
    void resume_whileTheHandlerStillRuns_goesOnAfterIt() throws Exception {
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Server server =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                                    Suspension wait = x.suspend(LONG);
                                    Thread other =
                                            Thread.startVirtualThread(() ->
                                                    wait.resume(y -> {
                                                        most.accumulateAndGet(
                                                                atOnce.incrementAndGet(),
                                                                Math::max);
                                                        text(y, "second");
                                                        atOnce.decrementAndGet();
                                                    }));
                                    other.join();
                                    assertThat(wait.isWaiting()).isFalse();
                                    atOnce.decrementAndGet();
                                }));
        try (TestClient client = protocol.connect(server.port())) {
            for (int i = 0; i < 100; i++) {
                assertThat(client.get("/").reply().text()).isEqualTo("second");
            }
        }
        assertThat(most.get()).isEqualTo(1);
    }

    @Test
    void wait_ofATime_isAnsweredThenAndNotBefore() throws Exception {
        Server server =
                start(b ->
                        b.get(
                                        "/thread",
                                        x ->
                                                x.suspend(LONG)
                                                        .resumeAfter(
                                                                Duration.ofMillis(100),
                                                                y ->
                                                                        text(
                                                                                y,
                                                                                Thread
                                                                                                .currentThread()
                                                                                                .isVirtual()
                                                                                        + "")))
                                .get(
                                        "/loop",
                                        Handler.nonBlocking(x ->
                                                x.suspend(LONG)
                                                        .resumeAfter(
                                                                Duration.ofMillis(100),
                                                                Handler.nonBlocking(y ->
                                                                        text(
                                                                                y,
                                                                                Thread
                                                                                                .currentThread()
                                                                                                .isVirtual()
                                                                                        + "")))))
                                .get(
                                        "/none",
                                        x ->
                                                x.suspend(LONG)
                                                        .resumeAfter(
                                                                Duration.ZERO,
                                                                y -> text(y, "none"))));
        try (TestClient client = protocol.connect(server.port())) {
            assertThat(client.get("/none").reply().text()).isEqualTo("none");
            for (int i = 0; i < 5; i++) {
                long started = System.nanoTime();
                assertThat(client.get("/thread").reply().text()).isEqualTo("true");
                assertThat(client.get("/loop").reply().text()).isEqualTo("false");
                long took = System.nanoTime() - started;
                assertThat(took).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
            }
        }
    }

    @Test
    void wait_forAStage_goesOnWithItsValueOrItsFailure() throws Exception {
        ConcurrentLinkedQueue<CompletableFuture<String>> stages = new ConcurrentLinkedQueue<>();
        Server server =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    CompletableFuture<String> stage = new CompletableFuture<>();
                                    x.suspend(LONG)
                                            .resumeWhen(
                                                    stage.thenApply(String::strip),
                                                    (y, value) -> text(y, "got " + value));
                                    stages.add(stage);
                                }));
        try (TestClient client = protocol.connect(server.port())) {
            client.get("/");
            await("suspended", () -> !stages.isEmpty());
            stages.remove().complete("  a value ");
            assertThat(client.reply().text()).isEqualTo("got a value");
            client.get("/");
            await("suspended", () -> !stages.isEmpty());
            stages.remove().completeExceptionally(new HttpException(409, "It is taken"));
            Reply refused = client.reply();
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.text()).contains("It is taken");
            client.get("/");
            await("suspended", () -> !stages.isEmpty());
            stages.remove().completeExceptionally(new IllegalStateException("secret"));
            Reply failed = client.reply();
            assertThat(failed.status()).isEqualTo(500);
            assertThat(failed.text()).doesNotContain("secret");
        }
    }

    @Test
    void timeout_ofAWait_is503UnlessTheHandlerSaysOtherwise() throws Exception {
        AtomicInteger cancelled = new AtomicInteger();
        Duration shortly = Duration.ofMillis(50);
        Server server =
                start(b ->
                        b.get("/", x -> x.suspend(shortly).onCancel(cancelled::incrementAndGet))
                                .get(
                                        "/own",
                                        x ->
                                                x.suspend(shortly)
                                                        .onCancel(cancelled::incrementAndGet)
                                                        .onTimeout(y ->
                                                                y.respond(
                                                                        200,
                                                                        "text/plain",
                                                                        "nothing new")))
                                .get(
                                        "/beyond",
                                        x ->
                                                x.suspend(shortly)
                                                        .resumeAfter(LONG, y -> text(y, "never"))));
        try (TestClient client = protocol.connect(server.port())) {
            Reply reply = client.get("/").reply();
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.header("Retry-After")).contains("5");
            assertThat(reply.header("Content-Type")).contains(Problem.MEDIA_TYPE);
            assertThat(client.get("/own").reply().text()).isEqualTo("nothing new");
            assertThat(client.get("/beyond").reply().status()).isEqualTo(503);
        }
        await("cancelled", () -> cancelled.get() == 2);
    }

    @Test
    void timeout_thatIsNotPossible_namesTheLimit() throws Exception {
        Server server =
                start(b ->
                        b.maxSuspended(10, Duration.ofMinutes(2))
                                .get(
                                        "/{millis}",
                                        x -> {
                                            long millis = Long.parseLong(x.pathParameter("millis"));
                                            try {
                                                x.suspend(Duration.ofMillis(millis))
                                                        .resumeAfter(
                                                                Duration.ZERO,
                                                                y -> text(y, "fine"));
                                            } catch (IllegalArgumentException limit) {
                                                text(x, String.valueOf(limit.getMessage()));
                                            }
                                        }));
        try (TestClient client = protocol.connect(server.port())) {
            assertThat(client.get("/120000").reply().text()).isEqualTo("fine");
            assertThat(client.get("/120001").reply().text())
                    .contains("PT2M0.001S")
                    .contains("at most PT2M, the server's limit");
            assertThat(client.get("/0").reply().text()).contains("PT0S: a suspension is positive");
            assertThat(client.get("/-5").reply().text()).contains("a suspension is positive");
        }
    }

    @Test
    void wait_beyondTheirNumber_is503() throws Exception {
        ConcurrentLinkedQueue<Suspension> waiting = new ConcurrentLinkedQueue<>();
        Server server =
                start(b -> b.maxSuspended(2, LONG).get("/", x -> waiting.add(x.suspend(LONG))));
        try (TestClient first = protocol.connect(server.port());
                TestClient second = protocol.connect(server.port());
                TestClient third = protocol.connect(server.port())) {
            first.get("/");
            second.get("/");
            await("wait", () -> waiting.size() == 2);
            Reply reply = third.get("/").reply();
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.header("Retry-After")).contains("5");
            for (Suspension wait : waiting) {
                wait.respond(200, "text/plain", "done");
            }
            assertThat(first.reply().text()).isEqualTo("done");
            assertThat(second.reply().text()).isEqualTo("done");
            await("none waits", () -> server.waiting() == 0);
            waiting.clear();
            third.get("/");
            await("waits", () -> waiting.size() == 1);
            waiting.remove().respond(200, "text/plain", "now");
            assertThat(third.reply().text()).isEqualTo("now");
        }
    }

    @Test
    void handler_thatThrowsAfterSuspending_isTheAnswer() throws Exception {
        AtomicInteger cancelled = new AtomicInteger();
        Server server =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    Suspension wait =
                                            x.suspend(LONG).onCancel(cancelled::incrementAndGet);
                                    assertThatThrownBy(() -> x.suspend(LONG))
                                            .isInstanceOf(IllegalStateException.class)
                                            .hasMessageContaining("once");
                                    wait.onTimeout(y -> text(y, "never"));
                                    throw new HttpException(418, "I can't");
                                }));
        try (TestClient client = protocol.connect(server.port())) {
            assertThat(client.get("/").reply().status()).isEqualTo(418);
            assertThat(client.get("/").reply().status()).isEqualTo(418);
        }
        await("cancelled", () -> cancelled.get() == 2);
        assertThat(server.waiting()).isZero();
    }

    @Test
    void client_thatLeavesWhileItWaits_isNoticedAndTold() throws Exception {
        for (boolean abort : new boolean[] {true, false}) {
            AtomicReference<Suspension> waiting = new AtomicReference<>();
            AtomicInteger cancelled = new AtomicInteger();
            Server server =
                    start(b ->
                            b.get(
                                    "/",
                                    x ->
                                            waiting.set(
                                                    x.suspend(LONG)
                                                            .onCancel(
                                                                    cancelled::incrementAndGet))));
            try (TestClient client = protocol.connect(server.port())) {
                client.get("/");
                await("suspended", () -> waiting.get() != null && server.running() == 0);
                if (abort) {
                    client.cancel();
                }
            }
            // Sooner than the wait would end by itself.
            await("cancelled", Duration.ofSeconds(20), () -> cancelled.get() == 1);
            await("none waits", () -> server.waiting() == 0);
            assertThat(waiting.get().resume(x -> text(x, "never"))).isFalse();
            AtomicInteger late = new AtomicInteger();
            waiting.get().onCancel(late::incrementAndGet);
            assertThat(late.get()).isEqualTo(1);
            assertThat(cancelled.get()).isEqualTo(1);
        }
    }

    @Test
    void response_begunBeforeTheWait_isSentAndGoesOnAfterIt() throws Exception {
        AtomicReference<Suspension> waiting = new AtomicReference<>();
        Handler second =
                x -> {
                    // The body is the same, so whoever goes on must have kept it.
                    throw new IllegalStateException("not reached");
                };
        AtomicReference<ResponseBody> open = new AtomicReference<>();
        Server server =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    ResponseBody body = x.body("text/plain");
                                    body.write(ByteBuffer.wrap("before ".getBytes(UTF_8)));
                                    open.set(body);
                                    waiting.set(x.suspend(LONG).onTimeout(second));
                                }));
        try (TestClient client = protocol.connect(server.port())) {
            Reply head = client.get("/", "Accept-Encoding", "gzip").head();
            assertThat(head.header("Content-Encoding")).isEmpty();
            assertThat(client.body().readNBytes(7)).asString().isEqualTo("before ");
            waiting.get().resume(_ -> open.get().write(ByteBuffer.wrap("after".getBytes(UTF_8))));
            assertThat(client.body().readAllBytes()).asString().isEqualTo("after");
        }
    }

    @Test
    void admission_ofAWaitingRequest_isFreeForOthersAndTakenAgain() throws Exception {
        Admission admission = new Admission(1, 1, LONG);
        ConcurrentLinkedQueue<Suspension> waiting = new ConcurrentLinkedQueue<>();
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Server server = start(b -> b.get("/", x -> waiting.add(x.suspend(LONG)), _ -> admission));
        List<TestClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                clients.add(protocol.connect(server.port()).settle().get("/"));
                int sent = i + 1;
                await("waits", () -> waiting.size() == sent && admission.runningNow() == 0);
            }
            for (Suspension wait : waiting) {
                wait.resume(x -> {
                    most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                    text(x, "done");
                    atOnce.decrementAndGet();
                });
            }
            for (TestClient client : clients) {
                assertThat(client.reply().text()).isEqualTo("done");
            }
        } finally {
            for (TestClient client : clients) {
                client.close();
            }
        }
        assertThat(most.get()).isEqualTo(1);
        assertThat(admission.refused()).isZero();
        await("permits", () -> admission.runningNow() == 0 && admission.waitingNow() == 0);
    }

    @Test
    @Timeout(600)
    void waits_2000AtOnce_holdNoThread() throws Exception {
        ConcurrentLinkedQueue<Suspension> waiting = new ConcurrentLinkedQueue<>();
        Duration minutes = Duration.ofMinutes(5);
        // Clients of HTTP/2 acknowledge the settings only when they read, after all of them have
        // come.
        Server server =
                start(b ->
                        b.headTimeout(minutes)
                                .maxSuspended(2000, minutes)
                                .get("/", x -> waiting.add(x.suspend(minutes))));
        List<TestClient> clients = new ArrayList<>();
        int threads = Thread.getAllStackTraces().size();
        try {
            for (int i = 0; i < 2000; i++) {
                clients.add(protocol.connect(server.port()).get("/"));
            }
            await(
                    "wait",
                    Duration.ofMinutes(4),
                    () ->
                            server.waiting() == 2000
                                    && server.running() == 0
                                    && server.admission().runningNow() == 0);
            assertThat(Thread.getAllStackTraces().keySet())
                    .as("platform threads, those that carry virtual ones among them")
                    .hasSizeLessThan(threads + 20 + Runtime.getRuntime().availableProcessors());
            for (Suspension wait : waiting) {
                wait.respond(200, "text/plain", "done");
            }
            for (TestClient client : clients) {
                assertThat(client.reply().text()).isEqualTo("done");
            }
        } finally {
            for (TestClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void close_ofTheServer_endsWaitsWith503AndLetsResumedHandlersFinish() throws Exception {
        ConcurrentLinkedQueue<Suspension> waiting = new ConcurrentLinkedQueue<>();
        AtomicInteger cancelled = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        Server server =
                start(b ->
                        b.stopWithin(Duration.ofMinutes(1))
                                .get(
                                        "/",
                                        x ->
                                                waiting.add(
                                                        x.suspend(LONG)
                                                                .onCancel(
                                                                        cancelled
                                                                                ::incrementAndGet))));
        try (TestClient first = protocol.connect(server.port());
                TestClient second = protocol.connect(server.port())) {
            first.get("/");
            await("suspended", () -> waiting.size() == 1);
            second.get("/");
            await("suspended", () -> waiting.size() == 2 && server.running() == 0);
            assertThat(
                            waiting.remove()
                                    .resume(x -> {
                                        go.await();
                                        assertThat(x.suspend(LONG).isWaiting()).isFalse();
                                    }))
                    .isTrue();
            await("goes on", () -> server.running() == 1);
            Thread closing = Thread.startVirtualThread(server::close);
            Reply ended = second.reply();
            assertThat(ended.status()).isEqualTo(503);
            assertThat(ended.text()).contains("stopping");
            assertThat(ended.header("Connection"))
                    .isEqualTo(
                            protocol == Protocol.HTTP_1_1
                                    ? Optional.of("close")
                                    : Optional.empty());
            go.countDown();
            assertThat(first.reply().status()).isEqualTo(503);
            first.leave();
            second.leave();
            closing.join();
        }
        await("cancelled", () -> cancelled.get() == 1);
    }
}
