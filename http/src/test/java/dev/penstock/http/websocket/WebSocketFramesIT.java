package dev.penstock.http.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Server;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The frames and messages of WebSockets, by the book and against it. */
@Timeout(60)
@Tag("any-loops")
final class WebSocketFramesIT extends WebSocketFixture {
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
     * Frames as bytes, each with the code that the server closes with. All but those of RFC 6455's own examples are
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
        await("seed " + seed, () -> server.waiting() == 0);
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
}
