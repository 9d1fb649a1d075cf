package dev.penstock.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Exchange;
import dev.penstock.http.Suspension;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections of HTTP/1.1 whose request waits without a thread, and what comes behind that. */
@Timeout(60)
final class SuspendedConnectionIT extends ServerFixture {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String HOST = " HTTP/1.1\r\nHost: x\r\n";

    private static String get(String path) {
        return "GET " + path + HOST + "\r\n";
    }

    private static void text(Exchange exchange, String text) {
        exchange.respond(200, "text/plain", text);
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
            assertThat(left.await(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(server.requests()).isEqualTo(1);
    }

    private Server startWaiting(Queue<Suspension> waiting) {
        return start(b ->
                b.get("/wait", x -> waiting.add(x.suspend(LONG)))
                        .get("/next", x -> text(x, "next")));
    }

    @Test
    void requests_pipelinedBehindAWait_stayUndecodedUntilItEnds() throws Exception {
        ConcurrentLinkedQueue<Suspension> waiting = new ConcurrentLinkedQueue<>();
        Server server = startWaiting(waiting);
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
        Server server = startWaiting(waiting);
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
}
