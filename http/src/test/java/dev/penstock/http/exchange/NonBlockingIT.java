package dev.penstock.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Admission;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.Suspension;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers that run on the event loop. */
@Timeout(60)
final class NonBlockingIT extends ServerFixture {
    private static final Duration LONG = Duration.ofSeconds(30);

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
    }

    private static Handler thread() {
        return Handler.nonBlocking(
                x -> x.respond(200, "text/plain", Thread.currentThread().getName()));
    }

    @Test
    void handler_thatIsMarked_runsOnTheLoopAndPastTheAdmissionOfOthers() throws Exception {
        Admission none = new Admission(1, 0, LONG);
        CountDownLatch blocked = new CountDownLatch(1);
        ConcurrentLinkedQueue<Suspension> waiting = new ConcurrentLinkedQueue<>();
        Server server =
                start(b ->
                        b.admission(none)
                                .get("/loop", thread())
                                .get("/blocked", _ -> blocked.await())
                                .get("/none", x -> waiting.add(x.suspend(LONG))));
        try (RawClient client = new RawClient(server.port());
                RawClient other = new RawClient(server.port())) {
            other.send(get("/blocked"));
            await("runs", () -> server.running() == 1);
            assertThat(client.send(get("/none")).reply().status()).isEqualTo(503);
            for (int i = 0; i < 100; i++) {
                assertThat(client.send(get("/loop")).reply().text()).startsWith("penstock-loop");
            }
            assertThat(server.running()).isEqualTo(1);
            blocked.countDown();
            assertThat(other.reply().status()).isEqualTo(200);
        }
        assertThat(waiting).isEmpty();
    }

    @Test
    void handler_withAnAdmissionOfItsRoute_waitsForItAndRunsOnTheLoop() throws Exception {
        Admission one = new Admission(1, 5, LONG);
        CountDownLatch holds = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Server server =
                start(b ->
                        b.get("/loop", thread(), _ -> one)
                                .get(
                                        "/hold",
                                        x -> {
                                            holds.countDown();
                                            end.await();
                                            x.respond(200, "text/plain", "held");
                                        },
                                        _ -> one));
        try (RawClient client = new RawClient(server.port());
                RawClient other = new RawClient(server.port())) {
            other.send(get("/hold"));
            holds.await();
            client.send(get("/loop"));
            await("queues", () -> one.waitingNow() == 1);
            end.countDown();
            assertThat(other.reply().text()).isEqualTo("held");
            assertThat(client.reply().text()).startsWith("penstock-loop");
            await("left", () -> one.runningNow() == 0);
        }
    }

    @Test
    void handler_thatWritesMoreThanFits_failsInsteadOfBlockingTheLoop() throws Exception {
        CountDownLatch written = new CountDownLatch(1);
        Server server =
                start(b ->
                        b.get(
                                        "/large",
                                        Handler.nonBlocking(x -> {
                                            try {
                                                x.respond(200, "x/y", new byte[10_000_000]);
                                            } finally {
                                                written.countDown();
                                            }
                                        }))
                                .get(
                                        "/fits",
                                        Handler.nonBlocking(
                                                x -> x.respond(200, "x/y", new byte[60 * 1024])))
                                .get(
                                        "/throws",
                                        Handler.nonBlocking(x -> {
                                            x.body("x/y").write(ByteBuffer.wrap(new byte[10]));
                                            throw new HttpException(409, "It can't be");
                                        })));
        try (RawClient client = new RawClient(server.port(), 4096)) {
            client.send(get("/large"));
            written.await();
            assertThatThrownBy(client::reply).isInstanceOf(IOException.class);
        }
        try (RawClient client = new RawClient(server.port())) {
            assertThat(client.send(get("/fits")).reply().body()).hasSize(60 * 1024);
            Reply thrown = client.send(get("/throws")).reply();
            assertThat(thrown.status()).isEqualTo(409);
            assertThat(client.send(get("/fits")).reply().status()).isEqualTo(200);
        }
    }
}
