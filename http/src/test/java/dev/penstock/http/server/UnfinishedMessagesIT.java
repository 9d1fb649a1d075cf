package dev.penstock.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.http2.FrameClient;
import dev.penstock.http.websocket.RawWebSocket;
import dev.penstock.http.websocket.WebSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of WebSockets that have not come to their end, which count as what lies unread. */
@Timeout(300)
final class UnfinishedMessagesIT extends ServerFixture {
    /** A quarter of it is for one client. */
    private static final int LIMIT = 4 * 300_000;

    private static final int ENHANCE_YOUR_CALM = 11;
    private static final int PART = 60_000;

    private Server server;

    @BeforeEach
    void serve() {
        WebSocket.Options options = WebSocket.Options.DEFAULT.withMaxMessageBytes(1 << 20);
        WebSocket.Listener sizes =
                new WebSocket.Listener() {
                    @Override
                    public void binary(WebSocket socket, ByteBuffer bytes, boolean last)
                            throws IOException {
                        socket.send(bytes.remaining() + " bytes");
                    }
                };
        server = start(b -> b.maxUnread(LIMIT).get("/", x -> WebSocket.open(x, options, sizes)));
    }

    /** In one frame, or in several, each of which is whole. */
    @ParameterizedTest
    @ValueSource(ints = {400_000, PART, 1000})
    void message_forWhichThereIsNoRoom_endsItsConnection(int frame) throws Exception {
        try (RawWebSocket socket = new RawWebSocket(server.port())) {
            byte[] part = new byte[frame];
            for (int sent = 0; sent < 400_000; sent += frame) {
                socket.send(sent == 0 ? 0x02 : 0x00, part);
            }
            assertThat(socket.next().code()).isEqualTo(1013);
            socket.close(1013);
            assertThat(socket.atEnd()).isTrue();
        }
        answers();
    }

    @Test
    void stream_forWhoseMessageThereIsNoRoom_isReset() throws Exception {
        try (FrameClient client = FrameClient.withReceiveBuffer(1 << 18, server.port())) {
            int stream =
                    client.request(
                            "CONNECT",
                            "/",
                            false,
                            ":protocol",
                            "websocket",
                            "sec-websocket-version",
                            "13");
            assertThat(client.head(stream).status()).isEqualTo(200);
            client.dataWithinWindow(stream, RawWebSocket.frame(0x82, new byte[400_000]));
            assertThat(client.broken(stream)).isEqualTo(ENHANCE_YOUR_CALM);
        }
        answers();
    }

    /** What is counted is given back at the end of each message, and at that of a connection within one. */
    private void answers() throws Exception {
        // A client may be told before all of it is given back.
        await("given back", () -> context(server).unreadBodies().bytes() == 0);
        for (int i = 0; i < 8; i++) {
            try (RawWebSocket socket = new RawWebSocket(server.port())) {
                for (int j = 0; j < 8; j++) {
                    socket.send(0x02, new byte[PART]).send(0x80, new byte[1]);
                    assertThat(socket.next().text()).isEqualTo(PART + 1 + " bytes");
                }
                socket.send(0x02, new byte[PART]).close(1000);
                assertThat(socket.next().code()).isEqualTo(1000);
                assertThat(socket.atEnd()).isTrue();
            }
        }
    }
}
