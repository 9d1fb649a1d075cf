package dev.penstock.http.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.message.Syntax;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** WebSockets, as a client sees them, and a listener. */
@Timeout(60)
final class WebSocketIT extends ServerFixture {
    private static final WebSocket.Options DEFAULT = WebSocket.Options.DEFAULT;

    private Server serve(WebSocket.Options options, WebSocket.Listener listener) {
        return start(b -> b.get("/", x -> WebSocket.open(x, options, listener)));
    }

    /** The messages that the JDK's client was told. */
    private static final class JdkClient implements java.net.http.WebSocket.Listener {
        final StringBuilder text = new StringBuilder();
        final BlockingQueue<Object> messages = new LinkedBlockingQueue<>();
        final CompletableFuture<Integer> closed = new CompletableFuture<>();

        @Override
        public @Nullable CompletionStage<?> onText(
                java.net.http.WebSocket socket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                messages.add(text.toString());
                text.setLength(0);
            }
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onBinary(
                java.net.http.WebSocket socket, ByteBuffer data, boolean last) {
            byte[] bytes = new byte[data.remaining()];
            data.get(bytes);
            messages.add(bytes.length + (last ? " last" : " more"));
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(
                java.net.http.WebSocket socket, int code, String reason) {
            closed.complete(code);
            return null;
        }
    }

    @Test
    void messages_ofTheJdksClient_areEchoed() throws Exception {
        EchoListener echo = new EchoListener();
        Server server =
                serve(DEFAULT.withMaxMessageBytes(1_000_000).withSubprotocols("b", "a"), echo);
        JdkClient told = new JdkClient();
        try (HttpClient client = HttpClient.newHttpClient()) {
            java.net.http.WebSocket socket =
                    client.newWebSocketBuilder()
                            .subprotocols("a", "b")
                            .buildAsync(URI.create("ws://127.0.0.1:" + server.port() + "/"), told)
                            .get();
            assertThat(socket.getSubprotocol()).isEqualTo("b");
            assertThat(echo.next()).isEqualTo("opened");
            await("suspended", () -> server.waiting() == 1);
            socket.sendText("grüße 🙂", true).get();
            assertThat(told.messages.take()).isEqualTo("grüße 🙂");
            socket.sendText("one, ", false).get();
            socket.sendPing(UTF_8.encode("ping")).get();
            socket.sendText("two", true).get();
            assertThat(told.messages.take()).isEqualTo("one, two");
            socket.sendText("", true).get();
            assertThat(told.messages.take()).isEqualTo("");
            String large = "0123456789".repeat(50_000);
            socket.sendText(large, true).get();
            assertThat(told.messages.take()).isEqualTo(large);
            socket.sendBinary(ByteBuffer.wrap(new byte[77]), true).get();
            assertThat(told.messages.take()).isEqualTo("77 last");
            socket.sendClose(4000, "enough").get();
            assertThat(told.closed.get()).isEqualTo(4000);
        }
        assertThat(echo.next()).isEqualTo("closed 4000 enough");
        await("the wait", () -> server.waiting() == 0);
        assertThat(echo.told).isEmpty();
    }

