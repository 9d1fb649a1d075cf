package dev.penstock.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Admission;
import dev.penstock.http.HttpException;
import dev.penstock.http.server.LogLines;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests that wait for a stage of their own, and failures that are mapped to a status. */
@Timeout(120)
@ParameterizedClass
@EnumSource(Protocol.class)
final class StageSuspensionIT extends ServerFixture {
    private final Protocol protocol;

    StageSuspensionIT(Protocol protocol) {
        this.protocol = protocol;
    }

    /** A refusal such as a full queue's. */
    private static final class Full extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final Duration retryAfter;

        Full(Duration retryAfter) {
            super("The queue is full");
            this.retryAfter = retryAfter;
        }

        HttpException unavailable() {
            return HttpException.unavailable("Too many ask for quotes", retryAfter);
        }
    }

    private Server waitingFor(CompletionStage<String> stage) {
        return start(b ->
                b.mapError(Full.class, Full::unavailable)
                        .get("/", x -> x.suspend(stage, (y, text) -> y.respond(200, "a/b", text))));
    }

    private static void awaitSuspended(Server server) throws Exception {
        await("suspended", () -> server.waiting() == 1 && server.running() == 0);
    }

    @Test
    void suspend_onAStage_goesOnWithItsValueAndHoldsNoThread() throws Exception {
        CompletableFuture<String> stage = new CompletableFuture<>();
        Server server = waitingFor(stage);
        try (TestClient client = protocol.connect(server.port())) {
            client.get("/");
            awaitSuspended(server);
            await("permits", () -> server.admission().runningNow() == 0);
            stage.complete("quote");
            assertThat(client.reply().text()).isEqualTo("quote");
            // One that has ended already, and one that nothing can be asked to end.
            assertThat(client.get("/").reply().text()).isEqualTo("quote");
        }
        Server minimal = waitingFor(CompletableFuture.completedStage("minimal"));
        try (TestClient client = protocol.connect(minimal.port())) {
            assertThat(client.get("/").reply().text()).isEqualTo("minimal");
        }
    }

    @Test
    void suspend_onAStageThatIsRefused_isTheMappedStatusAndNoLineOfTheLog() throws Exception {
        CompletableFuture<String> stage = new CompletableFuture<>();
        Server server = waitingFor(stage);
        try (LogLines log = new LogLines(Level.WARNING);
                TestClient client = protocol.connect(server.port())) {
            client.get("/");
            awaitSuspended(server);
            stage.completeExceptionally(new Full(Duration.ofMillis(1_001)));
            for (int i = 0; i < 3; i++) {
                Reply reply = client.reply();
                assertThat(reply.status()).isEqualTo(503);
                assertThat(reply.header("Retry-After")).contains("2");
                assertThat(reply.text())
                        .contains("\"status\":503", "Too many ask for quotes")
                        .doesNotContain("The queue is full");
                client.get("/");
            }
            assertThat(client.reply().status()).isEqualTo(503);
            assertThat(log.containing("failed")).isEmpty();
        }
    }

    @Test
    void mapError_ofInnerAndOuterGroups_isTheInnermostOfTheMostSpecificType() throws Exception {
        Server server =
                start(b ->
                        b.mapError(Full.class, Full::unavailable)
                                .mapError(
                                        IllegalStateException.class,
                                        e -> new HttpException(409, "mapped: " + e.getMessage()))
                                .mapError(
                                        UnsupportedOperationException.class,
                                        e -> {
                                            throw new ArithmeticException("in the mapping");
                                        })
                                .onError(
                                        HttpException.class,
                                        (e, x) ->
                                                x.respond(e.status(), "a/b", "page " + e.status()))
                                .get(
                                        "/outer",
                                        _ -> {
                                            throw new IllegalStateException("closed");
                                        })
                                .get(
                                        "/worse",
                                        _ -> {
                                            throw new UnsupportedOperationException();
                                        })
                                .group(
                                        "/in",
                                        g ->
                                                g.mapError(
                                                                Full.class,
                                                                _ ->
                                                                        new HttpException(
                                                                                429, "slower"))
                                                        .get(
                                                                "/full",
                                                                _ -> {
                                                                    throw new Full(Duration.ZERO);
                                                                })));
        try (TestClient client = protocol.connect(server.port())) {
            assertThat(client.get("/outer").reply().text()).isEqualTo("page 409");
            assertThat(client.get("/in/full").reply().text()).isEqualTo("page 429");
            assertThat(client.get("/worse").reply().status()).isEqualTo(500);
        }
    }

    @Test
    void suspend_whoseClientLeaves_cancelsTheStage() throws Exception {
        CompletableFuture<String> stage = new CompletableFuture<>();
        Server server = waitingFor(stage);
        TestClient client = protocol.connect(server.port());
        client.get("/");
        awaitSuspended(server);
        client.leave();
        await("cancelled", stage::isCancelled);
        await("no wait", () -> server.waiting() == 0);
    }

    @Test
    void suspend_beyondTheNumberThatMayWait_cancelsTheStage() throws Exception {
        ConcurrentLinkedQueue<CompletableFuture<String>> stages = new ConcurrentLinkedQueue<>();
        Server server =
                start(b ->
                        b.maxSuspended(1, Duration.ofMinutes(1))
                                .get(
                                        "/",
                                        x -> {
                                            CompletableFuture<String> stage =
                                                    new CompletableFuture<>();
                                            stages.add(stage);
                                            x.suspend(
                                                    stage,
                                                    (y, text) -> y.respond(200, "a/b", text));
                                        }));
        try (TestClient first = protocol.connect(server.port());
                TestClient second = protocol.connect(server.port())) {
            first.get("/");
            awaitSuspended(server);
            assertThat(second.get("/").reply().status()).isEqualTo(503);
            CompletableFuture<String> waiting = stages.remove();
            assertThat(waiting).isNotDone();
            assertThat(stages.remove()).isCancelled();
            waiting.complete("late");
            assertThat(first.reply().text()).isEqualTo("late");
        }
    }

    @Test
    void suspend_byAHandlerThatThrowsThen_cancelsTheStage() throws Exception {
        CompletableFuture<String> stage = new CompletableFuture<>();
        Server server =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    x.suspend(stage, (y, text) -> y.respond(200, "a/b", text));
                                    throw new HttpException(418, "thrown");
                                }));
        checkRefusal(server, 418, stage);
    }

    @Test
    void suspend_longerThanAnyMay_is503AndCancelsTheStage() throws Exception {
        CompletableFuture<String> stage = new CompletableFuture<>();
        Server server =
                start(b ->
                        b.maxSuspended(9, Duration.ofMillis(50))
                                .get(
                                        "/",
                                        x ->
                                                x.suspend(
                                                        stage,
                                                        (y, text) -> y.respond(200, "a/b", text))));
        checkRefusal(server, 503, stage);
    }

    private void checkRefusal(Server server, int status, CompletableFuture<?> stage)
            throws Exception {
        try (TestClient client = protocol.connect(server.port())) {
            assertThat(client.get("/").reply().status()).isEqualTo(status);
        }
        await("cancelled", stage::isCancelled);
    }

    @Test
    void close_whileARequestWaitsForItsStage_letsItFinishAndThenClosesResources() throws Exception {
        CompletableFuture<String> stage = new CompletableFuture<>();
        List<String> closed = new CopyOnWriteArrayList<>();
        AtomicReference<Server> seen = new AtomicReference<>();
        Server server =
                start(b ->
                        b.stopWithin(Duration.ofMinutes(1))
                                .get(
                                        "/",
                                        x ->
                                                x.suspend(
                                                        stage,
                                                        (y, text) -> y.respond(200, "a/b", text)))
                                .closeAtStop(() -> closed.add("first"))
                                .closeAtStop(() -> {
                                    throw new IllegalStateException("can't be closed");
                                })
                                .closeAtStop(() ->
                                        closed.add(
                                                "last, with "
                                                        + seen.get().connections()
                                                        + " connections")));
        seen.set(server);
        try (LogLines log = new LogLines(Level.WARNING);
                TestClient client = protocol.connect(server.port())) {
            client.get("/");
            awaitSuspended(server);
            Thread closing = Thread.startVirtualThread(server::close);
            await("stopping", () -> context(server).stopping());
            assertThat(closed).isEmpty();
            stage.complete("before the end");
            assertThat(client.reply().text()).isEqualTo("before the end");
            client.leave();
            closing.join();
            assertThat(closed).containsExactly("last, with 0 connections", "first");
            assertThat(log.containing("Could not close")).hasSize(1);
            server.close();
            assertThat(closed).hasSize(2);
        }
    }

    @Test
    void close_whileARequestWaitsForAStageWithoutEnd_cancelsItAfterTheLimit() throws Exception {
        CompletableFuture<String> stage = new CompletableFuture<>();
        CountDownLatch closed = new CountDownLatch(1);
        Server server =
                start(b ->
                        b.stopWithin(Duration.ofMillis(100))
                                .closeAtStop(closed::countDown)
                                .get(
                                        "/",
                                        x ->
                                                x.suspend(
                                                        stage,
                                                        (y, text) -> y.respond(200, "a/b", text))));
        try (TestClient client = protocol.connect(server.port())) {
            client.get("/");
            awaitSuspended(server);
            server.close();
            await("cancelled", stage::isCancelled);
            assertThat(closed.getCount()).isZero();
        }
    }

    @Test
    void mapError_whileEveryPermitIsTaken_isAnsweredWithoutOne() throws Exception {
        CompletableFuture<String> stage = new CompletableFuture<>();
        CountDownLatch go = new CountDownLatch(1);
        Server server =
                start(b ->
                        b.admission(new Admission(1, 9, Duration.ofMinutes(1)))
                                .mapError(Full.class, Full::unavailable)
                                .get(
                                        "/",
                                        x ->
                                                x.suspend(
                                                        stage,
                                                        (y, text) -> y.respond(200, "a/b", text)))
                                .get(
                                        "/busy",
                                        x -> {
                                            go.await();
                                            x.respond(200, "a/b", "done");
                                        }));
        try (TestClient client = protocol.connect(server.port());
                TestClient busy = protocol.connect(server.port())) {
            client.get("/");
            awaitSuspended(server);
            busy.get("/busy");
            await("busy", () -> server.running() == 1);
            stage.completeExceptionally(new Full(Duration.ofSeconds(3)));
            Reply reply = client.reply();
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.header("Retry-After")).contains("3");
            go.countDown();
            assertThat(busy.reply().text()).isEqualTo("done");
        }
    }
}
