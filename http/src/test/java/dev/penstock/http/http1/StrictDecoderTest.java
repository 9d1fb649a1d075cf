package dev.penstock.http.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.exchange.MalformedRequest;
import dev.penstock.http.exchange.Settings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests that what is decoded does not depend on how the network has cut it. */
final class StrictDecoderTest {
    private static final int LINE = 64;
    private static final int HEADERS = 3;
    private static final int HEADER_BYTES = 64;

    /** HTTP/1.0 has no need of a host. */
    private static final String GET = "GET /a HTTP/1.0\r\n";

    private static final String CHUNKED =
            "POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";

    private static final List<String> NAMES =
            List.of("host", "A", "b", "c", "Content-Length", "transfer-encoding");

    private static final List<String> REQUESTS =
            List.of(
                    GET + "Host: x\r\n\r\n",
                    "\r\n\r\n" + GET + "A:\r\nB: \t\u00e9 \r\n\r\n\r\n" + GET + "\r\n",
                    "POST /b HTTP/1.0\r\nContent-Length: 5\r\n\r\nhello" + GET + "\r\n",
                    CHUNKED + "3;x=y\r\nabc\r\n0\r\nA: b\r\n\r\n" + GET + "\r\n",
                    CHUNKED + "3\nabc\r\n0\r\n\r\n",
                    CHUNKED + "3\r\nabcd\r\n0\r\n\r\n",
                    CHUNKED + "0\r\nA : b\r\n\r\n" + GET + "\r\n",
                    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                    "GET /a HTTP/1.1\r\n\r\n",
                    "GET /a HTTP/1.1\r\nHost: a b\r\n\r\n",
                    "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n",
                    "\u0016\u0003\u0001 TLS",
                    "SSH-2.0-x\r\n",
                    GET + "A: b\r\n c\r\n\r\n",
                    GET + " A: b\r\n\r\n",
                    GET + "A: b\rC: d\r\n\r\n",
                    GET + "A: b\r\r\n\r\n",
                    GET + "A: b\nC: d\r\n\r\n",
                    GET + "A: b\r\n\n",
                    GET + "A: b\r\n\rC: d\r\n\r\n",
                    "\r\rGET /a HTTP/1.1\r\n\r\n",
                    "\n" + GET + "\r\n",
                    GET + "A: \0\r\n\r\n",
                    GET + "A: \u007f\r\n\r\n",
                    GET + "A : b\r\n\r\n",
                    GET + "A\r\n\r\n",
                    "GET /\u00e9 HTTP/1.1\r\n\r\n",
                    "GET  /a HTTP/1.1\r\n\r\n",
                    "GET /a HTTP/1.2\r\n\r\n",
                    "GET /a\r\n\r\n",
                    "POST /a HTTP/1.0\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                    "POST /a HTTP/1.0\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab");

    /** Each end, and each thing within, that may come when a line or a head is as long as it may be. */
    private static List<String> atTheLimits() {
        List<String> requests = new ArrayList<>();
        for (String end : new String[] {"\r\n", "\n", "\0", "\r", " HTTP/1.0\r\n\r\n", ""}) {
            for (int more = -3; more <= 3; more++) {
                String line = "GET /" + "a".repeat(LINE + more - GET.length() + 4);
                requests.add(line + " HTTP/1.0" + end + "\r\n");
                requests.add(line.concat(" HTTP/1.0") + "\r\n" + end);
                requests.add("G".repeat(LINE + more) + end);
                int rest = LINE + HEADER_BYTES - GET.length() + more;
                requests.add(GET + "A: " + "b".repeat(rest - 3) + end);
                requests.add(GET + "A: " + "b".repeat(rest - 7) + "\r\n\r\n" + end);
                requests.add(GET + "A: b\r\nC: " + "d".repeat(rest - 11) + "\r\n" + end);
            }
        }
        for (int headers = HEADERS - 1; headers <= HEADERS + 2; headers++) {
            for (String end :
                    new String[] {"\r\n", "\n", "A: \0", "A\r\n\r\n", " a\r\n", "\r", ""}) {
                requests.add(GET + "A: b\r\n".repeat(headers) + end);
            }
        }
        return requests;
    }

    @Test
    void request_cutAnywhere_isDecodedAsInOnePiece() {
        REQUESTS.forEach(request -> cut(request, request.length()));
        atTheLimits().forEach(request -> cut(request, 12));
    }

    /** By the byte, and once at each of the last places. */
    private static void cut(String request, int places) {
        byte[] bytes = request.getBytes(ISO_8859_1);
        List<String> whole = outcome(bytes, length -> length);
        assertThat(outcome(bytes, _ -> 1)).as(request).isEqualTo(whole);
        for (int i = Math.max(1, bytes.length - places); i < bytes.length; i++) {
            int cut = i;
            assertThat(outcome(bytes, rest -> rest == bytes.length ? cut : rest))
                    .as("%s cut at %d", request, cut)
                    .isEqualTo(whole);
        }
    }

    /** Little is looked at as a copy, much where it lies. */
    @Test
    void requests_ofWhichManyComeAtOnce_areDecodedAsOneByOne() {
        String[] ends = {"", GET + "A: b\n\r\n", GET + "A: \0\r\n\r\n", "G".repeat(99)};
        for (String end : ends) {
            byte[] bytes = (REQUESTS.getFirst().repeat(160) + end).getBytes(ISO_8859_1);
            assertThat(outcome(bytes, length -> length))
                    .as(end)
                    .hasSizeGreaterThan(479)
                    .isEqualTo(outcome(bytes, _ -> 1))
                    .isEqualTo(outcome(bytes, _ -> 5_000));
        }
    }

    @Test
    void head_asLongAsItMayBe_isTakenAndOneByteMoreIsNot() {
        String line = "GET /" + "a".repeat(LINE - 14) + " HTTP/1.0";
        String most = "A: " + "b".repeat(HEADER_BYTES - 5) + "\r\n";
        String lines = "A: b\r\n".repeat(HEADERS);
        for (String head : List.of(line + "\r\n" + most, line + "\r\n" + lines)) {
            assertThat(outcome(head + "\r\n")).as(head).endsWith("end");
        }
        assertThat(outcome(line + "a\r\n\r\n"))
                .containsExactly("414 a request line of more than 64 bytes");
        assertThat(outcome("GET / HTTP/1.0\r\nB" + most + "\r\n"))
                .containsExactly("431 more than 64 bytes of headers");
        assertThat(outcome(line + "\r\n" + lines + "A: b\r\n\r\n"))
                .containsExactly("431 more than 3 header lines");
    }

    @Test
    void request_changedAndCutByChance_isDecodedAsInOnePiece() {
        long seed = Long.getLong("penstock.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int i = 0; i < 1_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int j = random.nextInt(3); j >= 0; j--) {
                text.append(REQUESTS.get(random.nextInt(REQUESTS.size())));
            }
            for (int j = random.nextInt(4); j > 0; j--) {
                String spice = "\r\n\r\n\t :;0\0\u00e9\u007fA,";
                int at = random.nextInt(text.length());
                text.replace(
                        at,
                        at + random.nextInt(2),
                        spice.charAt(random.nextInt(spice.length()))
                                + "a".repeat(random.nextInt(8) == 0 ? random.nextInt(LINE) : 0));
            }
            byte[] bytes = text.toString().getBytes(ISO_8859_1);
            List<String> whole = outcome(bytes, length -> length);
            int most = 1 + random.nextInt(40);
            assertThat(outcome(bytes, _ -> 1 + random.nextInt(most)))
                    .as("-Dpenstock.seed=%d %s", seed, text)
                    .isEqualTo(whole);
        }
    }

