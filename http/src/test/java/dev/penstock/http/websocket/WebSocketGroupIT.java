package dev.penstock.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** WebSockets that hear the same messages. */
@Timeout(60)
final class WebSocketGroupIT extends ServerFixture {
    private final WebSocketGroup group = new WebSocketGroup();

    @Test
    void offer_byOneOfThree_reachesAllThatAreOpen() throws Exception {
        Server server = start(b -> b.get("/", x -> group.open(x, (_, text) -> group.offer(text))));
        List<RawWebSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                RawWebSocket socket = new RawWebSocket(server.port());
                sockets.add(socket);
                // Its own message comes back, so it belongs to the group now.
                hear("joined " + i, socket, sockets);
            }
            assertThat(group.size()).isEqualTo(3);

            // The answer to its close comes when the listener has been told.
            RawWebSocket left = sockets.removeLast();
            left.close(1000);
            assertThat(left.next().code()).isEqualTo(1000);
            left.close();
            hear("two are left", sockets.getFirst(), sockets);
            await("the end of one", () -> group.size() == 2);
        } finally {
            for (RawWebSocket socket : sockets) {
                socket.close();
            }
        }
    }

    private static void hear(String text, RawWebSocket from, List<RawWebSocket> all)
            throws Exception {
        from.send(0x81, text);
        for (RawWebSocket socket : all) {
            assertThat(socket.next().text()).isEqualTo(text);
        }
    }

    @Test
    void offer_toAGroupWithoutWebSockets_reachesNone() {
        assertThat(group.offer("hello")).isZero();
    }

    @Test
    void open_withMessagesInParts_isRefused() throws Exception {
        WebSocket.Options parts = WebSocket.Options.DEFAULT.withParts();
        Server server =
                start(b ->
                        b.onError(
                                        IllegalArgumentException.class,
                                        (e, x) ->
                                                x.respond(
                                                        500,
                                                        "text/plain",
                                                        String.valueOf(e.getMessage())))
                                .get("/", x -> group.open(x, parts, (_, _) -> {})));
        try (RawClient client = new RawClient(server.port())) {
            String answer = client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").reply().text();
            assertThat(answer).contains("leave out withParts()");
        }
    }
}
