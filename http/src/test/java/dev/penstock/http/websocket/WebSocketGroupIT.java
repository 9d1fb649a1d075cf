package dev.penstock.http.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.http2.FrameClient;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** WebSockets that hear the same messages. */
@Timeout(60)
final class WebSocketGroupIT extends ServerFixture {
    private final WebSocketGroup group = new WebSocketGroup();

    private final List<AutoCloseable> clients = new ArrayList<>();
    private Server server;

    @BeforeEach
    void serve() {
        server = start(b -> b.get("/", x -> group.open(x, (_, text) -> group.offer(text))));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable client : clients) {
            client.close();
        }
    }

    /**
     * A client with a connection of its own.
     *
     * @param extension what it offers; empty for none
     */
    private RawWebSocket connect(Protocol protocol, String extension) throws IOException {
        int buffer = 32 * 1024;
        if (protocol == Protocol.HTTP_1_1) {
            RawWebSocket socket = new RawWebSocket(server.port(), buffer, extension);
            clients.add(socket);
            return socket;
        }
        FrameClient connection = FrameClient.withReceiveBuffer(buffer, server.port());
        clients.add(connection);
        return extension.isEmpty()
                ? new RawWebSocket(connection)
                : new RawWebSocket(connection, "sec-websocket-extensions", extension);
    }

    private RawWebSocket join(Protocol protocol) throws Exception {
        int before = group.size();
        RawWebSocket socket = connect(protocol, "");
        await("it belongs to the group", () -> group.size() == before + 1);
        return socket;
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void offer_byOneOfThree_reachesAllThatAreOpen(Protocol protocol) throws Exception {
        List<RawWebSocket> sockets = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            RawWebSocket socket = connect(protocol, "");
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
    }

    private static void hear(String text, RawWebSocket from, List<RawWebSocket> all)
            throws Exception {
        from.send(0x81, text);
        for (RawWebSocket socket : all) {
            assertThat(socket.next().text()).isEqualTo(text);
        }
    }

    @Test
    void offer_toClientsWithAndWithoutCompression_reachesEachAsItAgreed() throws Exception {
        String[] extensions = {
            "",
            "permessage-deflate",
            "permessage-deflate; server_max_window_bits=9",
            "permessage-deflate"
        };
        List<RawWebSocket> sockets = new ArrayList<>();
        for (Protocol protocol : Protocol.values()) {
            for (String extension : extensions) {
                sockets.add(connect(protocol, extension));
            }
        }
        await("all belong to the group", () -> group.size() == 8);
        for (String text : List.of("short", "long ".repeat(3000))) {
            assertThat(group.offer(text)).isEqualTo(8);
            for (RawWebSocket socket : sockets) {
                byte[] received = DeflateClient.receive(socket, Frames.TEXT);
                assertThat(new String(received, UTF_8)).isEqualTo(text);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void member_thatIsSlow_missesTextsAndHoldsNobodyUp(Protocol protocol) throws Exception {
        RawWebSocket slow = join(protocol);
        RawWebSocket fast = join(protocol);
        String block = "x".repeat(10_000);
        int taken = 0;
        while (group.offer(block) == 2) {
            taken++;
            assertThat(fast.next().text()).isEqualTo(block);
        }
        assertThat(fast.next().text()).isEqualTo(block);
        for (int i = 0; i < taken; i++) {
            assertThat(slow.next().text()).isEqualTo(block);
        }
        await("room", () -> group.offer("again") == 2);
        assertThat(slow.next().text()).isEqualTo("again");
        assertThat(fast.next().text()).isEqualTo("again");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void member_thatIsReset_leavesTheGroup(Protocol protocol) throws Exception {
        RawWebSocket gone = join(protocol);
        RawWebSocket other = join(protocol);
        if (protocol == Protocol.HTTP_1_1) {
            gone.client().abort();
        } else {
            // Resets its stream.
            gone.close();
        }
        await("the end of one", () -> group.size() == 1);
        hear("one is left", other, List.of(other));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void text_asLongAsAClientMaySend_isHeardByAll(Protocol protocol) throws Exception {
        RawWebSocket first = join(protocol);
        RawWebSocket second = join(protocol);
        hear("x".repeat(16_384), first, List.of(first, second));
        first.send(0x81, "x".repeat(16_385));
        assertThat(first.next().code()).isEqualTo(1009);
    }

    @Test
    void offer_toAGroupWithoutWebSockets_reachesNone() {
        assertThat(group.offer("hello")).isZero();
        assertThatThrownBy(() -> group.offer("x".repeat(32_001)))
                .hasMessage(
                        "A message of 32001 bytes can't be offered, 32000 at most: send it from a thread");
    }

    @Test
    void open_withMessagesInParts_isRefused() throws Exception {
        WebSocket.Options parts = WebSocket.Options.DEFAULT.withParts();
        Server refuses =
                start(b ->
                        b.onError(
                                        IllegalArgumentException.class,
                                        (e, x) ->
                                                x.respond(
                                                        500,
                                                        "text/plain",
                                                        String.valueOf(e.getMessage())))
                                .get("/", x -> group.open(x, parts, (_, _) -> {})));
        try (RawClient client = new RawClient(refuses.port())) {
            String answer = client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n").reply().text();
            assertThat(answer).contains("leave out withParts()");
        }
    }
}