    /**
     * Each length that matters to chunks: of lines, of all extensions, of what is handed on at once, of a body, of
     * trailers.
     */
    @Test
    void chunks_withLengthsAroundEachLimit_areDecodedAsInOnePiece() {
        long seed = Long.getLong("penstock.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            StringBuilder text = new StringBuilder(CHUNKED);
            for (int j = random.nextInt(4); j > 0; j--) {
                appendChunk(text, random);
            }
            if (random.nextInt(20) == 0) {
                // Of extensions, at most 16 KiB.
                String line = "1;" + "e".repeat(254) + "\r\na\r\n";
                text.append(line.repeat(63 + random.nextInt(4)));
            }
            text.append(random.nextInt(8) == 0 ? "" : "0\r\n");
            for (int j = random.nextInt(HEADERS + 2); j > 0; j--) {
                text.append("T: ").append("t".repeat(near(random, 0, 12, 57, 60))).append("\r\n");
            }
            text.append(random.nextInt(8) == 0 ? "\n" : "\r\n").append(GET).append("\r\n");
            byte[] bytes = text.toString().getBytes(ISO_8859_1);
            int[] most = {40, 3_000, 33_000};
            int piece = most[bytes.length > 20_000 ? 1 + random.nextInt(2) : random.nextInt(3)];
            assertThat(outcome(bytes, _ -> 1 + random.nextInt(piece)))
                    .as("-Dpenstock.seed=%d %d", seed, i)
                    .isEqualTo(outcome(bytes, length -> length));
        }
    }

