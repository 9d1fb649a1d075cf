package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Admission;
import dev.penstock.http.HttpException;
import dev.penstock.http.http2.FrameClient;
import dev.penstock.http.server.LogLines;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import dev.penstock.service.CallRejectedException;
import dev.penstock.service.ServicePool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests that wait for the calls of a service pool, as the page "Requests that wait" has them. */
@Timeout(600)
@ParameterizedClass
@EnumSource(Protocol.class)
final class PooledRequestsIT extends ServerFixture {
    private static final int INSTANCES = 8;
    private static final int STREAMS = 100;

    /** A service that takes its time. */
    interface Quotes {
        String quote(String symbol) throws InterruptedException;
    }

    private final Protocol protocol;
    private final CountDownLatch open = new CountDownLatch(1);
    private final List<AutoCloseable> clients = new ArrayList<>();

    PooledRequestsIT(Protocol protocol) {
        this.protocol = protocol;
    }

    @AfterEach
    void leave() throws Exception {
        open.countDown();
        for (AutoCloseable client : clients) {
            client.close();
        }
    }

    private ServicePool<Quotes> pool(int instances, int queue) {
        return ServicePool.of(
                        Quotes.class,
                        () ->
                                symbol -> {
                                    open.await();
                                    return "quote of " + symbol;
                                })
                .name("quotes")
                .size(instances)
                .queue(queue)
                .callTimeout(Duration.ZERO)
                .start();
    }

    private Server serving(ServicePool<Quotes> quotes) {
        return start(builder ->
                builder.admission(new Admission(64, 20_000, Duration.ofMinutes(2)))
                        .mapError(
                                CallRejectedException.class,
                                full -> HttpException.unavailable("Busy", full.retryAfter()))
                        .get(
                                "/quote/{symbol}",
                                exchange -> {
                                    String symbol = exchange.pathParameter("symbol");
                                    exchange.suspend(
                                            quotes.async(service -> service.quote(symbol)),
                                            (later, quote) ->
                                                    later.respond(200, "text/plain", quote));
                                })
                        .closeAtStop(quotes));
    }

    private TestClient connect(Server server) throws IOException {
        TestClient client = protocol.connect(server.port());
        clients.add(client);
        return client;
    }

    /** Sends many requests without waiting, and returns what reads their answers: 2,000, or 10,000 over HTTP/2. */
    private List<Callable<String>> ask(Server server) throws IOException {
        List<Callable<String>> answers = new ArrayList<>();
        if (protocol == Protocol.HTTP_1_1) {
            for (int i = 0; i < 2_000; i++) {
                TestClient client = connect(server).get("/quote/" + i);
                answers.add(() -> client.reply().text());
            }
            return answers;
        }
        for (int i = 0; i < 10_000; i += STREAMS) {
            FrameClient client = FrameClient.withReceiveBuffer(0, server.port());
            clients.add(client);
            // So that the server's settings are acknowledged in time, however long the rest takes.
            client.readSettings();
            for (int of = i; of < i + STREAMS; of++) {
                int stream = client.get("/quote/" + of);
                answers.add(() -> text(client, stream));
            }
        }
        return answers;
    }

    private static String text(FrameClient client, int stream) throws IOException {
        assertThat(client.head(stream).status()).isEqualTo(200);
        return new String(client.body(stream).readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void requests_byTheThousandOnEightInstances_areAllAnsweredAndHoldNoThreadWhileTheyWait()
            throws Exception {
        ServicePool<Quotes> quotes = pool(INSTANCES, 10_000);
        Server server = serving(quotes);
        List<Callable<String>> answers = ask(server);
        int waiting = answers.size();
        await("all wait", () -> server.waiting() == waiting && server.running() == 0);
        await("permits", () -> server.admission().runningNow() == 0);
        assertThat(quotes.figures().busy()).isEqualTo(INSTANCES);
        assertThat(quotes.figures().waiting()).isEqualTo(waiting - INSTANCES);
        open.countDown();
        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i).call()).isEqualTo("quote of " + i);
        }
        await("none waits", () -> server.waiting() == 0);
        await("all are counted", () -> quotes.figures().calls() == waiting);
        assertThat(quotes.figures().failures()).isZero();
    }

    @Test
    void client_thatLeaves_freesItsPlaceInTheQueue() throws Exception {
        ServicePool<Quotes> quotes = pool(1, 1);
        Server server = serving(quotes);
        TestClient first = connect(server).get("/quote/first");
        await("runs", () -> quotes.figures().busy() == 1);
        TestClient leaving = connect(server).get("/quote/leaving");
        await("waits", () -> quotes.figures().waiting() == 1);
        leaving.leave();
        await("left", () -> quotes.figures().waiting() == 0);
        TestClient next = connect(server).get("/quote/next");
        await("waits", () -> quotes.figures().waiting() == 1);
        open.countDown();
        assertThat(first.reply().text()).isEqualTo("quote of first");
        assertThat(next.reply().text()).isEqualTo("quote of next");
        assertThat(quotes.figures().rejections()).isZero();
    }

    @Test
    void client_thatLeavesWhileItsCallRuns_interruptsTheCall() throws Exception {
        // An instance is counted as idle a moment before it can be taken: the next call may have to
        // wait.
        ServicePool<Quotes> quotes = pool(1, 1);
        Server server = serving(quotes);
        TestClient leaving = connect(server).get("/quote/leaving");
        await("runs", () -> quotes.figures().busy() == 1);
        leaving.leave();
        await("ended", () -> quotes.figures().idle() == 1);
        open.countDown();
        assertThat(connect(server).get("/quote/next").reply().text()).isEqualTo("quote of next");
    }

    @Test
    void requests_beyondTheQueue_are503WithRetryAfterAndNoLineOfTheLog() throws Exception {
        ServicePool<Quotes> quotes = pool(1, 1);
        Server server = serving(quotes);
        TestClient first = connect(server).get("/quote/first");
        await("runs", () -> quotes.figures().busy() == 1);
        TestClient second = connect(server).get("/quote/second");
        await("waits", () -> quotes.figures().waiting() == 1);
        try (LogLines log = new LogLines(Level.WARNING)) {
            TestClient third = connect(server);
            for (int i = 1; i <= 3; i++) {
                Reply reply = third.get("/quote/third").reply();
                assertThat(reply.status()).isEqualTo(503);
                assertThat(reply.header("Retry-After").orElseThrow()).matches("[1-9][0-9]?");
                assertThat(reply.text()).contains("Busy");
                assertThat(quotes.figures().rejections()).isEqualTo(i);
            }
            assertThat(log.containing("failed")).isEmpty();
        }
        open.countDown();
        assertThat(first.reply().text()).isEqualTo("quote of first");
        assertThat(second.reply().text()).isEqualTo("quote of second");
    }
}
