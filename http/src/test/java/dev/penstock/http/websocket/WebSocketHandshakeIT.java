package dev.penstock.http.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.message.Syntax;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The handshakes of WebSockets, of clients that speak it well and of others. */
@Timeout(60)
@Tag("any-loops")
final class WebSocketHandshakeIT extends WebSocketFixture {
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
}
