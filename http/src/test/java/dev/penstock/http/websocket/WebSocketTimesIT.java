package dev.penstock.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pings, their answers, and idleness. */
@Tag("any-loops")
@Timeout(60)
final class WebSocketTimesIT extends ServerFixture {
    private static final WebSocket.Options DEFAULT = WebSocket.Options.DEFAULT;

    private final BlockingQueue<WebSocket> opened = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> closed = new LinkedBlockingQueue<>();

    private Server serve(WebSocket.Options options) {
        WebSocket.Listener listener =
                new WebSocket.Listener() {
                    @Override
                    public void opened(WebSocket socket) {
                        opened.add(socket);
                    }

                    @Override
                    public void text(WebSocket socket, String text, boolean last)
                            throws IOException {
                        socket.send(text);
                    }

                    @Override
                    public void closed(WebSocket socket, int code, String reason) {
                        closed.add(code + " " + reason);
                    }
                };
        return start(b -> b.get("/", x -> WebSocket.open(x, options, listener)));
    }

    @Test
    void socket_withoutMessages_isClosedThoughPingsAreAnswered() throws Exception {
        Server server =
                serve(
                        DEFAULT.withPingEvery(Duration.ofMillis(50), Duration.ofSeconds(30))
                                .withIdleTimeout(Duration.ofSeconds(2)));
        long start = System.nanoTime();
        try (RawWebSocket socket = new RawWebSocket(server.port())) {
            RawWebSocket.Frame frame = socket.next();
            int pings = 0;
            while (frame.first() == 0x89) {
                pings++;
                socket.send(0x8a, "");
                frame = socket.next();
            }
            if (pings == 0) {
                // Its event loop was held up until there was time only for the end.
                assertThat(System.nanoTime() - start)
                        .isGreaterThan(Duration.ofSeconds(1).toNanos());
            }
            assertThat(frame.code()).isEqualTo(1001);
            assertThat(frame.text()).endsWith("No message for 2 s");
            socket.close(1001);
            assertThat(socket.atEnd()).isTrue();
        }
        assertThat(closed.take()).isEqualTo("1001 No message for 2 s");
    }

    @Test
    void socket_withMessagesOfEitherSide_isNotIdle() throws Exception {
        Duration idle = Duration.ofSeconds(4);
        Server server = serve(DEFAULT.withIdleTimeout(idle));
        try (RawWebSocket socket = new RawWebSocket(server.port())) {
            long start = System.nanoTime();
            WebSocket sender = opened.take();
            // Each by itself goes on for longer than the limit.
            while (System.nanoTime() - start < 2 * idle.toNanos()) {
                assertThat(socket.send(0x81, "x").next().text()).isEqualTo("x");
            }
            start = System.nanoTime();
            while (System.nanoTime() - start < 2 * idle.toNanos()) {
                sender.send("y");
                assertThat(socket.next().text()).isEqualTo("y");
            }
            assertThat(socket.next().code()).isEqualTo(1001);
        }
    }

    @Test
    void answer_thatDoesNotCome_isWaitedForAsLongAsIsSet() throws Exception {
        Server server = serve(DEFAULT.withPingEvery(Duration.ofMillis(20), Duration.ofSeconds(3)));
        long start = System.nanoTime();
        try (RawWebSocket socket = new RawWebSocket(server.port())) {
            assertThat(socket.next().first()).isEqualTo(0x89);
            assertThat(socket.atEnd()).isTrue();
            assertThat(System.nanoTime() - start).isGreaterThan(Duration.ofSeconds(3).toNanos());
        }
        assertThat(closed.take()).isEqualTo("1006 ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    PT0.009S | PT1S     | PT0S     | pingEvery is PT0.009S; it must be from 10 ms to 1 days
                    PT25H    | PT1S     | PT0S     | pingEvery is PT25H; it must be from 10 ms to 1 days
                    PT1S     | PT0S     | PT0S     | pongTimeout is PT0S; it must be from 10 ms to 1 days
                    PT1S     | PT1S     | PT0.001S | idleTimeout is PT0.001S; it must be from 10 ms to 3650 days
                    PT1S     | PT1S     | PT-1S    | idleTimeout is PT-1S; it must be from 10 ms to 3650 days
                    PT1S     | PT1S     | P3651D   | idleTimeout is PT87624H; it must be from 10 ms to 3650 days
                    """)
    void time_outOfItsBounds_isRefused(
            Duration ping, Duration pong, Duration idle, String message) {
        assertThatThrownBy(() -> DEFAULT.withPingEvery(ping, pong).withIdleTimeout(idle))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
