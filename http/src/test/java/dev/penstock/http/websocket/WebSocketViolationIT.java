package dev.penstock.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.message.Syntax;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that valid messages before a client's violation of the protocol are answered before it is told of the
 * violation.
 */
@Timeout(120)
@Tag("any-loops")
final class WebSocketViolationIT extends ServerFixture {
    private static final int LARGEST = 70_000;

    private static final WebSocket.Options OPTIONS =
            WebSocket.Options.DEFAULT.withMaxMessageBytes(LARGEST);

    /**
     * On both sides of each form of a frame's length, of what is read and sent at once, and of what a listener is given
     * at a time.
     */
    private static final int[] LENGTHS = {
        0,
        1,
        124,
        125,
        126,
        127,
        8191,
        8193,
        16_319,
        16_321,
        16_383,
        16_385,
        32_767,
        32_769,
        65_535,
        65_536,
        LARGEST - 1,
        LARGEST
    };

    private Server serve(WebSocket.Options options, WebSocket.Listener listener) {
        return start(b -> b.get("/", x -> WebSocket.open(x, options, listener)));
    }

    private static byte[] hex(String bytes) {
        return HexFormat.of().parseHex(bytes.replace(" ", ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    no mask                     | 82 02 41 42                       | 1002
                    first reserved bit          | c2 82 00000000 41 42              | 1002
                    reserved opcode             | 83 82 00000000 41 42              | 1002
                    ping in fragments           | 09 80 00000000                    | 1002
                    ping of 126 bytes           | 89 fe 007e 00000000               | 1002
                    continuation of nothing     | 80 82 00000000 41 42              | 1002
                    length in too many bytes    | 82 fe 0002 00000000 41 42         | 1002
                    close with code 999         | 88 82 00000000 03e7               | 1002
                    close with code 5000        | 88 82 00000000 1388               | 1002
                    text that is not UTF-8      | 81 82 00000000 c3 28              | 1007
                    larger than a message may be | 82 ff 0000000000011171 00000000  | 1009
                    """)
    void messages_beforeAViolation_areAnsweredBeforeTheClose(
            String what, String violation, int code) throws Exception {
        Server server = serve(OPTIONS, new EchoListener());
        for (int count : new int[] {0, 1, 3, 400}) {
            List<byte[]> messages = new ArrayList<>();
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int i = 0; i < count; i++) {
                byte[] message = new byte[i % 100];
                messages.add(message);
                all.writeBytes(RawWebSocket.frame(0x82, message));
            }
            all.writeBytes(hex(violation));
            // What follows is not read any more.
            all.writeBytes(RawWebSocket.frame(0x82, new byte[10]));
            try (RawWebSocket socket = new RawWebSocket(server.port())) {
                socket.client().send(all.toByteArray());
                for (byte[] message : messages) {
                    assertThat(socket.next().payload()).as(what).isEqualTo(message);
                }
                assertThat(socket.next().code()).as(what).isEqualTo(code);
                assertThat(socket.atEnd()).isTrue();
            }
        }
    }

    @Test
    void messages_ofEveryLengthInAnyPieces_areAnsweredBeforeTheClose() throws Exception {
        Server server = serve(OPTIONS, new EchoListener());
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int run = 0; run < 40; run++) {
            List<byte[]> messages = new ArrayList<>();
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int i = random.nextInt(6); i > 0; i--) {
                byte[] message = new byte[LENGTHS[random.nextInt(LENGTHS.length)]];
                random.nextBytes(message);
                messages.add(message);
                all.writeBytes(RawWebSocket.frame(0x82, message));
            }
            all.writeBytes(hex("83 80 00000000"));
            try (RawWebSocket socket = new RawWebSocket(server.port())) {
                Thread sender =
                        Thread.ofVirtual()
                                .start(() -> sendInPieces(socket, all.toByteArray(), seed));
                for (byte[] message : messages) {
                    assertThat(message(socket)).as("seed %d", seed).isEqualTo(message);
                }
                assertThat(socket.next().code()).as("seed %d", seed).isEqualTo(1002);
                sender.join();
            }
        }
    }

    private static void sendInPieces(RawWebSocket socket, byte[] bytes, long seed) {
        Random random = new Random(seed);
        int[] sizes = {1, 2, 13, 1448, 16_384, 40_000};
        try {
            for (int at = 0; at < bytes.length; ) {
                int size = Math.min(bytes.length - at, sizes[random.nextInt(sizes.length)]);
                socket.client().send(Arrays.copyOfRange(bytes, at, at + size));
                at += size;
            }
        } catch (IOException _) {
            // What is missing then is seen by the reader.
        }
    }

    /** One that the server may have sent in fragments. */
    private static byte[] message(RawWebSocket socket) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        RawWebSocket.Frame frame = socket.next();
        all.writeBytes(frame.payload());
        while ((frame.first() & 0x80) == 0) {
            frame = socket.next();
            all.writeBytes(frame.payload());
        }
        return all.toByteArray();
    }

    @Test
    void listener_stillAtWorkWhenTheViolationComes_canAnswer() throws Exception {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        Server server =
                serve(
                        OPTIONS,
                        new WebSocket.Listener() {
                            @Override
                            public void text(WebSocket socket, String text, boolean last)
                                    throws Exception {
                                mayAnswer.await();
                                socket.send(text + socket.isOpen());
                            }
                        });
        try (RawWebSocket socket = new RawWebSocket(server.port())) {
            socket.send(0x81, "a").send(0x81, "b");
            // A ping is answered at once: what follows it in the same piece was read then, too.
            ByteArrayOutputStream both = new ByteArrayOutputStream();
            both.writeBytes(RawWebSocket.frame(0x89, new byte[] {1}));
            both.writeBytes(hex("83 80 00000000"));
            socket.client().send(both.toByteArray());
            assertThat(socket.next().first()).isEqualTo(0x8a);
            mayAnswer.countDown();
            assertThat(socket.next().text()).isEqualTo("atrue");
            assertThat(socket.next().text()).isEqualTo("btrue");
            assertThat(socket.next().code()).isEqualTo(1002);
        }
    }

    @Test
    void listener_thatNeverReturns_doesNotKeepTheConnection() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Server server =
                serve(
                        OPTIONS.withPingEvery(Duration.ofMillis(100)),
                        new WebSocket.Listener() {
                            @Override
                            public void text(WebSocket socket, String text, boolean last)
                                    throws Exception {
                                never.await();
                            }
                        });
        // At once, as the server would send a ping after a tenth of a second.
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(Syntax.ascii("GET / HTTP/1.1\r\n" + RawWebSocket.HEAD + "\r\n"));
        all.writeBytes(RawWebSocket.frame(0x81, new byte[] {'a'}));
        all.writeBytes(HexFormat.of().parseHex("838000000000"));
        try (RawClient client = new RawClient(server.port())) {
            client.send(all.toByteArray());
            assertThat(client.head().status()).isEqualTo(101);
            assertThat(client.atEnd()).isTrue();
        } finally {
            never.countDown();
        }
    }
}
