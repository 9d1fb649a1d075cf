package dev.penstock.http.http1;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.penstock.http.exchange.MalformedRequest;
import dev.penstock.http.message.RequestHeaders;
import dev.penstock.http.message.Syntax;
import dev.penstock.http.message.TrailerNames;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/**
 * The framing of a chunked body (RFC 9112, section 7.1), by the letter: whatever two servers could read in two ways is
 * refused. A line ends with CR LF alone, a size is hexadecimal digits, an extension is what its grammar says, trailers
 * are checked as header lines are. Extensions mean nothing here. How much of both may come is bounded; a trailer that
 * another server could take for a header of the request is refused.
 */
final class ChunkedBody {
    private static final int MOST_LINE = 256;
    private static final int MOST_EXTENSION_BYTES = 16 * 1024;

    /** Sizes below 2^60. */
    private static final int MOST_DIGITS = 15;

    private final long maxBytes;
    private final int largestContent;
    private final int maxTrailers;
    private final int maxTrailerBytes;

    private Part part = Part.SIZE;
    private long rest;
    private long announced;

    /** How far the current line has been looked at, from the reader index on. */
    private int scanned;

    private int extensionBytes;
    private int trailers;
    private int trailerBytes;
    private RequestHeaders.@Nullable Packer fields;

    private enum Part {
        SIZE,
        DATA,
        DATA_END,
        TRAILERS,
        OVER
    }

    ChunkedBody(long maxBytes, int largestContent, int maxTrailers, int maxTrailerBytes) {
        this.maxBytes = maxBytes;
        this.largestContent = largestContent;
        this.maxTrailers = maxTrailers;
        this.maxTrailerBytes = maxTrailerBytes;
    }

    /**
     * Takes what comes next: some of the body, or its end.
     *
     * @return null where more bytes are needed
     * @throws MalformedRequest if they are none of a chunked body
     */
    @Nullable HttpContent next(ByteBuf in) {
        while (in.isReadable()) {
            switch (part) {
                case SIZE -> {
                    if (!readSize(in)) {
                        return null;
                    }
                }
                case DATA -> {
                    int bytes = (int) Math.min(rest, Math.min(in.readableBytes(), largestContent));
                    rest -= bytes;
                    part = rest == 0 ? Part.DATA_END : part;
                    return new DefaultHttpContent(in.readRetainedSlice(bytes));
                }
                case DATA_END -> {
                    if (!readDataEnd(in)) {
                        return null;
                    }
                }
                case TRAILERS -> {
                    if (!readTrailer(in)) {
                        return null;
                    }
                }
                case OVER -> throw new IllegalStateException("The body is over");
            }
            if (part == Part.OVER) {
                return fields == null
                        ? LastHttpContent.EMPTY_LAST_CONTENT
                        : new LastChunk(fields.pack());
            }
        }
        return null;
    }

    private boolean readSize(ByteBuf in) {
        int length = line(in, MOST_LINE, 400, "a line of more than 256 bytes before a chunk");
        if (length < 0) {
            return false;
        }
        int at = in.readerIndex();
        int end = at + length;
        long size = 0;
        int digits = 0;
        while (at < end && Character.digit(in.getByte(at), 16) >= 0) {
            size = size << 4 | Character.digit(in.getByte(at), 16);
            digits += size == 0 ? 0 : 1;
            at++;
        }
        if (at == in.readerIndex() || digits > MOST_DIGITS) {
            throw new MalformedRequest(
                    400, "a chunk whose size is no hexadecimal number below 2^60");
        }
        checkExtension(in, at, end);
        if (size > maxBytes - announced) {
            throw new MalformedRequest(
                    413, "a body of more than %d bytes, the limit".formatted(maxBytes));
        }
        announced += size;
        in.readerIndex(end + 2);
        rest = size;
        part = size == 0 ? Part.TRAILERS : Part.DATA;
        return true;
    }

    private void checkExtension(ByteBuf in, int from, int to) {
        if (!ChunkExtension.isValid(in, from, to)) {
            throw new MalformedRequest(
                    400, "a chunk with something behind its size that is no extension");
        }
        extensionBytes += to - from;
        if (extensionBytes > MOST_EXTENSION_BYTES) {
            throw new MalformedRequest(
                    400, "more than %d bytes of chunk extensions".formatted(MOST_EXTENSION_BYTES));
        }
    }

    private boolean readDataEnd(ByteBuf in) {
        int at = in.readerIndex();
        boolean whole = in.readableBytes() >= 2;
        if (in.getByte(at) != '\r' || (whole && in.getByte(at + 1) != '\n')) {
            throw new MalformedRequest(400, "a chunk that is longer than its size");
        }
        if (whole) {
            in.skipBytes(2);
            part = Part.SIZE;
        }
        return whole;
    }

    private boolean readTrailer(ByteBuf in) {
        int length =
                line(
                        in,
                        maxTrailerBytes - trailerBytes,
                        431,
                        "trailers longer than headers may be");
        if (length < 0) {
            return false;
        }
        if (length > 0) {
            if (++trailers > maxTrailers) {
                throw new MalformedRequest(431, "more than %d trailers".formatted(maxTrailers));
            }
            HeadReader.checkField(in, in.readerIndex(), in.readerIndex() + length);
            checkTrailer(in, in.readerIndex());
            RequestHeaders.Packer known = fields == null ? new RequestHeaders.Packer() : fields;
            HeadReader.addField(in, in.readerIndex(), in.readerIndex() + length, known);
            fields = known;
            trailerBytes += length + 2;
        }
        in.skipBytes(length + 2);
        part = length == 0 ? Part.OVER : part;
        return true;
    }

    private static void checkTrailer(ByteBuf in, int start) {
        int colon = in.indexOf(start, in.writerIndex(), (byte) ':');
        if (!TrailerNames.isAllowedInRequest(in.toString(start, colon - start, US_ASCII))) {
            throw new MalformedRequest(400, "a trailer that only a header may be");
        }
    }

    /** Returns the length of the line at the reader index, without its end; -1 where not all of it is there. */
    private int line(ByteBuf in, int most, int status, String tooLong) {
        int start = in.readerIndex();
        int readable = in.readableBytes();
        for (; scanned < readable; scanned++) {
            byte b = in.getByte(start + scanned);
            boolean afterReturn = scanned > 0 && in.getByte(start + scanned - 1) == '\r';
            if (b == '\n' && afterReturn) {
                int length = scanned - 1;
                scanned = 0;
                return length;
            }
            if (b == '\n' || afterReturn || (b != '\r' && !Syntax.isFieldByte(b))) {
                throw new MalformedRequest(
                        400,
                        "a body with a control character, or a bare CR or LF, around its chunks");
            }
            if (scanned >= most) {
                throw new MalformedRequest(status, tooLong);
            }
        }
        return -1;
    }
}
