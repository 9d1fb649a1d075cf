package dev.penstock.http.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.jcraft.jzlib.GZIPException;
import com.jcraft.jzlib.Inflater;
import com.jcraft.jzlib.JZlib;
import dev.penstock.http.http2.FrameClient;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Messages compressed by permessage-deflate (RFC 7692). The kinds, sizes, fragments and parameters are those that
 * Autobahn's cases 12 and 13 describe.
 */
@Tag("any-loops")
@Timeout(120)
final class CompressedWebSocketIT extends ServerFixture {
    private static final WebSocket.Options LARGE =
            WebSocket.Options.DEFAULT.withMaxMessageBytes(1 << 20);

    private static final String OFFER = "permessage-deflate";
    private static final String AGREED =
            "permessage-deflate; server_no_context_takeover; client_no_context_takeover";

    private Server serve(WebSocket.Options options, WebSocket.Listener listener) {
        return start(b -> b.get("/", x -> WebSocket.open(x, options, listener)));
    }

    private static RawWebSocket connect(Server server) throws IOException {
        RawWebSocket socket = new RawWebSocket(server.port(), 0, OFFER);
        assertThat(socket.extensions()).isEqualTo(AGREED);
        return socket;
    }

    /**
     * A kind of message: text that repeats itself, bytes of a picture, text of a book, a page, and what is compressed.
     */
    enum Kind {
        JSON,
        PICTURE,
        BOOK,
        PAGE,
        COMPRESSED;

        boolean isText() {
            return this == JSON || this == PAGE;
        }

        byte[] bytes(int size) {
            Random random = new Random(size);
            StringBuilder text = new StringBuilder(size + 100);
            while (text.length() < size) {
                switch (this) {
                    case JSON ->
                            text.append("{\"id\":")
                                    .append(random.nextInt(1000))
                                    .append(",\"name\":\"somebody\",\"tags\":[true,null]}");
                    case PAGE -> text.append("<li class=\"row\"><a href=\"/").append(text.length());
                    case BOOK -> text.append((char) ('a' + random.nextInt(26)));
                    case PICTURE ->
                            text.append(String.valueOf((char) random.nextInt(128)).repeat(7));
                    case COMPRESSED -> text.append((char) random.nextInt(128));
                }
            }
            return text.substring(0, size).getBytes(UTF_8);
        }
    }