    private static void appendChunk(StringBuilder text, Random random) {
        int size = near(random, 1, 17, 4_096, 32_768, 65_536);
        String digits = Integer.toHexString(size);
        int line = near(random, 0, 0, 0, 256);
        String zeros = "0".repeat(random.nextBoolean() ? Math.max(0, line - digits.length()) : 0);
        int rest = line - zeros.length() - digits.length() - 1;
        String extension = rest > 0 ? ";" + "e".repeat(rest) : "";
        text.append(zeros).append(digits).append(extension).append("\r\n");
        text.append("c".repeat(size + (random.nextInt(20) == 0 ? 1 : 0))).append("\r\n");
    }

    /** One of those numbers, or close to it. */
    private static int near(Random random, int... numbers) {
        return Math.max(0, numbers[random.nextInt(numbers.length)] + random.nextInt(7) - 3);
    }

    /** Heads of more than 4 KiB are not copied before they are looked at. */
    @Test
    void heads_aroundTheLengthThatIsCopied_areDecodedAsInOnePiece() {
        Settings settings = new Settings.Draft().settings();
        Random random = new Random(4);
        for (int length = 4_093; length <= 4_100; length++) {
            for (String end : new String[] {"\r\n", "\n", "\rA: b\r\n", "\0\r\n", "\r\n c\r\n"}) {
                String fill = "a".repeat(length - GET.length() - 3 - end.length() - 2);
                String text = GET + "A: " + fill + end + "\r\n" + GET + "\r\n";
                byte[] bytes = text.getBytes(ISO_8859_1);
                List<String> whole = outcome(bytes, rest -> rest, settings);
                for (int most : new int[] {1, 40, 3_000, 4_096}) {
                    assertThat(outcome(bytes, _ -> 1 + random.nextInt(most), settings))
                            .as("%d", length)
                            .isEqualTo(whole);
                }
            }
        }
    }

    private static List<String> outcome(String request) {
        return outcome(request.getBytes(ISO_8859_1), length -> length);
    }

    /** What comes out, in pieces of which each is as long as what is left says. */
    private static List<String> outcome(byte[] bytes, IntUnaryOperator piece) {
        Settings.Draft draft = new Settings.Draft();
        draft.maxRequestLine = LINE;
        draft.maxHeaders = HEADERS;
        draft.maxHeaderBytes = HEADER_BYTES;
        return outcome(bytes, piece, draft.settings());
    }

    private static List<String> outcome(byte[] bytes, IntUnaryOperator piece, Settings settings) {
        Outcome outcome = new Outcome();
        EmbeddedChannel channel = new EmbeddedChannel(new StrictDecoder(settings, true), outcome);
        for (int at = 0; at < bytes.length && !outcome.isOver; ) {
            int length = Math.min(bytes.length - at, piece.applyAsInt(bytes.length - at));
            channel.writeInbound(Unpooled.directBuffer().writeBytes(bytes, at, length));
            at += length;
        }
        List<String> events = outcome.events();
        channel.finishAndReleaseAll();
        return events;
    }

    private static final class Outcome extends ChannelInboundHandlerAdapter {
        private final List<String> events = new ArrayList<>();
        private final StringBuilder body = new StringBuilder();
        private boolean isOver;

        List<String> events() {
            flushBody();
            return List.copyOf(events);
        }

        private void flushBody() {
            if (!body.isEmpty()) {
                events.add("body " + body);
                body.setLength(0);
            }
        }

        private void add(String event) {
            if (!isOver) {
                flushBody();
                events.add(event);
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof RequestHead head) {
                add(head.method() + " " + head.target() + " " + head.http10());
                NAMES.forEach(name -> add(name + head.fields().all(name)));
                if (head.contentLength() == 0) {
                    add("end");
                }
            }
            if (message instanceof HttpContent content) {
                ByteBuf bytes = content.content();
                body.append(bytes.toString(ISO_8859_1));
                failed(content.decoderResult().cause());
            }
            if (message instanceof LastHttpContent) {
                add("end");
            }
            ReferenceCountUtil.release(message);
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            add(event.toString());
            isOver = true;
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
            failed(failure instanceof DecoderException ? failure.getCause() : failure);
        }

        private void failed(@Nullable Throwable failure) {
            if (failure != null) {
                add(
                        failure instanceof MalformedRequest fault
                                ? fault.status() + " " + fault.getMessage()
                                : failure.toString());
                isOver = true;
            }
        }
    }
}
