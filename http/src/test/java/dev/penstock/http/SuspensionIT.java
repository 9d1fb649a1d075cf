package dev.penstock.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.RawClient.Reply;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that wait without a thread. */
@Timeout(60)
final class SuspensionIT extends ServerFixture {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String HOST = " HTTP/1.1\r\nHost: x\r\n";

    private static String get(String path) {
        return "GET " + path + HOST + "\r\n";
    }

    private static void text(Exchange exchange, String text) {
        exchange.respond(200, "text/plain", text);
    }

    @Test
    void wait_thatIsResumedFromElsewhere_answersOnTheSameConnectionAgainAndAgain()
            throws Exception {
        ConcurrentLinkedQueue<Suspension> waiting = new ConcurrentLinkedQueue<>();
        Server server = start(b -> b.get("/{n}", x -> waiting.add(x.suspend(LONG))));
        try (RawClient client = new RawClient(server.port())) {
            for (int i = 0; i < 100; i++) {
                client.send(get("/" + i));
                await("suspended", () -> !waiting.isEmpty());
                await("handler", () -> server.running() == 0);
                assertThat(server.waiting()).isEqualTo(1);
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
        try (RawClient client = new RawClient(server.port())) {
            client.send(get("/"));
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
        try (RawClient client = new RawClient(server.port())) {
            for (int i = 0; i < 100; i++) {
                assertThat(client.send(get("/")).reply().text()).isEqualTo("second");
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
        try (RawClient client = new RawClient(server.port())) {
            assertThat(client.send(get("/none")).reply().text()).isEqualTo("none");
            for (int i = 0; i < 5; i++) {
                long started = System.nanoTime();
                assertThat(client.send(get("/thread")).reply().text()).isEqualTo("true");
                assertThat(client.send(get("/loop")).reply().text()).isEqualTo("false");
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
        try (RawClient client = new RawClient(server.port())) {
            client.send(get("/"));
            await("suspended", () -> !stages.isEmpty());
            stages.remove().complete("  a value ");
            assertThat(client.reply().text()).isEqualTo("got a value");
            client.send(get("/"));
            await("suspended", () -> !stages.isEmpty());
            stages.remove().completeExceptionally(new HttpException(409, "It is taken"));
            Reply refused = client.reply();
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.text()).contains("It is taken");
            client.send(get("/"));
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
        try (RawClient client = new RawClient(server.port())) {
            Reply reply = client.send(get("/")).reply();
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.header("Retry-After")).contains("5");
            assertThat(reply.header("Content-Type")).contains(Problem.MEDIA_TYPE);
            assertThat(client.send(get("/own")).reply().text()).isEqualTo("nothing new");
            assertThat(client.send(get("/beyond")).reply().status()).isEqualTo(503);
        }
        await("cancelled", () -> cancelled.get() == 2);
    }

    @Test
    void timeout_thatIsNotPossible_namesTheLimit() throws Exception {
        Server server =
                start(b ->
                        b.maxWaits(10, Duration.ofMinutes(2))
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
        try (RawClient client = new RawClient(server.port())) {
            assertThat(client.send(get("/120000")).reply().text()).isEqualTo("fine");
            assertThat(client.send(get("/120001")).reply().text())
                    .contains("PT2M0.001S")
                    .contains("at most PT2M, the server's limit");
            assertThat(client.send(get("/0")).reply().text()).contains("PT0S: more than nothing");
            assertThat(client.send(get("/-5")).reply().text()).contains("more than nothing");
        }
    }

    @Test
    void wait_beyondTheirNumber_is503() throws Exception {
        ConcurrentLinkedQueue<Suspension> waiting = new ConcurrentLinkedQueue<>();
        Server server = start(b -> b.maxWaits(2, LONG).get("/", x -> waiting.add(x.suspend(LONG))));
        try (RawClient first = new RawClient(server.port());
                RawClient second = new RawClient(server.port());
                RawClient third = new RawClient(server.port())) {
            first.send(get("/"));
            second.send(get("/"));
            await("wait", () -> waiting.size() == 2);
            Reply reply = third.send(get("/")).reply();
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.header("Retry-After")).contains("5");
            for (Suspension wait : waiting) {
                wait.respond(200, "text/plain", "done");
            }
            assertThat(first.reply().text()).isEqualTo("done");
            assertThat(second.reply().text()).isEqualTo("done");
            await("none waits", () -> server.waiting() == 0);
            waiting.clear();
            third.send(get("/"));
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
        try (RawClient client = new RawClient(server.port())) {
            assertThat(client.send(get("/")).reply().status()).isEqualTo(418);
            assertThat(client.send(get("/")).reply().status()).isEqualTo(418);
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
            try (RawClient client = new RawClient(server.port())) {
                client.send(get("/"));
                await("suspended", () -> waiting.get() != null && server.running() == 0);
                if (abort) {
                    client.abort();
                }
            }
            await("cancelled", Duration.ofSeconds(2), () -> cancelled.get() == 1);
            await("none waits", () -> server.waiting() == 0);
            assertThat(waiting.get().resume(x -> text(x, "never"))).isFalse();
            AtomicInteger late = new AtomicInteger();
            waiting.get().onCancel(late::incrementAndGet);
            assertThat(late.get()).isEqualTo(1);
            assertThat(cancelled.get()).isEqualTo(1);
        }
    }

    @Test
    void client_thatSentMuchAheadAndLeavesAfterTheWait_isNoticedAgain() throws Exception {
        AtomicReference<Suspension> waiting = new AtomicReference<>();
        CountDownLatch goesOn = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(1);
        Server server = start(b -> b.get("/", x -> waiting.set(x.suspend(LONG))));
        try (RawClient client = new RawClient(server.port())) {
            client.send(get("/"));
            await("suspended", () -> waiting.get() != null && server.running() == 0);
            client.send(get("/").repeat(100));
            waiting.get()
                    .resume(x -> {
                        x.onDisconnect(left::countDown);
                        goesOn.countDown();
                        left.await();
                    });
            goesOn.await();
            client.abort();
            assertThat(left.await(5, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(server.requests()).isEqualTo(1);
    }

    @Test
    void requests_pipelinedBehindAWait_stayUndecodedUntilItEnds() throws Exception {
        ConcurrentLinkedQueue<Suspension> waiting = new ConcurrentLinkedQueue<>();
        Server server =
                start(b ->
                        b.get("/wait", x -> waiting.add(x.suspend(LONG)))
                                .get("/next", x -> text(x, "next")));
        try (RawClient client = new RawClient(server.port())) {
            client.send(get("/wait") + get("/next").repeat(100) + get("/wait") + get("/next"));
            await("suspended", () -> waiting.size() == 1 && server.running() == 0);
            assertThat(server.requests()).isEqualTo(1);
            waiting.remove().resume(x -> text(x, "waited"));
            assertThat(client.reply().text()).isEqualTo("waited");
            for (int i = 0; i < 100; i++) {
                assertThat(client.reply().text()).isEqualTo("next");
            }
            await("suspended", () -> waiting.size() == 1 && server.running() == 0);
            assertThat(server.requests()).isEqualTo(102);
            waiting.remove().respond(200, "text/plain", "waited again");
            assertThat(client.reply().text()).isEqualTo("waited again");
            assertThat(client.reply().text()).isEqualTo("next");
        }
    }

    @Test
    void requests_sentWhileOneWaits_areAnsweredAfterIt() throws Exception {
        ConcurrentLinkedQueue<Suspension> waiting = new ConcurrentLinkedQueue<>();
        Server server =
                start(b ->
                        b.get("/wait", x -> waiting.add(x.suspend(LONG)))
                                .get("/next", x -> text(x, "next")));
        try (RawClient client = new RawClient(server.port());
                RawClient other = new RawClient(server.port())) {
            for (int i = 0; i < 20; i++) {
                client.send("GET /wait" + HOST + "X-One: 1\r\nx-two: 2\r\nX-ONE: 3\r\n\r\n");
                await("suspended", () -> waiting.size() == 1 && server.running() == 0);
                // Answered by the same loop, so what that had to do for the wait is done.
                assertThat(other.send(get("/next")).reply().text()).isEqualTo("next");
                client.send(get("/next").substring(0, 20));
                assertThat(other.send(get("/next")).reply().text()).isEqualTo("next");
                client.send(get("/next").substring(20) + get("/next"));
                waiting.remove()
                        .resume(x -> text(x, x.headers("X-One") + x.header("X-Two").orElse("")));
                assertThat(client.reply().text()).isEqualTo("[1, 3]2");
                assertThat(client.reply().text()).isEqualTo("next");
                assertThat(client.reply().text()).isEqualTo("next");
            }
        }
    }

    @Test
    void head_andHttp10_waitAsOthersDo() throws Exception {
        Server server =
                start(b ->
                        b.get(
                                "/",
                                x ->
                                        x.suspend(LONG)
                                                .resumeAfter(
                                                        Duration.ofMillis(20),
                                                        y -> text(y, "waited"))));
        try (RawClient client = new RawClient(server.port())) {
            Reply head = client.send("HEAD /" + HOST + "\r\n").replyToHead();
            assertThat(head.header("Content-Length")).contains("6");
            Reply old = client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").reply();
            assertThat(old.header("Connection")).contains("keep-alive");
            assertThat(old.text()).isEqualTo("waited");
            assertThat(client.send("GET / HTTP/1.0\r\n\r\n").reply().text()).isEqualTo("waited");
            assertThat(client.atEnd()).isTrue();
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
        try (RawClient client = new RawClient(server.port())) {
            Reply head = client.send("GET /" + HOST + "Accept-Encoding: gzip\r\n\r\n").head();
            assertThat(head.header("Content-Encoding")).isEmpty();
            assertThat(client.line()).isEqualTo("7");
            assertThat(client.line()).isEqualTo("before ");
            waiting.get().resume(_ -> open.get().write(ByteBuffer.wrap("after".getBytes(UTF_8))));
            assertThat(client.line()).isEqualTo("5");
            assertThat(client.line()).isEqualTo("after");
            assertThat(client.line()).isEqualTo("0");
            assertThat(client.line()).isEmpty();
        }
    }

    @Test
    void admission_ofAWaitingRequest_isFreeForOthersAndTakenAgain() throws Exception {
        Admission admission = new Admission(1, 1, LONG);
        ConcurrentLinkedQueue<Suspension> waiting = new ConcurrentLinkedQueue<>();
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Server server = start(b -> b.get("/", x -> waiting.add(x.suspend(LONG)), _ -> admission));
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                clients.add(new RawClient(server.port()).send(get("/")));
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
            for (RawClient client : clients) {
                assertThat(client.reply().text()).isEqualTo("done");
            }
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
        assertThat(most.get()).isEqualTo(1);
        assertThat(admission.refused()).isZero();
        await("permits", () -> admission.runningNow() == 0 && admission.waitingNow() == 0);
    }

    @Test
    void waits_2000AtOnce_holdNoThread() throws Exception {
        ConcurrentLinkedQueue<Suspension> waiting = new ConcurrentLinkedQueue<>();
        Server server = start(b -> b.get("/", x -> waiting.add(x.suspend(LONG))));
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 2000; i++) {
                clients.add(new RawClient(server.port()).send(get("/")));
            }
            await("wait", () -> waiting.size() == 2000 && server.running() == 0);
            assertThat(server.waiting()).isEqualTo(2000);
            assertThat(server.admission().runningNow()).isZero();
            assertThat(Thread.getAllStackTraces().keySet())
                    .as("platform threads")
                    .hasSizeLessThan(60);
            for (Suspension wait : waiting) {
                wait.respond(200, "text/plain", "done");
            }
            for (RawClient client : clients) {
                assertThat(client.reply().text()).isEqualTo("done");
            }
        } finally {
            for (RawClient client : clients) {
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
                        b.get(
                                "/",
                                x ->
                                        waiting.add(
                                                x.suspend(LONG)
                                                        .onCancel(cancelled::incrementAndGet))));
        try (RawClient first = new RawClient(server.port());
                RawClient second = new RawClient(server.port())) {
            first.send(get("/"));
            await("suspended", () -> waiting.size() == 1);
            second.send(get("/"));
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
            assertThat(ended.header("Connection")).contains("close");
            go.countDown();
            assertThat(first.reply().status()).isEqualTo(503);
            first.abort();
            second.abort();
            closing.join();
        }
        await("cancelled", () -> cancelled.get() == 1);
    }
}