    static Stream<Arguments> messages() {
        Stream<Arguments> whole =
                Stream.of(16, 64, 256, 1024, 4096, 8192, 16_384, 32_768, 65_536, 131_072)
                        .flatMap(size ->
                                Stream.of(Kind.values())
                                        .map(kind -> Arguments.of(kind, size, size + 1000)));
        Stream<Arguments> fragments =
                Stream.of(256, 1024, 4096, 32_768)
                        .flatMap(fragment ->
                                Stream.of(8192, 16_384, 32_768, 65_536, 131_072)
                                        .flatMap(size ->
                                                Stream.of(Kind.JSON, Kind.COMPRESSED)
                                                        .map(kind ->
                                                                Arguments.of(
                                                                        kind, size, fragment))));
        return Stream.concat(whole, fragments);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void messages_ofAnyKindSizeAndFragments_areEchoed(Kind kind, int size, int fragment)
            throws Exception {
        Server server = serve(LARGE, new EchoListener());
        int opcode = kind.isText() ? 1 : 2;
        byte[] message = kind.bytes(size);
        try (RawWebSocket socket = connect(server);
                FrameClient client = FrameClient.withReceiveBuffer(1 << 16, server.port());
                RawWebSocket stream = new RawWebSocket(client, "sec-websocket-extensions", OFFER)) {
            assertThat(stream.extensions()).isEqualTo(AGREED);
            for (RawWebSocket each : new RawWebSocket[] {socket, stream}) {
                for (int level : new int[] {0, 1, 6, 9, 6}) {
                    DeflateClient.send(each, opcode, message, level, fragment);
                    assertThat(DeflateClient.receive(each, opcode)).isEqualTo(message);
                }
            }
        }
    }

    @Test
    void messages_aThousandOnOneConnection_areEachCompressedForThemselves() throws Exception {
        Server server = serve(LARGE, new EchoListener());
        try (RawWebSocket socket = connect(server)) {
            for (int i = 0; i < 1000; i++) {
                byte[] message = Kind.JSON.bytes(200 + i * 37 % 3000);
                DeflateClient.send(socket, 1, message, 6, 1 << 20);
                RawWebSocket.Frame frame = socket.next();
                assertThat(frame.first()).isEqualTo(0xc1);
                assertThat(frame.payload().length).isLessThan(message.length);
                assertThat(DeflateClient.inflate(frame.payload())).isEqualTo(message);
            }
        }
    }

    // What is agreed on.

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            textBlock =
                    """
                    permessage-deflate                                             | 12
                    PerMessage-Deflate; Server_No_Context_Takeover                 | 12
                    permessage-deflate; client_max_window_bits                     | 12
                    permessage-deflate; client_max_window_bits=8                   | 12
                    permessage-deflate; client_max_window_bits=15                  | 12
                    permessage-deflate; server_no_context_takeover; client_no_context_takeover | 12
                    permessage-deflate; server_max_window_bits=15                  | 12 told
                    permessage-deflate; server_max_window_bits=12                  | 12 told
                    permessage-deflate; server_max_window_bits="10"                | 10 told
                    permessage-deflate;server_max_window_bits = 9;client_max_window_bits | 9 told
                    permessage-deflate; server_max_window_bits=8                   | 8 told
                    permessage-deflate; server_max_window_bits                     | none
                    permessage-deflate; server_max_window_bits=7                   | none
                    permessage-deflate; server_max_window_bits=16                  | none
                    permessage-deflate; server_max_window_bits=010                 | none
                    permessage-deflate; server_max_window_bits=9x                  | none
                    permessage-deflate; server_max_window_bits=9; server_max_window_bits=9 | none
                    permessage-deflate; client_max_window_bits=16                  | none
                    permessage-deflate; client_max_window_bits; client_max_window_bits | none
                    permessage-deflate; server_no_context_takeover=true            | none
                    permessage-deflate; client_no_context_takeover=1               | none
                    permessage-deflate; unknown                                    | none
                    permessage-bzip2                                               | none
                    x-webkit-deflate-frame                                         | none
                    permessage-bzip2, permessage-deflate                           | 12
                    permessage-deflate; unknown, permessage-deflate; server_max_window_bits=11 | 11 told
                    permessage-deflate; server_max_window_bits=10, permessage-deflate | 10 told
                    permessage-deflate; server_max_window_bits=16, permessage-deflate | 12
                    """)
    void offer_ofAnyParameters_isAnsweredByTheRules(String offer, String answer) throws Exception {
        Server server = serve(LARGE, new EchoListener());
        String expected =
                answer == null
                        ? ""
                        : answer.endsWith(" told")
                                ? AGREED
                                        + "; server_max_window_bits="
                                        + answer.substring(0, answer.indexOf(' '))
                                : AGREED;
        try (RawWebSocket socket = new RawWebSocket(server.port(), 0, offer)) {
            assertThat(socket.extensions()).isEqualTo(expected);
            byte[] message = Kind.PAGE.bytes(5000);
            if (answer == null) {
                socket.send(0x81, message);
                RawWebSocket.Frame frame = socket.next();
                assertThat(frame.first()).isEqualTo(0x81);
                assertThat(frame.payload()).isEqualTo(message);
            } else {
                DeflateClient.send(socket, 1, message, 6, 100);
                assertThat(DeflateClient.receive(socket, 1)).isEqualTo(message);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "permessage-deflate; =",
                "permessage-deflate;;",
                ";",
                "a b",
                "permessage-deflate; server_max_window_bits=\"1",
                "permessage-deflate; server_max_window_bits="
            })
    void offer_malformed_is400(String offer) throws Exception {
        Server server = serve(LARGE, new EchoListener());
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET / HTTP/1.1\r\n" + RawWebSocket.HEAD);
            client.send("Sec-WebSocket-Extensions: " + offer + "\r\n\r\n");
            RawClient.Reply reply = client.reply();
            assertThat(reply.status()).isEqualTo(400);
            assertThat(reply.text()).contains("Sec-WebSocket-Extensions is malformed");
        }
    }