    // How it is opened.

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    GET    | Upgrade: websocket                |                                | 426
                    GET    | Connection: keep-alive, Upgrade   |                                | 426
                    GET    | Upgrade: websocket                | Upgrade: h2c                   | 426
                    GET    | Sec-WebSocket-Version: 13         |                                | 400
                    GET    | Sec-WebSocket-Version: 13         | Sec-WebSocket-Version: 8       | 426
                    GET    | Sec-WebSocket-Version: 13         | Sec-WebSocket-Version: 13, 8   | 426
                    GET    | Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ== |                      | 400
                    GET    | dGhlIHNhbXBsZSBub25jZQ==          | short                          | 400
                    GET    | dGhlIHNhbXBsZSBub25jZQ==          | dGhlIHNhbXBsZSBub25jZQ!!       | 400
                    GET    | Host: x                           | Host: x\\nContent-Length: 1    | 400
                    GET    | Host: x                           | Host: x\\nOrigin: http://y     | 403
                    GET    | Host: x                           | Host: x\\nOrigin: null         | 403
                    GET    | Host: x                           | Host: x\\nOrigin: http://x.y   | 403
                    GET    | Host: x                           | Host: x\\nOrigin: http://x:81  | 403
                    GET    | Host: x                           | Host: x\\nOrigin: http://x     | 101
                    GET    | Host: x                           | Host: x\\nOrigin: https://X    | 101
                    GET    | Host: x                           | Host: x:81\\nOrigin: http://x:81 | 101
                    GET    | Host: x                           | Host: x\\nOrigin: https://ok.example | 101
                    GET    | keep-alive, Upgrade               | upgrade                        | 101
                    POST   | Host: x                           | Host: x                        | 405
                    """)
    void handshake_anyOf_isAnsweredRightly(String method, String what, String instead, int status)
            throws Exception {
        Server server = serve(DEFAULT.withOrigins("https://ok.example"), new EchoListener());
        String with = instead == null ? "" : instead.replace("\\n", "\r\n");
        String head = RawWebSocket.HEAD.replace(what, with).replace("\r\n\r\n", "\r\n");
        head = head.startsWith("\r\n") ? head.substring(2) : head;
        try (RawClient client = new RawClient(server.port())) {
            Reply reply = client.send(method + " / HTTP/1.1\r\n" + head + "\r\n").head();
            assertThat(reply.status()).isEqualTo(status);
            if (status == 426) {
                assertThat(reply.header("Upgrade")).contains("websocket");
                assertThat(reply.header("Connection").orElseThrow()).contains("upgrade");
            }
            if (status == 426 && with.contains("Version")) {
                assertThat(reply.header("Sec-WebSocket-Version")).contains("13");
            }
        }
    }

    @Test
    void handshake_byHttp10_isRefused() throws Exception {
        Server server = serve(DEFAULT, new EchoListener());
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET / HTTP/1.0\r\n" + RawWebSocket.HEAD + "\r\n");
            Reply reply = client.reply();
            assertThat(reply.status()).isEqualTo(501);
            assertThat(reply.text()).contains("HTTP/1.1");
        }
    }

    @Test
    void handshake_beyondTheWaits_is503() throws Exception {
        Server server =
                start(b ->
                        b.maxSuspended(1, Duration.ofMinutes(1))
                                .get("/", x -> WebSocket.open(x, new EchoListener())));
        try (RawWebSocket first = new RawWebSocket(server.port());
                HttpClient client = HttpClient.newHttpClient()) {
            assertThatThrownBy(() ->
                            client.newWebSocketBuilder()
                                    .buildAsync(
                                            URI.create("ws://127.0.0.1:" + server.port() + "/"),
                                            new JdkClient())
                                    .join())
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            WebSocketHandshakeException.class,
                            refused ->
                                    assertThat(refused.getResponse().statusCode()).isEqualTo(503));
            assertThat(first.send(0x81, "still").next().text()).isEqualTo("still");
        }
    }

    @Test
    void frames_sentWithTheHandshake_areTaken() throws Exception {
        Server server = serve(DEFAULT, new EchoListener());
        try (RawClient client = new RawClient(server.port())) {
            byte[] head = Syntax.ascii("GET / HTTP/1.1\r\n" + RawWebSocket.HEAD + "\r\n");
            byte[] frame = RawWebSocket.frame(0x81, Syntax.ascii("early"));
            byte[] both = Arrays.copyOf(head, head.length + frame.length);
            System.arraycopy(frame, 0, both, head.length, frame.length);
            client.send(both);
            assertThat(client.head().status()).isEqualTo(101);
            assertThat(client.input().readNBytes(7)).isEqualTo(Syntax.ascii("\u0081\5early"));
        }
    }

    // Frames, by the book.

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 125, 126, 127, 128, 65_535, 65_536, 200_000})
    void message_ofAnySize_isEchoed(int size) throws Exception {
        Server server = serve(DEFAULT.withMaxMessageBytes(1 << 20), new EchoListener());
        byte[] payload = new byte[size];
        Arrays.fill(payload, (byte) '*');
        try (RawWebSocket socket = new RawWebSocket(server.port())) {
            for (int opcode : new int[] {1, 2}) {
                socket.send(0x80 | opcode, payload);
                int received = 0;
                RawWebSocket.Frame frame = socket.next();
                assertThat(frame.first() & 0x0f).isEqualTo(opcode);
                while ((frame.first() & 0x80) == 0) {
                    received += frame.payload().length;
                    frame = socket.next();
                }
                assertThat(received + frame.payload().length).isEqualTo(size);
            }
        }
    }

    /**
     * What is sent, as bytes; then the code that the server closes with. All but those of RFC 6455's own examples are
     * violations.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    no mask                             | 81 02 41 42                       | 1002
                    first reserved bit                  | c1 82 00000000 41 42              | 1002
                    second reserved bit                 | a1 82 00000000 41 42              | 1002
                    third reserved bit                  | 91 82 00000000 41 42              | 1002
                    reserved opcode of data             | 83 82 00000000 41 42              | 1002
                    reserved opcode of data, last       | 87 80 00000000                    | 1002
                    reserved opcode of control          | 8b 80 00000000                    | 1002
                    reserved opcode of control, last    | 8f 80 00000000                    | 1002
                    ping in fragments                   | 09 80 00000000                    | 1002
                    pong in fragments                   | 0a 80 00000000                    | 1002
                    close in fragments                  | 08 80 00000000                    | 1002
                    ping of 126 bytes                   | 89 fe 007e 00000000               | 1002
                    close of 126 bytes                  | 88 fe 007e 00000000               | 1002
                    length in more bytes than needed    | 81 fe 0002 00000000 41 42         | 1002
                    length in far more bytes            | 81 ff 0000000000000002 00000000   | 1002
                    continuation of nothing             | 80 82 00000000 41 42              | 1002
                    continuation of nothing, not last   | 00 82 00000000 41 42              | 1002
                    text within a text                  | 01 81 00000000 41 81 81 00000000 42 | 1002
                    bytes within a text                 | 01 81 00000000 41 82 81 00000000 42 | 1002
                    close with one byte                 | 88 81 00000000 03                 | 1002
                    close with code 0                   | 88 82 00000000 0000               | 1002
                    close with code 999                 | 88 82 00000000 03e7               | 1002
                    close with code 1004                | 88 82 00000000 03ec               | 1002
                    close with code 1005                | 88 82 00000000 03ed               | 1002
                    close with code 1006                | 88 82 00000000 03ee               | 1002
                    close with code 1015                | 88 82 00000000 03f7               | 1002
                    close with code 1016                | 88 82 00000000 03f8               | 1002
                    close with code 2999                | 88 82 00000000 0bb7               | 1002
                    close with code 5000                | 88 82 00000000 1388               | 1002
                    close with code 65535               | 88 82 00000000 ffff               | 1002
                    close with a reason not UTF-8       | 88 84 00000000 03e8 c3 28         | 1007
                    close with nothing                  | 88 80 00000000                    | 1005
                    close with 1000                     | 88 82 00000000 03e8               | 1000
                    close with 1003                     | 88 82 00000000 03eb               | 1003
                    close with 1007                     | 88 82 00000000 03ef               | 1007
                    close with 1011                     | 88 82 00000000 03f3               | 1011
                    close with 3000                     | 88 82 00000000 0bb8               | 3000
                    close with 4999                     | 88 82 00000000 1387               | 4999
                    half a character                    | 81 81 00000000 c3                 | 1007
                    a lone continuation byte            | 81 81 00000000 80                 | 1007
                    an overlong slash                   | 81 82 00000000 c0 af              | 1007
                    an overlong NUL                     | 81 83 00000000 e0 80 80           | 1007
                    half of a surrogate pair            | 81 83 00000000 ed a0 80           | 1007
                    beyond Unicode                      | 81 84 00000000 f4 90 80 80        | 1007
                    five bytes                          | 81 85 00000000 f8 88 80 80 80     | 1007
                    fe                                  | 81 81 00000000 fe                 | 1007
                    bad in the first fragment           | 01 82 00000000 c3 28              | 1007
                    bad across fragments                | 01 81 00000000 c3 80 81 00000000 28 | 1007
                    half at the end of the fragments    | 01 81 00000000 41 80 81 00000000 c3 | 1007
                    larger than a message may be        | 81 ff 0000000000010001 00000000   | 1009
                    negative length                     | 81 ff ffffffffffffffff 00000000   | 1002
                    """)
    void bytes_sentByAClient_closeWithTheRightCode(String what, String bytes, int code)
            throws Exception {
        EchoListener echo = new EchoListener();
        Server server = serve(DEFAULT, echo);
        try (RawWebSocket socket = new RawWebSocket(server.port())) {
            socket.sendRaw(bytes);
            assertThat(socket.next().code()).as(what).isEqualTo(code);
            assertThat(socket.atEnd()).isTrue();
        }
        assertThat(echo.next()).isEqualTo("opened");
        assertThat(echo.next()).startsWith("closed " + code);
        await("the end", () -> server.connections() == 0);
        assertThat(echo.told).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "κόσμε",
                "\u0000",
                "\u007f",
                "\u0080",
                "\u07ff",
                "\u0800",
                "\ud7ff",
                "\ue000",
                "\ufffd",
                "\uffff",
                "𐀀",
                "\udbff\udfff",
                "a𐀀ä€z"
            })
    void text_inFragmentsOfOneByte_isPutTogether(String text) throws Exception {
        Server server = serve(DEFAULT, new EchoListener());
        byte[] bytes = text.getBytes(UTF_8);
        try (RawWebSocket socket = new RawWebSocket(server.port())) {
            for (int i = 0; i < bytes.length; i++) {
                int first = (i == 0 ? 1 : 0) | (i == bytes.length - 1 ? 0x80 : 0);
                socket.send(first, new byte[] {bytes[i]});
                if (i < bytes.length - 1) {
                    assertThat(socket.send(0x89, "p" + i).next().text()).isEqualTo("p" + i);
                }
            }
            assertThat(socket.next().text()).isEqualTo(text);
        }
    }

    @Test
    void message_inFragmentsLargerThanItMayBe_closesWith1009() throws Exception {
        Server server = serve(DEFAULT.withMaxMessageBytes(1000), new EchoListener());
        try (RawWebSocket socket = new RawWebSocket(server.port())) {
            socket.send(0x01, new byte[600]).send(0x80, new byte[400]);
            assertThat(socket.next().payload()).hasSize(1000);
            socket.send(0x02, new byte[600]).send(0x00, new byte[401]);
            RawWebSocket.Frame close = socket.next();
            assertThat(close.code()).isEqualTo(1009);
            assertThat(close.text()).contains("larger than 1000 bytes");
            assertThat(socket.atEnd()).isTrue();
        }
    }

    @Test
    void message_inParts_isGivenAsItComes() throws Exception {
        BlockingQueue<String> parts = new LinkedBlockingQueue<>();
        Server server =
                serve(
                        DEFAULT.withParts().withMaxMessageBytes(1000),
                        new WebSocket.Listener() {
                            @Override
                            public void text(WebSocket socket, String text, boolean last) {
                                parts.add(text + last);
                            }

                            @Override
                            public void binary(WebSocket socket, ByteBuffer bytes, boolean last) {
                                parts.add(bytes.remaining() + "" + last);
                            }
                        });
        try (RawWebSocket socket = new RawWebSocket(server.port())) {
            socket.send(0x01, new byte[] {'a', (byte) 0xc3}).send(0x80, new byte[] {(byte) 0xa4});
            assertThat(parts.take()).isEqualTo("afalse");
            assertThat(parts.take()).isEqualTo("ätrue");
            for (int i = 0; i < 100; i++) {
                socket.send(i == 0 ? 2 : 0, new byte[1000]);
                assertThat(parts.take()).isEqualTo("1000false");
            }
            socket.send(0x80, new byte[0]);
            assertThat(parts.take()).isEqualTo("0true");
        }
    }

    @Test
    void listener_withoutMethodsForAKind_closesWith1003() throws Exception {
        Server server = serve(DEFAULT, new WebSocket.Listener() {});
        for (int opcode : new int[] {0x81, 0x82}) {
            try (RawWebSocket socket = new RawWebSocket(server.port())) {
                assertThat(socket.send(opcode, "x").next().code()).isEqualTo(1003);
                socket.close(1003);
                assertThat(socket.atEnd()).isTrue();
            }
        }
    }

    @Test
    void pings_manyAtOnce_areAnswered() throws Exception {
        Server server = serve(DEFAULT, new EchoListener());
        try (RawWebSocket socket = new RawWebSocket(server.port())) {
            for (int i = 0; i < 1000; i++) {
                socket.send(0x89, "payload " + i);
            }
            for (int i = 0; i < 1000; i++) {
                RawWebSocket.Frame pong = socket.next();
                assertThat(pong.first()).isEqualTo(0x8a);
                assertThat(pong.text()).isEqualTo("payload " + i);
            }
            // A pong that nobody asked for says nothing.
            assertThat(socket.send(0x8a, "x").send(0x81, "y").next().text()).isEqualTo("y");
        }
    }

    // How it ends.

    @Test
    void close_byTheServer_waitsForTheClientsAnswer() throws Exception {
        EchoListener echo =
                new EchoListener() {
                    @Override
                    public void text(WebSocket socket, String text, boolean last) throws Exception {
                        socket.send("last words");
                        socket.close(4001, "bye");
                        assertThat(socket.isOpen()).isFalse();
                        assertThat(socket.offer("x")).isFalse();
                        assertThatThrownBy(() -> socket.send("x")).isInstanceOf(IOException.class);
                        socket.close(4002, "twice");
                    }
                };
        Server server = serve(DEFAULT, echo);
        try (RawWebSocket socket = new RawWebSocket(server.port())) {
            assertThat(socket.send(0x81, "x").next().text()).isEqualTo("last words");
            RawWebSocket.Frame close = socket.next();
            assertThat(close.code()).isEqualTo(4001);
            socket.send(0x81, "ignored").close(4001);
            assertThat(socket.atEnd()).isTrue();
        }
        assertThat(echo.next()).isEqualTo("opened");
        assertThat(echo.next()).isEqualTo("closed 4001 bye");
    }

    @Test
    void client_thatLeavesWithoutAWord_isToldOnce() throws Exception {
        for (boolean abrupt : new boolean[] {false, true}) {
            EchoListener echo = new EchoListener();
            Server server = serve(DEFAULT, echo);
            RawWebSocket socket = new RawWebSocket(server.port());
            assertThat(echo.next()).isEqualTo("opened");
            if (abrupt) {
                socket.client().abort();
            } else {
                socket.close();
            }
            assertThat(echo.next()).isEqualTo("closed 1006 ");
            await("the wait", () -> server.waiting() == 0 && server.connections() == 0);
            assertThat(echo.told).isEmpty();
        }
    }

    @Test
    void listener_thatFails_closesWith1011AndHearsNothingMore() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        EchoListener echo =
                new EchoListener() {
                    @Override
                    public void text(WebSocket socket, String text, boolean last) {
                        calls.incrementAndGet();
                        throw new IllegalStateException("a test's failure");
                    }
                };
        Server server = serve(DEFAULT, echo);
        try (RawWebSocket socket = new RawWebSocket(server.port())) {
            socket.send(0x81, "one").send(0x81, "two");
            RawWebSocket.Frame close = socket.next();
            assertThat(close.code()).isEqualTo(1011);
            assertThat(close.text()).doesNotContain("test");
            socket.close(1011);
            assertThat(socket.atEnd()).isTrue();
        }
        assertThat(echo.next()).isEqualTo("opened");
        assertThat(echo.next()).startsWith("closed 1011");
        assertThat(calls.get()).isEqualTo(1);
    }

    @Test
    void stop_withOpenSockets_closesThemWith1001() throws Exception {
        EchoListener echo = new EchoListener();
        Server server = serve(DEFAULT, echo);
        try (RawWebSocket socket = new RawWebSocket(server.port())) {
            assertThat(echo.next()).isEqualTo("opened");
            Thread stop = Thread.startVirtualThread(server::close);
            assertThat(socket.next().code()).isEqualTo(1001);
            socket.close(1001);
            assertThat(socket.atEnd()).isTrue();
            stop.join();
        }
        assertThat(echo.next()).isEqualTo("closed 1001 The server is stopping");
    }

    @Test
    void client_thatAnswersNoPing_isThrownOut() throws Exception {
        EchoListener echo = new EchoListener();
        Server server = serve(DEFAULT.withPingEvery(Duration.ofMillis(100)), echo);
        try (RawWebSocket silent = new RawWebSocket(server.port())) {
            assertThat(silent.next().first()).isEqualTo(0x89);
            assertThat(silent.atEnd()).isTrue();
        }
        assertThat(echo.next()).isEqualTo("opened");
        assertThat(echo.next()).isEqualTo("closed 1006 ");
        // More than once, because on a busy machine this thread may be slower than two heartbeats.
        await("one that answers stays", () -> answersPings(server.port()));
    }

    private static boolean answersPings(int port) {
        try (RawWebSocket answering = new RawWebSocket(port)) {
            for (int i = 0; i < 5; i++) {
                assertThat(answering.next().first()).isEqualTo(0x89);
                answering.send(0x8a, "");
            }
            return true;
        } catch (IOException thrownOut) {
            return false;
        }
    }

    // Who is slow.

    @Test
    void offers_toASlowReader_areRefusedAndSendsWait() throws Exception {
        CompletableFuture<WebSocket> opened = new CompletableFuture<>();
        Server server =
                serve(
                        DEFAULT,
                        new WebSocket.Listener() {
                            @Override
                            public void opened(WebSocket socket) {
                                opened.complete(socket);
                            }
                        });
        try (RawWebSocket slow = new RawWebSocket(server.port(), 32 * 1024)) {
            WebSocket socket = opened.get();
            String block = "x".repeat(10_000);
            int taken = 0;
            for (int refused = 0; refused < 100; ) {
                if (socket.offer(block)) {
                    taken++;
                    refused = 0;
                } else {
                    refused++;
                    LockSupport.parkNanos(1_000_000);
                }
            }
            AtomicInteger sent = new AtomicInteger();
            List<Thread> senders = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                senders.add(
                        Thread.startVirtualThread(() -> {
                            try {
                                for (int n = 0; n < 20; n++) {
                                    socket.send("y".repeat(100_000));
                                    sent.incrementAndGet();
                                }
                            } catch (IOException failure) {
                                throw new IllegalStateException(failure);
                            }
                        }));
            }
            long letters = 0;
            int messages = 0;
            while (messages < taken + 80) {
                RawWebSocket.Frame frame = slow.next();
                letters += frame.payload().length;
                messages += (frame.first() & 0x80) == 0 ? 0 : 1;
            }
            assertThat(letters).isEqualTo(taken * 10_000L + 80 * 100_000L);
            for (Thread sender : senders) {
                sender.join();
            }
            assertThat(sent.get()).isEqualTo(80);
        }
    }

    @Test
    void client_thatSendsFasterThanTheListenerTakes_isHeldBack() throws Exception {
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
                            }
                        });
        AtomicLong sent = new AtomicLong();
        // At its most careful it notes each access to a buffer.
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE);
        try (RawWebSocket socket = new RawWebSocket(server.port())) {
            Thread sender =
                    Thread.startVirtualThread(() -> {
                        try {
                            for (int i = 0; i < 2000; i++) {
                                socket.send(0x82, new byte[20_000]);
                                sent.addAndGet(20_000);
                            }
                        } catch (IOException failure) {
                            throw new IllegalStateException(failure);
                        }
                    });
            long before = -1;
            while (sent.get() != before || before == 0) {
                before = sent.get();
                LockSupport.parkNanos(100_000_000);
            }
            assertThat(before).isLessThan(20_000_000);
            go.countDown();
            sender.join();
            await("all", () -> received.get() == 40_000_000);
        } finally {
            ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        }
    }

    @Test
    void sockets_fiveHundredOpen_holdNoThread() throws Exception {
        BlockingQueue<WebSocket> opened = new LinkedBlockingQueue<>();
        Server server =
                serve(
                        DEFAULT,
                        new WebSocket.Listener() {
                            @Override
                            public void opened(WebSocket socket) {
                                opened.add(socket);
                            }
                        });
        List<RawWebSocket> clients = new ArrayList<>();
        try {
            int threads = Thread.getAllStackTraces().size();
            for (int i = 0; i < 500; i++) {
                clients.add(new RawWebSocket(server.port()));
            }
            await("opened", () -> opened.size() == 500 && server.running() == 0);
            await("suspended", () -> server.waiting() == 500);
            // Those that carry virtual threads may have come meanwhile.
            int carriers = Runtime.getRuntime().availableProcessors();
            assertThat(Thread.getAllStackTraces().size()).isLessThan(threads + 10 + carriers);
            opened.forEach(socket -> assertThat(socket.offer("all")).isTrue());
            for (RawWebSocket client : clients) {
                assertThat(client.next().text()).isEqualTo("all");
            }
        } finally {
            for (RawWebSocket client : clients) {
                client.close();
            }
        }
        await("closed", () -> server.waiting() == 0);
    }

    /** Whatever comes: no exception gets out, the listener hears the end once, and nothing leaks. */
    @Test
    void frames_ofAnyBytes_endWell() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        AtomicInteger opened = new AtomicInteger();
        AtomicInteger closed = new AtomicInteger();
        Server server =
                serve(
                        DEFAULT.withMaxMessageBytes(2000),
                        new EchoListener() {
                            @Override
                            public void opened(WebSocket socket) {
                                opened.incrementAndGet();
                            }

                            @Override
                            public void closed(WebSocket socket, int code, String reason) {
                                closed.incrementAndGet();
                            }
                        });
        for (int i = 0; i < 300; i++) {
            try (RawWebSocket socket = new RawWebSocket(server.port())) {
                for (int n = random.nextInt(6); n >= 0; n--) {
                    socket.client().send(some(random));
                }
                if (random.nextBoolean()) {
                    socket.client().abort();
                }
            } catch (IOException _) {
                // Broken off, as it may be.
            }
        }
        await("seed " + seed, () -> server.connections() == 0);
        await("seed " + seed, () -> closed.get() == 300);
        assertThat(opened.get()).as("seed %d", seed).isEqualTo(300);
        assertThat(server.waiting()).isZero();
    }

    private static byte[] some(Random random) {
        byte[] payload = new byte[random.nextInt(random.nextInt(10) == 0 ? 3000 : 130)];
        random.nextBytes(payload);
        int[] firsts = {0x81, 0x82, 0x01, 0x02, 0x00, 0x80, 0x89, 0x8a, 0x88};
        byte[] frame =
                RawWebSocket.frame(
                        random.nextInt(4) == 0
                                ? random.nextInt(256)
                                : firsts[random.nextInt(firsts.length)],
                        payload);
        for (int n = random.nextInt(3); n > 0; n--) {
            frame[random.nextInt(frame.length)] = (byte) random.nextInt(256);
        }
        return Arrays.copyOf(
                frame, random.nextInt(3) == 0 ? random.nextInt(frame.length) : frame.length);
    }

    @Test
    void frame_thatComesSlowerThanTheHeartbeats_isNoSilence() throws Exception {
        EchoListener echo = new EchoListener();
        Server server = serve(DEFAULT.withPingEvery(Duration.ofMillis(100)), echo);
        // More than once, because on a busy machine this thread may be slower than two heartbeats.
        await("it is heard", () -> isHeard("slow but there", server.port()));
    }

    private static boolean isHeard(String slow, int port) {
        try (RawWebSocket client = new RawWebSocket(port)) {
            for (byte each : RawWebSocket.frame(0x81, slow.getBytes(UTF_8))) {
                client.client().send(new byte[] {each});
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(30));
            }
            return client.next().text().equals(slow);
        } catch (IOException thrownOut) {
            return false;
        }
    }

    @Test
    void messages_thousandsAtOnceToASlowListener_comeAllAlsoIfTheClientSaysNothingMore()
            throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger messages = new AtomicInteger();
        CompletableFuture<Integer> closed = new CompletableFuture<>();
        WebSocket.Listener slow =
                new WebSocket.Listener() {
                    @Override
                    public void text(WebSocket socket, String text, boolean last) throws Exception {
                        go.await();
                        messages.incrementAndGet();
                    }

                    @Override
                    public void closed(WebSocket socket, int code, String reason) {
                        closed.complete(code);
                    }
                };
        Server server = serve(DEFAULT, slow);
        int count = 4000;
        try (RawWebSocket client = new RawWebSocket(server.port())) {
            java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
            for (int i = 0; i < count; i++) {
                all.writeBytes(RawWebSocket.frame(0x81, new byte[] {'a'}));
            }
            all.writeBytes(RawWebSocket.frame(0x88, new byte[] {3, (byte) 0xe8}));
            client.client().send(all.toByteArray()).shutdownOutput();
            go.countDown();
            assertThat(closed.get(15, TimeUnit.SECONDS)).isEqualTo(1000);
            assertThat(messages).hasValue(count);
        }
    }
}
