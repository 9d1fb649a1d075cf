package dev.penstock.http;

import dev.penstock.http.message.StrictText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** The body of a request as a whole, within a limit. */
final class BodyReader {
    /** What is allocated before anything has come, whatever length is announced. */
    private static final int FIRST = 64 * 1024;

    /** The first allocation where no length is announced. */
    private static final int UNKNOWN = 8 * 1024;

    /** The longest array that every JVM can make. */
    private static final int LONGEST = Integer.MAX_VALUE - 8;

    private BodyReader() {}

    /** Reads all of it. */
    static byte[] bytes(Exchange exchange, int maxBytes) throws IOException {
        int most = Math.clamp(maxBytes, 0, LONGEST);
        long announced = announced(exchange);
        if (announced > most) {
            throw tooLarge(most);
        }
        ReadableByteChannel body = exchange.requestBody();
        byte[] bytes =
                new byte
                        [(int)
                                Math.min(
                                        announced < 0 ? Math.min(UNKNOWN, most) : announced,
                                        FIRST)];
        int length = 0;
        while (true) {
            if (length == bytes.length) {
                if (length == most || length == announced) {
                    expectEnd(body, most);
                    return bytes;
                }
                bytes = Arrays.copyOf(bytes, larger(length, announced, most));
            }
            int count = body.read(ByteBuffer.wrap(bytes, length, bytes.length - length));
            if (count < 0) {
                return Arrays.copyOf(bytes, length);
            }
            length += count;
        }
    }

    /** The next size: twice as much as has come, but no more than there will be. */
    private static int larger(int length, long announced, int most) {
        long next = Math.max(2L * length, UNKNOWN);
        return (int) Math.min(next, announced > length ? announced : most);
    }

    /** Reads on when there is no more room, so that faults behind the last byte are noticed. */
    private static void expectEnd(ReadableByteChannel body, int most) throws IOException {
        if (body.read(ByteBuffer.allocate(1)) >= 0) {
            throw tooLarge(most);
        }
    }

    /** Reads all of it as text, in the character set that the request names, or UTF-8. */
    static String text(Exchange exchange, int maxBytes) throws IOException {
        Charset charset;
        try {
            Optional<MediaType> type = exchange.contentType();
            charset = type.flatMap(MediaType::charset).orElse(StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new HttpException(415, String.valueOf(e.getMessage()), e);
        }
        byte[] bytes = bytes(exchange, maxBytes);
        try {
            return StrictText.decode(bytes, 0, bytes.length, charset);
        } catch (CharacterCodingException e) {
            throw new HttpException(400, "The body is not text in " + charset.name(), e);
        }
    }

    /** A stream of it, which fails beyond the limit. */
    static InputStream stream(Exchange exchange, long maxBytes) {
        if (announced(exchange) > maxBytes) {
            throw tooLarge(maxBytes);
        }
        return new Limited(exchange.requestBody(), maxBytes);
    }

    /** The body's length where the request has told it, or else -1. */
    private static long announced(Exchange exchange) {
        String length = exchange.header("Content-Length").orElse("");
        try {
            return length.isEmpty() ? -1 : Long.parseLong(length);
        } catch (NumberFormatException _) {
            return -1;
        }
    }

    private static HttpException tooLarge(long maxBytes) {
        return new HttpException(
                413, "The body is larger than the " + maxBytes + " bytes that are taken here");
    }

    /** A stream up to a limit. */
    private static final class Limited extends InputStream {
        private final ReadableByteChannel body;
        private final long limit;
        private long left;

        Limited(ReadableByteChannel body, long limit) {
            this.body = body;
            this.limit = limit;
            left = limit;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (left < 0) {
                throw tooLarge(limit);
            }
            // One byte beyond the limit tells a body that is too large from one that is just as
            // large.
            int most = (int) Math.min(length, left == Long.MAX_VALUE ? left : left + 1);
            int count = body.read(ByteBuffer.wrap(to, offset, most));
            left -= Math.max(count, 0);
            if (left < 0) {
                throw tooLarge(limit);
            }
            return count;
        }
    }
}