    @Test
    void offer_whereCompressionIsOff_isDeclined() throws Exception {
        Server without = serve(LARGE.withoutCompression(), new EchoListener());
        Server off =
                start(b ->
                        b.compression(false)
                                .get("/", x -> WebSocket.open(x, LARGE, new EchoListener())));
        for (Server server : new Server[] {without, off}) {
            try (RawWebSocket socket = new RawWebSocket(server.port(), 0, OFFER)) {
                assertThat(socket.extensions()).isEmpty();
                assertThat(socket.send(0xc1, "x").next().code()).isEqualTo(1002);
            }
        }
    }

    /** An inflater with that window and no more, to which what is further away is lost. */
    @ParameterizedTest
    @ValueSource(ints = {8, 9, 10, 11, 12})
    void window_ofTheServer_isKept(int bits) throws Exception {
        Server server = serve(LARGE, new EchoListener());
        byte[] message = Kind.JSON.bytes(100_000);
        try (RawWebSocket socket =
                new RawWebSocket(server.port(), 0, OFFER + ";server_max_window_bits=" + bits)) {
            socket.send(0x81, message);
            ByteArrayOutputStream payload = new ByteArrayOutputStream();
            RawWebSocket.Frame frame = socket.next();
            assertThat(frame.first()).isEqualTo(0x41);
            payload.writeBytes(frame.payload());
            while ((frame.first() & 0x80) == 0) {
                frame = socket.next();
                payload.writeBytes(frame.payload());
            }
            payload.writeBytes(new byte[] {0, 0, -1, -1});
            assertThat(inflated(payload.toByteArray(), bits, message.length)).isEqualTo(message);
        }
    }

    private static byte[] inflated(byte[] payload, int bits, int length) throws GZIPException {
        Inflater inflater = new Inflater(bits, JZlib.W_NONE);
        byte[] out = new byte[length + 1];
        inflater.setInput(payload);
        inflater.setOutput(out);
        int result = JZlib.Z_OK;
        while (result == JZlib.Z_OK && inflater.getAvailIn() > 0) {
            result = inflater.inflate(JZlib.Z_SYNC_FLUSH);
        }
        return Arrays.copyOf(out, out.length - inflater.getAvailOut());
    }

    // Messages by the book.

