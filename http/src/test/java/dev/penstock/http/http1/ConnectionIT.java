package dev.penstock.http.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.server.Bodies;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.http.server.ServerFixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several requests on one connection, methods, bodies, and time limits. */
@Timeout(180)
final class ConnectionIT extends ServerFixture {
    private static final String HOST = " HTTP/1.1\r\nHost: x\r\n";

    private static ServerBuilder echo(ServerBuilder builder) {
        return builder.route(
                "POST",
                "/echo",
                x -> x.respond(200, "application/x", Bodies.readAll(x.requestBody())));
    }

    @Test
    void requests_pipelined_areAnsweredInOrderOneAtATime() throws Exception {
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Server server =
                start(b ->
                        b.get(
                                "/n/{n}",
                                x -> {
                                    most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                                    x.respond(200, "text/plain", x.pathParameter("n"));
                                    atOnce.decrementAndGet();
                                }));
        int count = 3000;
        try (RawClient client = new RawClient(server.port())) {
            Thread sender =
                    Thread.startVirtualThread(() -> {
                        try {
                            for (int i = 0; i < count; i++) {
                                client.send("GET /n/" + i + HOST + "\r\n");
                            }
                            client.shutdownOutput();
                        } catch (IOException failure) {
                            throw new IllegalStateException(failure);
                        }
                    });
            for (int i = 0; i < count; i++) {
                assertThat(client.reply().text()).isEqualTo(Integer.toString(i));
            }
            assertThat(client.atEnd()).isTrue();
            sender.join();
        }
        assertThat(most.get()).isEqualTo(1);
    }

    @Test
    void requests_pipelinedToAnswersGivenOnTheLoop_areAllAnswered() throws Exception {
        Server server = start(b -> b);
        try (RawClient client = new RawClient(server.port())) {
            client.send(("GET /none" + HOST + "\r\n").repeat(2000));
            for (int i = 0; i < 2000; i++) {
                assertThat(client.reply().status()).isEqualTo(404);
            }
        }
    }

