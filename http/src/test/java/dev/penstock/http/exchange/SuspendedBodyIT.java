package dev.penstock.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.Suspension;
import dev.penstock.http.limits.UnreadBodies;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Bodies of requests that wait without a thread. */
@Timeout(60)
@ParameterizedClass
@EnumSource(Protocol.class)
final class SuspendedBodyIT extends ServerFixture {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Protocol protocol;

    SuspendedBodyIT(Protocol protocol) {
        this.protocol = protocol;
    }

    @Test
    void body_takenWhileItArrives_comesInPiecesWithoutAThread() throws Exception {
        AtomicInteger sum = new AtomicInteger();
        AtomicLong count = new AtomicLong();
        Server server =
                start(b ->
                        b.maxBody(3_000_000)
                                .route(
                                        "POST",
                                        "/",
                                        Handler.nonBlocking(x -> {
                                            if (x.header("Expect").isPresent()) {
                                                assertThatThrownBy(x::requestBody)
                                                        .hasMessageContaining("onBody");
                                            }
                                            x.suspend(LONG)
                                                    .onBody(
                                                            chunk -> {
                                                                count.addAndGet(chunk.remaining());
                                                                while (chunk.hasRemaining()) {
                                                                    sum.addAndGet(chunk.get());
                                                                }
                                                            },
                                                            y ->
                                                                    y.respond(
                                                                            200,
                                                                            "text/plain",
                                                                            count + " " + sum));
                                        })));
        byte[] body = new byte[1_000_000];
        Arrays.fill(body, (byte) 1);
        try (TestClient client = protocol.connect(server.port())) {
            client.begin("POST", "/", "Expect", "100-continue");
            assertThat(client.reply().status()).isEqualTo(100);
            assertThat(client.part(body).end().reply().text()).isEqualTo("1000000 1000000");
            client.send("POST", "/", new byte[] {1, 1});
            assertThat(client.reply().text()).isEqualTo("1000002 1000002");
            assertThat(client.send("POST", "/").reply().text()).isEqualTo("1000002 1000002");
        }
        try (TestClient client = protocol.connect(server.port())) {
            client.begin("POST", "/");
            try {
                client.part(new byte[3_000_001]);
            } catch (IOException _) {
                // It was refused before all of it was sent, and the answer is there.
            }
            assertThat(client.reply().status()).isEqualTo(413);
        }
        if (protocol == Protocol.HTTP_1_1) {
            try (RawClient client = new RawClient(server.port())) {
                client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
                client.send("3\r\n\1\1\1\r\nzz\r\n");
                assertThat(client.reply().status()).isEqualTo(400);
                assertThat(client.atEnd()).isTrue();
            }
        }
    }

    @Test
    void body_thatNobodyRead_isDroppedWhileItWaits() throws Exception {
        Server server =
                start(b ->
                        b.route(
                                "POST",
                                "/",
                                x ->
                                        x.suspend(LONG)
                                                .resumeAfter(
                                                        Duration.ofMillis(50),
                                                        y ->
                                                                y.respond(
                                                                        200,
                                                                        "text/plain",
                                                                        "waited"))));
        try (TestClient client = protocol.connect(server.port())) {
            client.send("POST", "/", new byte[50_000]);
            assertThat(client.reply().text()).isEqualTo("waited");
            client.send("POST", "/", new byte[5]);
            assertThat(client.reply().text()).isEqualTo("waited");
        }
    }

    @Test
    void body_ofARequestWhoseFilterWaits_isThereForTheHandlerBehindIt() throws Exception {
        Handler wait =
                x -> {
                    if (x.query().contains("wait")) {
                        x.suspend(LONG).resumeAfter(Duration.ofMillis(50), _ -> {});
                    }
                };
        Handler waitOnLoop =
                Handler.nonBlocking(x -> {
                    if (x.query().contains("loop")) {
                        x.suspend(LONG)
                                .resumeAfter(Duration.ofMillis(50), Handler.nonBlocking(_ -> {}));
                    }
                });
        Handler count =
                x -> x.respond(200, "text/plain", Integer.toString(x.readBytes(300_000).length));
        Server server =
                start(b ->
                        b.before(waitOnLoop)
                                .post("/taken", Handler.nonBlocking(SuspendedBodyIT::count))
                                .group("/read", g -> g.before(wait).post("", count)));
        List<String> paths =
                List.of("/read?wait", "/read?loop", "/read?loop+wait", "/read", "/taken?loop");
        try (TestClient client = protocol.connect(server.port())) {
            for (String path : paths) {
                for (int length : new int[] {5, 65_535, 65_537, 200_000}) {
                    client.send("POST", path, new byte[length]);
                    assertThat(client.reply().text()).as(path).isEqualTo("" + length);
                }
            }
        }
    }

