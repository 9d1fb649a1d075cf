package dev.penstock.http.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.FinishedRequest;
import dev.penstock.http.http2.FrameClient;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** WebSockets on streams of HTTP/2 (RFC 8441). */
@Timeout(60)
final class WebSocketHttp2IT extends ServerFixture {
    private static final WebSocket.Options DEFAULT = WebSocket.Options.DEFAULT;
    private static final String[] CONNECT = {
        ":protocol", "websocket", "sec-websocket-version", "13"
    };

    private Server serve(WebSocket.Options options, WebSocket.Listener listener) {
        return start(b ->
                b.get("/", x -> WebSocket.open(x, options, listener))
                        .get("/page", x -> x.respond(200, "text/plain", "a page")));
    }

    private static FrameClient connect(Server server) throws IOException {
        return FrameClient.withReceiveBuffer(1 << 18, server.port());
    }

    @Test
    void sockets_severalBesideRequests_areEachAStream() throws Exception {
        EchoListener echo = new EchoListener();
        Server server = serve(DEFAULT.withSubprotocols("b", "a"), echo);
        try (FrameClient client = connect(server)) {
            RawWebSocket first = new RawWebSocket(client, "sec-websocket-protocol", "a, b");
            RawWebSocket second = new RawWebSocket(client);
            assertThat(client.announces(8)).isEqualTo(1);
            assertThat(first.send(0x81, "grüße 🙂").next().text()).isEqualTo("grüße 🙂");
            int page = client.request("GET", "/page", true);
            assertThat(second.send(0x82, "two").next().text()).isEqualTo("two");
            assertThat(new String(client.body(page).readAllBytes(), UTF_8)).isEqualTo("a page");
            first.send(0x01, "in ");
            assertThat(second.send(0x89, "ping").next().first()).isEqualTo(0x8a);
            assertThat(first.send(0x80, "parts").next().text()).isEqualTo("in parts");
            await("suspended", () -> server.waiting() == 2);
            assertThat(first.close(1000).next().code()).isEqualTo(1000);
            assertThat(first.atEnd()).isTrue();
            assertThat(second.send(0x81, "still").next().text()).isEqualTo("still");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 125, 126, 16_383, 16_384, 32_001, 65_535, 65_536, 200_000})
    void message_ofAnySize_isEchoed(int size) throws Exception {
        Server server = serve(DEFAULT.withMaxMessageBytes(1 << 20), new EchoListener());
        byte[] payload = new byte[size];
        Arrays.fill(payload, (byte) '*');
        try (FrameClient client = connect(server);
                RawWebSocket socket = new RawWebSocket(client)) {
            for (int opcode : new int[] {1, 2}) {
                socket.send(0x80 | opcode, payload);
                assertThat(DeflateClient.receive(socket, opcode)).isEqualTo(payload);
            }
        }
    }