    @Test
    void http10_withAndWithoutKeepAlive_closesOrKeeps() throws Exception {
        Server server = start(b -> b.get("/", x -> x.respond(200, "text/plain", "hi")));
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n");
            Reply kept = client.reply();
            assertThat(kept.header("Connection")).contains("keep-alive");
            assertThat(kept.text()).isEqualTo("hi");
            Reply closed = client.send("GET / HTTP/1.0\r\n\r\n").reply();
            assertThat(closed.header("Connection")).contains("close");
            assertThat(client.atEnd()).isTrue();
        }
    }

    @Test
    void connection_close_isHonoured() throws Exception {
        Server server = start(b -> b.get("/", x -> x.respond(200, "text/plain", "hi")));
        try (RawClient client = new RawClient(server.port())) {
            Reply reply = client.send("GET /" + HOST + "Connection: x, Close\r\n\r\n").reply();
            assertThat(reply.header("Connection")).contains("close");
            assertThat(client.atEnd()).isTrue();
        }
    }

    @Test
    void connection_closedByTheHandler_isClosed() throws Exception {
        Server server =
                start(b ->
                        b.get("/", x -> x.header("Connection", "close").respond(200, "a/b", "")));
        try (RawClient client = new RawClient(server.port())) {
            Reply reply = client.send("GET /" + HOST + "\r\n").reply();
            assertThat(reply.header("Connection")).contains("close");
            assertThat(client.atEnd()).isTrue();
        }
    }

    @Test
    void head_ofSmallAndLargeBodies_hasTheHeadersOfGet() throws Exception {
        Server server =
                start(b ->
                        b.get("/small", x -> x.respond(200, "text/plain", "hello"))
                                .get("/known", x -> x.respond(200, "x/y", new byte[99_999]))
                                .get("/endless", x -> Bodies.endless(x.body("x/y"))));
        try (RawClient client = new RawClient(server.port())) {
            Reply small = client.send("HEAD /small" + HOST + "\r\n").replyToHead();
            assertThat(small.header("Content-Length")).contains("5");
            Reply known = client.send("HEAD /known" + HOST + "\r\n").replyToHead();
            assertThat(known.header("Content-Length")).contains("99999");
            Reply endless = client.send("HEAD /endless" + HOST + "\r\n").replyToHead();
            assertThat(endless.status()).isEqualTo(200);
            assertThat(endless.header("Transfer-Encoding")).contains("chunked");
            Reply none = client.send("HEAD /none" + HOST + "\r\n").replyToHead();
            assertThat(none.status()).isEqualTo(404);
            assertThat(client.send("GET /small" + HOST + "\r\n").reply().text()).isEqualTo("hello");
        }
    }

    @Test
    void method_unknownOrOptions_isToldWhatIsAllowed() throws Exception {
        Server server = start(b -> echo(b).get("/echo", x -> x.respond(200, "text/plain", "hi")));
        try (RawClient client = new RawClient(server.port())) {
            for (String method : List.of("DELETE", "BREW", "TRACE", "get")) {
                Reply reply = client.send(method + " /echo" + HOST + "\r\n").reply();
                assertThat(reply.status()).as(method).isEqualTo(405);
                assertThat(reply.header("Allow")).contains("GET, HEAD, OPTIONS, POST");
            }
            Reply options = client.send("OPTIONS /echo" + HOST + "\r\n").reply();
            assertThat(options.status()).isEqualTo(204);
            assertThat(options.header("Allow")).contains("GET, HEAD, OPTIONS, POST");
            assertThat(options.header("Content-Length")).isEmpty();
            Reply all = client.send("OPTIONS *" + HOST + "\r\n").reply();
            assertThat(all.header("Allow")).contains("GET, HEAD, OPTIONS, POST");
        }
    }

    @Test
    void status_withoutBody_hasNone() throws Exception {
        Server server =
                start(b ->
                        b.get("/204", x -> x.status(204))
                                .get("/304", x -> x.status(304).header("ETag", "\"a\""))
                                .get("/200", _ -> {}));
        try (RawClient client = new RawClient(server.port())) {
            assertThat(client.send("GET /204" + HOST + "\r\n").reply().header("Content-Length"))
                    .isEmpty();
            assertThat(client.send("GET /304" + HOST + "\r\n").reply().header("ETag"))
                    .contains("\"a\"");
            assertThat(client.send("GET /200" + HOST + "\r\n").reply().header("Content-Length"))
                    .contains("0");
        }
    }

    @Test
    void expectation_isMetWhenTheBodyIsRead() throws Exception {
        Server server =
                start(b -> echo(b).route("POST", "/no", x -> x.respond(403, "text/plain", "no")));
        String expecting = HOST + "Expect: 100-Continue\r\nContent-Length: 5\r\n\r\n";
        try (RawClient client = new RawClient(server.port())) {
            client.send("POST /echo" + expecting);
            assertThat(client.head().status()).isEqualTo(100);
            assertThat(client.send("hello").reply().text()).isEqualTo("hello");
            Reply no = client.send("POST /no" + expecting).reply();
            assertThat(no.status()).isEqualTo(403);
            assertThat(no.header("Connection")).contains("close");
            assertThat(client.atEnd()).isTrue();
        }
    }

    @Test
    void body_ofManyMegabytes_isReadWithinItsWindow() throws Exception {
        Server server = start(b -> echo(b).route("POST", "/count", ConnectionIT::count));
        byte[] block = new byte[100_000];
        try (RawClient client = new RawClient(server.port())) {
            client.send("POST /count" + HOST + "Content-Length: 10000000\r\n\r\n");
            for (int i = 0; i < 100; i++) {
                client.send(block);
            }
            assertThat(client.reply().text()).isEqualTo("10000000");
            client.send("POST /count" + HOST + "Transfer-Encoding: chunked\r\n\r\n");
            for (int i = 0; i < 50; i++) {
                client.send("186A0\r\n").send(block).send("\r\n");
            }
            client.send("0\r\n\r\n");
            assertThat(client.reply().text()).isEqualTo("5000000");
        }
    }

    private static void count(Exchange exchange) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(3000);
        long count = 0;
        for (int n = 0; n >= 0; n = exchange.requestBody().read(buffer.clear())) {
            count += n;
        }
        exchange.respond(200, "text/plain", Long.toString(count));
    }

    @Test
    void body_notReadByItsHandler_isHeldBackAtTheSocket() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Server server =
                start(b ->
                        b.maxBody(100_000_000)
                                .route(
                                        "POST",
                                        "/later",
                                        x -> {
                                            go.await();
                                            count(x);
                                        }));
        AtomicInteger sent = new AtomicInteger();
        try (RawClient client = new RawClient(server.port())) {
            client.send("POST /later" + HOST + "Content-Length: 80000000\r\n\r\n");
            Thread sender =
                    Thread.startVirtualThread(() -> {
                        try {
                            for (int i = 0; i < 800; i++) {
                                client.send(new byte[100_000]);
                                sent.addAndGet(100_000);
                            }
                        } catch (IOException failure) {
                            throw new IllegalStateException(failure);
                        }
                    });
            long before = -1;
            while (sent.get() != before || before == 0) {
                before = sent.get();
                assertThat(sender.join(Duration.ofMillis(100))).as("all is sent").isFalse();
            }
            assertThat(before).isLessThan(80_000_000);
            go.countDown();
            // The client waits for a line of the reply for 20 s alone.
            assertThat(sender.join(Duration.ofMinutes(2))).isTrue();
            assertThat(client.reply().text()).isEqualTo("80000000");
        }
    }

    @Test
    void body_beyondTheLimit_is413EvenWithoutLength() throws Exception {
        Server server = start(b -> echo(b.maxBody(1000)));
        try (RawClient client = new RawClient(server.port())) {
            // At once, as the server does not wait for long for the rest of what it has refused.
            client.send(
                    "POST /echo"
                            + HOST
                            + "Transfer-Encoding: chunked\r\n\r\n3e9\r\n"
                            + "x".repeat(1001)
                            + "\r\n");
            Reply reply = client.reply();
            assertThat(reply.status()).isEqualTo(413);
            assertThat(reply.header("Connection")).contains("close");
        }
        try (RawClient client = new RawClient(server.port())) {
            client.send("POST /echo" + HOST + "Content-Length: 1000\r\n\r\n").send(new byte[1000]);
            assertThat(client.reply().body()).hasSize(1000);
        }
    }

    @Test
    void body_unread_isDroppedIfSmallAndEndsTheConnectionIfLarge() throws Exception {
        Server server = start(b -> b.route("POST", "/no", x -> x.respond(200, "text/plain", "a")));
        try (RawClient client = new RawClient(server.port())) {
            client.send("POST /no" + HOST + "Content-Length: 20000\r\n\r\n");
            assertThat(client.reply().header("Connection")).isEmpty();
            client.send(new byte[20_000]);
            assertThat(client.send("POST /no" + HOST + "\r\n").reply().text()).isEqualTo("a");
            client.send("POST /no" + HOST + "Content-Length: 15000000\r\n\r\n");
            assertThat(client.reply().header("Connection")).contains("close");
        }
    }

    @Test
    void head_thatComesTooSlowly_is408() throws Exception {
        Server server = start(b -> b.headTimeout(Duration.ofMillis(300)));
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET / HT");
            assertThat(client.reply().status()).isEqualTo(408);
            assertThat(client.atEnd()).isTrue();
        }
    }

    @Test
    void connection_idle_isClosed() throws Exception {
        Server server = start(b -> b.idleTimeout(Duration.ofSeconds(2)));
        await("closed after its answer", () -> isAnsweredAndClosed(server));
        try (RawClient client = new RawClient(server.port())) {
            assertThat(client.atEnd()).isTrue();
        }
    }

    private static boolean isAnsweredAndClosed(Server server) throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            try {
                client.send("GET /" + HOST + "\r\n").reply();
            } catch (IOException idle) {
                // It was, from when it was accepted until it asked.
                return false;
            }
            assertThat(client.atEnd()).isTrue();
            return true;
        }
    }

    @Test
    void client_belowTheMinimumRate_isResetAndCounted() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        Server server =
                start(b ->
                        echo(b).minimumRate(100_000, Duration.ofMillis(500))
                                .get(
                                        "/endless",
                                        x -> {
                                            x.onDisconnect(told::countDown);
                                            Bodies.endless(x.body("x/y"));
                                        }));
        try (RawClient client = new RawClient(server.port(), 4096)) {
            client.send("GET /endless" + HOST + "\r\n");
            assertThat(told.await(60, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(client::reply).isInstanceOf(IOException.class);
        }
        assertThat(server.slowClients()).isEqualTo(1);
        try (RawClient client = new RawClient(server.port())) {
            client.send("POST /echo" + HOST + "Content-Length: 5\r\n\r\nhe");
            assertThatThrownBy(client::reply).isInstanceOf(IOException.class);
        }
        assertThat(server.slowClients()).isEqualTo(2);
    }

    @Test
    void client_thatHalfCloses_getsItsResponse() throws Exception {
        Server server = start(b -> b.get("/", x -> x.respond(200, "x/y", new byte[3_000_000])));
        // Often, because it depends on when the end of input is seen.
        for (int i = 0; i < 30; i++) {
            beforeItIsTakenForGone(
                    server,
                    client -> {
                        client.send("GET /" + HOST + "\r\n").shutdownOutput();
                        assertThat(client.reply().body()).hasSize(3_000_000);
                        assertThat(client.atEnd()).isTrue();
                    });
        }
    }

    private interface Conversation {
        void with(RawClient client) throws Exception;
    }

    /** Anew where the server was so slow that it took the client for gone, half a second after the end of its input. */
    private static void beforeItIsTakenForGone(Server server, Conversation conversation)
            throws Exception {
        while (true) {
            long started = System.nanoTime();
            try (RawClient client = new RawClient(server.port())) {
                conversation.with(client);
                return;
            } catch (IOException e) {
                if (System.nanoTime() - started < TimeUnit.MILLISECONDS.toNanos(500)) {
                    throw e;
                }
            }
        }
    }

    @Test
    void requests_pipelinedBeforeTheClientHalfCloses_areAllAnswered() throws Exception {
        Handler hi = x -> x.respond(200, "text/plain", "hi");
        Server server =
                start(b ->
                        b.get("/thread", hi)
                                .get("/loop", Handler.nonBlocking(hi))
                                .route("POST", "/thread", hi));
        String get = "GET /loop" + HOST + "\r\n";
        String post = "POST /thread" + HOST + "Content-Length: 3\r\n\r\nabc";
        // Often, because it depends on when the end of input is seen.
        for (int i = 0; i < 30; i++) {
            beforeItIsTakenForGone(
                    server,
                    client -> {
                        client.send("GET /thread" + HOST + "\r\n" + get + get + post + get + post)
                                .shutdownOutput();
                        for (int j = 0; j < 6; j++) {
                            assertThat(client.reply().text()).isEqualTo("hi");
                        }
                        assertThat(client.atEnd()).isTrue();
                    });
        }
    }

    @Test
    void connections_beyondTheLimit_waitToBeAccepted() throws Exception {
        Server server =
                start(b ->
                        b.maxConnections(2)
                                .get("/", x -> x.respond(200, "text/plain", "hi"))
                                .get("/wait", x -> x.suspend(Duration.ofMinutes(5))));
        // Those that wait for a response are not idle, of which a full server keeps none for long.
        String wait = "GET /wait" + HOST + "\r\n";
        try (RawClient first = new RawClient(server.port()).send(wait);
                RawClient second = new RawClient(server.port()).send(wait)) {
            await("both wait", () -> server.waiting() == 2);
            try (RawClient third = new RawClient(server.port())) {
                third.send("GET /" + HOST + "\r\n");
                third.socket().setSoTimeout(300);
                assertThatThrownBy(third::reply).hasMessageContaining("timed out");
                first.abort();
                third.socket().setSoTimeout(60_000);
                assertThat(third.reply().text()).isEqualTo("hi");
            }
            second.abort();
        }
    }

    @Test
    void header_thatWouldSplitTheResponse_isRefused() throws Exception {
        Server server =
                start(b -> b.get("/", x -> x.header("X", "a\r\nY: b").respond(200, "a/b", "")));
        try (RawClient client = new RawClient(server.port())) {
            Reply reply = client.send("GET /" + HOST + "\r\n").reply();
            assertThat(reply.status()).isEqualTo(500);
            assertThat(reply.header("Y")).isEmpty();
        }
    }

    @Test
    void requests_behindABodyThatNobodyReads_areAnsweredOneByOne() throws Exception {
        CountDownLatch fastBegun = new CountDownLatch(1);
        AtomicBoolean overlapped = new AtomicBoolean();
        Server server =
                start(b ->
                        b.get(
                                        "/slow",
                                        x -> {
                                            overlapped.set(
                                                    fastBegun.await(300, TimeUnit.MILLISECONDS));
                                            x.respond(200, "text/plain", "slow");
                                        })
                                .get(
                                        "/fast",
                                        x -> {
                                            fastBegun.countDown();
                                            x.respond(200, "text/plain", "fast");
                                        }));
        try (RawClient client = new RawClient(server.port())) {
            client.send(
                    "POST /none"
                            + HOST
                            + "Content-Length: 5\r\n\r\nhelloGET /slow"
                            + HOST
                            + "\r\nGET /fast"
                            + HOST
                            + "\r\n");
            assertThat(client.reply().status()).isEqualTo(404);
            assertThat(client.reply().text()).isEqualTo("slow");
            assertThat(client.reply().text()).isEqualTo("fast");
        }
        assertThat(overlapped).isFalse();
    }

    @Test
    void end_afterAllWasFlushed_letsTheNextRequestBeAnswered() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        Server server =
                start(b ->
                        b.get(
                                        "/",
                                        x -> {
                                            ResponseBody body =
                                                    x.header("Content-Length", "3")
                                                            .body("text/plain");
                                            body.write(
                                                    ByteBuffer.wrap(
                                                            "abc"
                                                                    .getBytes(
                                                                            StandardCharsets
                                                                                    .US_ASCII)));
                                            body.flush();
                                            arrived.await();
                                        })
                                .get("/next", x -> x.respond(200, "text/plain", "next")));
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET /" + HOST + "\r\n");
            assertThat(client.reply().text()).isEqualTo("abc");
            arrived.countDown();
            client.send("GET /next" + HOST + "\r\n");
            assertThat(client.reply().text()).isEqualTo("next");
        }
    }
}