    private static void count(Exchange exchange) {
        AtomicInteger sum = new AtomicInteger();
        exchange.suspend(LONG)
                .onBody(
                        chunk -> sum.addAndGet(chunk.remaining()),
                        later -> later.respond(200, "text/plain", sum.toString()));
    }

    @Test
    void body_behindAFilterThatWaits_isHardlyReadBeforeItGoesOn() throws Exception {
        CompletableFuture<Suspension> waits = new CompletableFuture<>();
        Server server =
                start(b ->
                        b.maxBody(4_000_000)
                                .before(x -> waits.complete(x.suspend(LONG)))
                                .post(
                                        "/",
                                        x ->
                                                x.respond(
                                                        200,
                                                        "text/plain",
                                                        "" + x.readBytes(4_000_000).length)));
        try (TestClient client = protocol.connect(server.port())) {
            Thread sender =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    client.send("POST", "/", new byte[3_000_000]);
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            });
            Suspension suspension = waits.get(30, TimeUnit.SECONDS);
            await("waits", () -> server.waiting() == 1 && server.running() == 0);
            await("some is there", () -> context(server).unreadBodies().bytes() > 0);
            assertThat(context(server).unreadBodies().bytes()).isLessThan(200_000);
            assertThat(suspension.resume(_ -> {})).isTrue();
            assertThat(sender.join(Duration.ofSeconds(30))).isTrue();
            assertThat(client.reply().text()).isEqualTo("3000000");
        }
    }

    @Test
    void bodies_thatCameBeforeAFilterWaits_areBoundedTogether() throws Exception {
        int limit = 200_000;
        CountDownLatch mayWait = new CountDownLatch(1);
        Queue<Suspension> waits = new ConcurrentLinkedQueue<>();
        Server server =
                start(b ->
                        maxUnread(b, limit)
                                .before(x -> {
                                    mayWait.await();
                                    waits.add(x.suspend(LONG));
                                })
                                .post(
                                        "/",
                                        x ->
                                                x.respond(
                                                        200,
                                                        "text/plain",
                                                        "" + x.readBytes(60_000).length)));
        UnreadBodies unread = context(server).unreadBodies();
        List<TestClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                TestClient client = protocol.connect(server.port());
                clients.add(client);
                client.send("POST", "/", new byte[60_000]);
            }
            await("run", () -> server.running() == 20 && unread.bytes() > limit);
            mayWait.countDown();
            await("wait", () -> waits.size() == 20 && server.running() == 0);
            await("room", () -> unread.bytes() <= limit);
            waits.forEach(wait -> wait.resume(_ -> {}));
            List<String> replies = new ArrayList<>();
            for (TestClient client : clients) {
                replies.add(replyOrReset(client));
            }
            assertThat(replies)
                    .contains("200 60000")
                    .containsAnyOf("503", "reset with 11")
                    .isSubsetOf("200 60000", "503", "reset with 11");
            await("nothing is unread", () -> unread.bytes() == 0);
        } finally {
            for (TestClient client : clients) {
                client.close();
            }
        }
    }

    private static String replyOrReset(TestClient client) throws Exception {
        try {
            RawClient.Reply reply = client.reply();
            return reply.status() == 200 ? "200 " + reply.text() : "" + reply.status();
        } catch (IOException reset) {
            return "" + reset.getMessage();
        }
    }

    @Test
    void client_thatLeavesInTheMiddleOfABodyThatNobodyReads_isNoticed() throws Exception {
        AtomicInteger cancelled = new AtomicInteger();
        Server server =
                start(b ->
                        b.route(
                                "POST",
                                "/",
                                x -> x.suspend(LONG).onCancel(cancelled::incrementAndGet)));
        try (TestClient client = protocol.connect(server.port())) {
            client.begin("POST", "/").part(new byte[200_000]);
            await("waits", () -> server.waiting() == 1 && server.running() == 0);
            client.cancel();
        }
        await("cancelled", Duration.ofSeconds(20), () -> cancelled.get() == 1);
    }

    @Test
    void taker_thatFailsWhateverWay_isAnErrorResponse() throws Exception {
        Server server =
                start(b ->
                        b.route(
                                "POST",
                                "/",
                                Handler.nonBlocking(x ->
                                        x.suspend(LONG)
                                                .onBody(
                                                        _ -> {
                                                            throw new NoClassDefFoundError("x/Y");
                                                        },
                                                        y -> y.respond(200, "x/y", "")))));
        try (TestClient client = protocol.connect(server.port())) {
            client.send("POST", "/", new byte[2]);
            assertThat(client.reply().status()).isEqualTo(500);
        }
    }
}
