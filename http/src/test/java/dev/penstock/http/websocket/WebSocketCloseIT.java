package dev.penstock.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.penstock.http.server.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The ends of WebSockets: by either side, by a failure, and by silence. */
@Timeout(60)
final class WebSocketCloseIT extends WebSocketFixture {
    @Test
    void close_byTheServer_waitsForTheClientsAnswer() throws Exception {
        EchoListener echo =
                new EchoListener() {
                    @Override
                    public void text(WebSocket socket, String text, boolean last) throws Exception {
                        socket.send("last words");
                        socket.close(4001, "bye");
                        boolean isRefused =
                                catchThrowable(() -> socket.send("x")) instanceof IOException;
                        socket.close(4002, "twice");
                        told.add(socket.isOpen() + " " + socket.offer("x") + " " + isRefused);
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
        assertThat(echo.next()).isEqualTo("false false true");
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
}