    /** Those of RFC 7692, sections 7.2.3.1 to 7.2.3.6, and others that are as good. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    one block                   | Hello      | c1:f248cdc9c90700
                    in two frames               | Hello      | 41:f248cd 80:c9c90700
                    a frame for each byte       | Hello      | 41:f2 00:48 00:cd 00:c9 00:c9 00:07 80:00
                    empty frames around it      | Hello      | 41: 00:f248cd 00: 00:c9c90700 80:
                    a block that is stored      | Hello      | c1:000500faff48656c6c6f00
                    a last block                | Hello      | c1:f348cdc9c9070000
                    a last block and no more    | Hello      | c1:f348cdc9c90700
                    two blocks                  | Hello      | c1:f24805000000ffffcac9c90700
                    two last blocks             | HelloHello | c1:f348cdc9c90700f348cdc9c9070000
                    empty blocks before it      | Hello      | c1:000000ffff000000fffff248cdc9c90700
                    empty blocks behind it      | Hello      | c1:f248cdc9c907000000ffff000000ffff00
                    an empty message            | ''         | c1:00
                    an empty last block         | ''         | c1:030000
                    empty, in fragments         | ''         | 41: 80:00
                    not compressed              | Hello      | 81:48656c6c6f
                    not compressed, in frames   | Hello      | 01:48 80:656c6c6f
                    not compressed and empty    | ''         | 81:
                    """)
    void message_thatIsWellFormed_isTaken(String what, String text, String frames)
            throws Exception {
        Server server = serve(LARGE, new EchoListener());
        try (RawWebSocket socket = connect(server)) {
            send(socket, frames);
            assertThat(socket.next().text()).as(what).isEqualTo(text);
            // And a ping between the frames of one that comes next.
            socket.send(0x41, hex("f248cd")).send(0x89, "p");
            assertThat(socket.next().first()).isEqualTo(0x8a);
            socket.send(0x80, hex("c9c90700"));
            assertThat(socket.next().text()).isEqualTo("Hello");
        }
    }

    private static byte[] hex(String bytes) {
        return HexFormat.of().parseHex(bytes);
    }

    /** Frames by their first byte and payload: {@code c1:00}. */
    private static void send(RawWebSocket socket, String frames) throws IOException {
        for (String frame : frames.split(" ", -1)) {
            int colon = frame.indexOf(':');
            socket.send(
                    Integer.parseInt(frame.substring(0, colon), 16),
                    hex(frame.substring(colon + 1)));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    reserved bit of a ping           | c9:                        | 1002
                    reserved bit of a pong           | ca:                        | 1002
                    reserved bit of a close          | c8:03e8                    | 1002
                    of a continuation                | 41:f248cd c0:c9c90700      | 1002
                    of a continuation, not last      | 41:f248cd 40:c9c90700      | 1002
                    of one that is not compressed    | 01:48 c0:656c6c6f          | 1002
                    second reserved bit              | a1:48                      | 1002
                    third reserved bit               | 91:48                      | 1002
                    first and third reserved bit     | d1:00                      | 1002
                    nothing at all                   | c1:                        | 1007
                    not deflate                      | c1:ffffffffff              | 1007
                    a block type that there is not   | c1:07                      | 1007
                    a stored block with wrong length | c1:000500faf048656c6c6f00  | 1007
                    cut off                          | c1:f248cd                  | 1007
                    a stored block cut off           | c1:000500faff4865          | 1007
                    a distance before the message    | c1:f200110000              | 1007
                    text that is not UTF-8           | c1:000200fdffc32800        | 1007
                    half a character                 | c1:000100feffc300          | 1007
                    """)
    void message_thatIsMalformed_closesWithTheRightCode(String what, String frames, int code)
            throws Exception {
        for (WebSocket.Options options : new WebSocket.Options[] {LARGE, LARGE.withParts()}) {
            Server server = serve(options, new EchoListener());
            try (RawWebSocket socket = connect(server)) {
                // What came before is answered.
                socket.send(0xc2, hex("f248cdc9c90700"));
                assertThat(socket.next().text()).isEqualTo("Hello");
                send(socket, frames);
                RawWebSocket.Frame frame = socket.next();
                while (frame.first() != 0x88) {
                    frame = socket.next();
                }
                assertThat(frame.code()).as(what).isEqualTo(code);
                assertThat(socket.atEnd()).isTrue();
            }
        }
    }

    // What is too much.

    @ParameterizedTest
    @ValueSource(ints = {1 << 20, 1 << 14, 100})
    void message_thatInflatesBeyondTheLimit_closesWith1009(int fragment) throws Exception {
        for (WebSocket.Options options :
                new WebSocket.Options[] {
                    WebSocket.Options.DEFAULT, WebSocket.Options.DEFAULT.withParts()
                }) {
            Server server = serve(options, new EchoListener());
            byte[] most = new byte[64 * 1024];
            byte[] bomb = new byte[16 << 20];
            try (RawWebSocket socket = connect(server)) {
                DeflateClient.send(socket, 2, most, 9, 1 << 20);
                assertThat(DeflateClient.receive(socket, 2)).isEqualTo(most);
                DeflateClient.send(socket, 2, bomb, 9, fragment);
                RawWebSocket.Frame frame = socket.next();
                while (frame.first() != 0x88) {
                    frame = socket.next();
                }
                assertThat(frame.code()).isEqualTo(1009);
                assertThat(frame.text()).contains("larger than 65536 bytes");
            }
        }
    }

    @Test
    void message_ofMoreCompressedBytesThanItMayHave_closesWith1009() throws Exception {
        Server server = serve(WebSocket.Options.DEFAULT, new EchoListener());
        byte[] blocks = new byte[70_000];
        for (int i = 0; i + 4 < blocks.length; i += 5) {
            blocks[i + 3] = -1;
            blocks[i + 4] = -1;
        }
        try (RawWebSocket socket = connect(server)) {
            socket.send(0x42, Arrays.copyOf(blocks, 40_000)).send(0x80, blocks);
            assertThat(socket.next().code()).isEqualTo(1009);
        }
        try (RawWebSocket socket = connect(server)) {
            byte[] fits = Arrays.copyOf(blocks, 60_001);
            socket.send(0xc2, fits);
            assertThat(DeflateClient.receive(socket, 2)).isEmpty();
        }
    }

    @Test
    void parts_ofACompressedMessage_comeAsTheyAreInflated() throws Exception {
        BlockingQueue<String> parts = new LinkedBlockingQueue<>();
        Server server =
                serve(
                        LARGE.withParts(),
                        new WebSocket.Listener() {
                            @Override
                            public void text(WebSocket socket, String text, boolean last) {
                                parts.add(text + (last ? "." : ","));
                            }
                        });
        try (RawWebSocket socket = connect(server)) {
            // "a", half of "ä", its other half.
            socket.send(0x41, hex("000200fdff61c3"));
            assertThat(parts.take()).isEqualTo("a,");
            socket.send(0x80, hex("000100feffa400"));
            assertThat(parts.take()).isEqualTo("ä.");
        }
    }

    /** More than may have an inflater at once; each leaves within a message. */
    @Test
    void parts_ofClientsThatLeave_giveTheirInflatersBack() throws Exception {
        BlockingQueue<String> parts = new LinkedBlockingQueue<>();
        Server server =
                serve(
                        LARGE.withParts(),
                        new EchoListener() {
                            @Override
                            public void text(WebSocket socket, String text, boolean last) {
                                parts.add(text);
                            }
                        });
        for (int i = 0; i < 1500; i++) {
            try (RawWebSocket socket = connect(server)) {
                socket.send(0x41, hex("f248cdc9c907000000ffff"));
                assertThat(parts.take()).isEqualTo("Hello");
            }
        }
    }

    @Test
    void sends_toASlowReader_waitAndOffersAreRefused() throws Exception {
        BlockingQueue<WebSocket> opened = new LinkedBlockingQueue<>();
        Server server =
                serve(
                        LARGE,
                        new WebSocket.Listener() {
                            @Override
                            public void opened(WebSocket socket) {
                                opened.add(socket);
                            }
                        });
        byte[] noise = new byte[30_000];
        new Random(1).nextBytes(noise);
        byte[] large = Kind.JSON.bytes(300_000);
        try (RawWebSocket slow = new RawWebSocket(server.port(), 32 * 1024, OFFER)) {
            WebSocket socket = opened.take();
            int taken = 0;
            while (socket.offer(ByteBuffer.wrap(noise))) {
                taken++;
            }
            assertThat(taken).isLessThan(1000);
            Thread sender =
                    Thread.startVirtualThread(() -> {
                        try {
                            for (int i = 0; i < 20; i++) {
                                socket.send(ByteBuffer.wrap(large));
                                socket.send(ByteBuffer.allocateDirect(40_000));
                            }
                        } catch (IOException failure) {
                            throw new IllegalStateException(failure);
                        }
                    });
            for (int i = 0; i < taken; i++) {
                assertThat(DeflateClient.receive(slow, 2)).isEqualTo(noise);
            }
            for (int i = 0; i < 20; i++) {
                assertThat(DeflateClient.receive(slow, 2)).isEqualTo(large);
                assertThat(DeflateClient.receive(slow, 2)).isEqualTo(new byte[40_000]);
            }
            sender.join();
        }
    }
}