    // What is asked for.

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    /      | websocket   | 13 | http://x         | 200
                    /      | websocket   | 13 | http://elsewhere | 403
                    /      | websocket   | 12 | http://x         | 426
                    /      | connect-udp | 13 | http://x         | 501
                    /page  | websocket   | 13 | http://x         | 501
                    /where | websocket   | 13 | http://x         | 404
                    """)
    void connect_ofAnyKind_isAnsweredRightly(
            String path, String protocol, String version, String origin, int status)
            throws Exception {
        Server server = serve(DEFAULT, new EchoListener());
        try (FrameClient client = connect(server)) {
            int stream =
                    client.request(
                            "CONNECT",
                            path,
                            false,
                            ":protocol",
                            protocol,
                            "sec-websocket-version",
                            version,
                            "origin",
                            origin);
            assertThat(client.head(stream).status()).isEqualTo(status);
            // What is sent on to one that was refused is dropped.
            client.dataWithinWindow(stream, new byte[50_000]);
            int next = client.request("GET", "/page", true);
            assertThat(new String(client.body(next).readAllBytes(), UTF_8)).isEqualTo("a page");
            client.cancel(stream);
        }
    }

    @Test
    void get_ofAWebSocket_is501AndSaysHow() throws Exception {
        Server server = serve(DEFAULT, new EchoListener());
        try (FrameClient client = connect(server)) {
            int stream = client.request("GET", "/", true);
            assertThat(client.head(stream).status()).isEqualTo(501);
            assertThat(new String(client.body(stream).readAllBytes(), UTF_8))
                    .contains(":protocol = websocket");
        }
    }

    @Test
    void response_ofFiltersToo_hasTheirHeaders() throws Exception {
        Server server =
                start(b ->
                        b.after((exchange, status) -> exchange.header("X-Status", "" + status))
                                .before(exchange -> exchange.addHeader("Set-Cookie", "a=1"))
                                .get("/", x -> WebSocket.open(x, new EchoListener())));
        try (FrameClient client = connect(server)) {
            int stream = client.request("CONNECT", "/", false, CONNECT);
            FrameClient.Reply reply = client.head(stream);
            assertThat(reply.header("x-status")).isEqualTo("200");
            assertThat(reply.header("set-cookie")).isEqualTo("a=1");
            assertThat(reply.header("sec-websocket-accept")).isEmpty();
            assertThat(reply.header("content-length")).isEmpty();
            client.cancel(stream);
        }
    }

    @Test
    void frames_sentBeforeTheAnswer_areTaken() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Server server =
                start(b ->
                        b.get(
                                "/",
                                x -> {
                                    go.await();
                                    WebSocket.open(x, new EchoListener());
                                }));
        try (FrameClient client = connect(server)) {
            int stream = client.request("CONNECT", "/", false, CONNECT);
            byte[] frame = RawWebSocket.frame(0x81, "early".getBytes(UTF_8));
            client.data(stream, false, frame);
            go.countDown();
            assertThat(client.head(stream).status()).isEqualTo(200);
            assertThat(client.body(stream).readNBytes(7)).endsWith("early".getBytes(UTF_8));
            client.cancel(stream);
        }
    }

    // How it ends.

    @Test
    void stream_thatIsReset_isAClientThatHasGone() throws Exception {
        EchoListener echo = new EchoListener();
        BlockingQueue<FinishedRequest> finished = new LinkedBlockingQueue<>();
        Server server =
                start(b ->
                        b.onFinished(finished::add)
                                .get("/", x -> WebSocket.open(x, DEFAULT, echo)));
        try (FrameClient client = connect(server)) {
            RawWebSocket socket = new RawWebSocket(client);
            assertThat(echo.next()).isEqualTo("opened");
            socket.close();
            assertThat(echo.next()).isEqualTo("closed 1006 ");
            assertThat(finished.take().status()).isEqualTo(200);
            await("the wait", () -> server.waiting() == 0);
            assertThat(new RawWebSocket(client).send(0x81, "x").next().text()).isEqualTo("x");
        }
    }

    @Test
    void end_ofTheClientsSide_endsBoth() throws Exception {
        EchoListener echo = new EchoListener();
        BlockingQueue<FinishedRequest> finished = new LinkedBlockingQueue<>();
        Server server =
                start(b ->
                        b.onFinished(finished::add)
                                .get("/", x -> WebSocket.open(x, DEFAULT, echo)));
        try (FrameClient client = connect(server)) {
            int silent = client.request("CONNECT", "/", false, CONNECT);
            assertThat(client.head(silent).status()).isEqualTo(200);
            client.data(silent, true);
            assertThat(client.body(silent).read()).isNegative();
            assertThat(echo.next()).isEqualTo("opened");
            assertThat(echo.next()).isEqualTo("closed 1006 ");
            assertThat(finished.take().ending()).isNotEqualTo(FinishedRequest.Ending.COMPLETE);
            int polite = client.request("CONNECT", "/", false, CONNECT);
            assertThat(client.head(polite).status()).isEqualTo(200);
            // With its last word, which is answered all the same.
            client.data(polite, true, RawWebSocket.frame(0x88, new byte[] {3, (byte) 0xe8}));
            assertThat(client.body(polite).readAllBytes())
                    .isEqualTo(new byte[] {(byte) 0x88, 2, 3, (byte) 0xe8});
            assertThat(echo.next()).isEqualTo("opened");
            assertThat(echo.next()).isEqualTo("closed 1000 ");
            assertThat(finished.take().ending()).isEqualTo(FinishedRequest.Ending.COMPLETE);
        }
    }

    @Test
    void close_byTheServer_waitsForTheClientsAnswer() throws Exception {
        EchoListener echo =
                new EchoListener() {
                    @Override
                    public void text(WebSocket socket, String text, boolean last) throws Exception {
                        socket.send("last words");
                        socket.close(4001, "bye");
                    }
                };
        Server server = serve(DEFAULT, echo);
        try (FrameClient client = connect(server)) {
            RawWebSocket socket = new RawWebSocket(client);
            assertThat(socket.send(0x81, "x").next().text()).isEqualTo("last words");
            assertThat(socket.next().code()).isEqualTo(4001);
            socket.send(0x81, "ignored").close(4001);
            assertThat(socket.atEnd()).isTrue();
            socket.close();
        }
        assertThat(echo.next()).isEqualTo("opened");
        assertThat(echo.next()).isEqualTo("closed 4001 bye");
    }

    @Test
    void client_thatAnswersNoPing_hasItsStreamReset() throws Exception {
        EchoListener echo = new EchoListener();
        Server server = serve(DEFAULT.withPingEvery(Duration.ofMillis(100)), echo);
        try (FrameClient client = connect(server)) {
            int stream = client.request("CONNECT", "/", false, CONNECT);
            assertThat(client.head(stream).status()).isEqualTo(200);
            assertThat(client.body(stream).readNBytes(2)).isEqualTo(new byte[] {(byte) 0x89, 0});
            assertThat(client.broken(stream)).isEqualTo(8);
            assertThat(echo.next()).isEqualTo("opened");
            assertThat(echo.next()).isEqualTo("closed 1006 ");
            // The connection goes on.
            int page = client.request("GET", "/page", true);
            assertThat(client.head(page).status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({"1002, 82024142", "1002, c180", "1007, 8181c3", "1009, 82ff0000000000010001"})
    void bytes_thatBreakTheProtocol_closeWithTheRightCode(int code, String bytes) throws Exception {
        EchoListener echo = new EchoListener();
        Server server = serve(DEFAULT, echo);
        try (FrameClient client = connect(server)) {
            RawWebSocket socket = new RawWebSocket(client);
            socket.send(0x81, "valid").sendRaw(masked(bytes));
            assertThat(socket.next().text()).isEqualTo("valid");
            assertThat(socket.next().code()).isEqualTo(code);
            assertThat(socket.atEnd()).isTrue();
            // What still comes is dropped.
            socket.sendBytes(new byte[100_000]);
            socket.close();
        }
        assertThat(echo.next()).isEqualTo("opened");
        assertThat(echo.next()).startsWith("closed " + code);
    }

    /** With a mask of zeros behind the length, where there is one. */
    private static String masked(String bytes) {
        return switch (bytes) {
            case "c180", "82ff0000000000010001" -> bytes + "00000000";
            case "8181c3" -> "818100000000c3";
            default -> bytes;
        };
    }

    @Test
    void stop_withOpenSockets_closesThemWith1001() throws Exception {
        EchoListener echo = new EchoListener();
        Server server = serve(DEFAULT, echo);
        try (FrameClient client = connect(server)) {
            RawWebSocket socket = new RawWebSocket(client);
            assertThat(echo.next()).isEqualTo("opened");
            Thread stop = Thread.startVirtualThread(server::close);
            assertThat(socket.next().code()).isEqualTo(1001);
            socket.close(1001);
            assertThat(socket.atEnd()).isTrue();
            socket.close();
            stop.join();
        }
        assertThat(echo.next()).isEqualTo("closed 1001 The server is stopping");
    }

    // Who is slow.

    @Test
    void client_thatGivesNoRoom_makesTheListenerWait() throws Exception {
        AtomicLong sent = new AtomicLong();
        Server server =
                serve(
                        DEFAULT,
                        new WebSocket.Listener() {
                            @Override
                            public void opened(WebSocket socket) throws Exception {
                                for (int i = 0; i < 50; i++) {
                                    socket.send(ByteBuffer.allocate(20_000));
                                    sent.addAndGet(20_000);
                                }
                                socket.close();
                            }
                        });
        try (FrameClient client = connect(server).withoutRoom()) {
            int stream = client.request("CONNECT", "/", false, CONNECT);
            assertThat(client.head(stream).status()).isEqualTo(200);
            long window = 65_535;
            assertThat(client.body(stream).readNBytes((int) window)).hasSize((int) window);
            // Its window is used up, and what may be on its way is there.
            await("it waits", () -> sent.get() >= window);
            assertThat(sent.get()).isLessThan(window + 64 * 1024 + 20_000);
            // Others have room.
            int page = client.request("GET", "/page", true);
            client.room(0, 1_000_000);
            assertThat(client.head(page).status()).isEqualTo(200);
            client.room(stream, 1_000_000);
            int rest = 50 * 20_004 + 4 - (int) window;
            assertThat(client.body(stream).readNBytes(rest)).hasSize(rest);
            client.cancel(stream);
        }
    }

    @Test
    void listener_thatIsSlow_leavesTheClientWithoutRoom() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicLong received = new AtomicLong();
        Server server =
                serve(
                        DEFAULT,
                        new WebSocket.Listener() {
                            @Override
                            public void binary(WebSocket socket, ByteBuffer bytes, boolean last)
                                    throws Exception {
                                go.await();
                                received.addAndGet(bytes.remaining());
                                if (received.get() == 2_000_000) {
                                    socket.send("all");
                                }
                            }
                        });
        try (FrameClient client = connect(server)) {
            RawWebSocket socket = new RawWebSocket(client);
            // It blocks when there is no room, until the server gives some.
            Thread opener =
                    Thread.startVirtualThread(() -> {
                        try {
                            await("bytes wait", () -> context(server).unreadBodies().bytes() > 0);
                        } catch (Exception failure) {
                            throw new IllegalStateException(failure);
                        } finally {
                            go.countDown();
                        }
                    });
            for (int i = 0; i < 100; i++) {
                socket.send(0x82, new byte[20_000]);
            }
            assertThat(socket.next().text()).isEqualTo("all");
            opener.join();
            socket.close();
        }
    }
}
