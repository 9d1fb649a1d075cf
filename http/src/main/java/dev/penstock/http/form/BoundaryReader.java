package dev.penstock.http.form;

import dev.penstock.http.HttpException;
import dev.penstock.http.message.StrictText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The bytes of a multipart body, read through one buffer, in which the delimiter between parts is looked for (RFC 2046,
 * section 5.1.1). For one thread.
 */
final class BoundaryReader {
    private static final int BUFFER = 16 * 1024;

    /** The most that may stand before the first boundary. */
    private static final int MOST_PREAMBLE = 8 * 1024;

    /** The most white space behind a boundary. */
    private static final int MOST_PADDING = 64;

    /** How many bytes of the delimiter are its line break. */
    private static final int LINE_BREAK = 2;

    private static final String NO_BOUNDARY =
            "The multipart body does not have the boundary that its Content-Type names";

    private final ReadableByteChannel channel;

    /** A line break, two hyphens and the boundary. */
    private final byte[] delimiter;

    /** By how much the search may go on when a byte stands where the delimiter's last would. */
    private final byte[] skips = new byte[256];

    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER).flip();
    private final byte[] array = buffer.array();

    /** How many bytes of the buffer, from its position on, are content of the part for certain. */
    private int content;

    /** Whether the delimiter stands behind them. */
    private boolean delimited;

    /** How many bytes that has. */
    private int delimiterBytes;

    private boolean ended;

    /** A reader from the beginning of a body on. */
    BoundaryReader(ReadableByteChannel channel, String boundary) {
        this.channel = channel;
        this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.US_ASCII);
        Arrays.fill(skips, (byte) delimiter.length);
        for (int i = 0; i < delimiter.length - 1; i++) {
            skips[delimiter[i] & 0xff] = (byte) (delimiter.length - 1 - i);
        }
    }

    /**
     * Skips the first delimiter, and what stands before it, which RFC 2046 tells recipients to leave out.
     *
     * @throws HttpException (400) if there is none, or too much before it
     */
    void skipFirstDelimiter() throws IOException {
        beginContent();
        int passed = 0;
        while (hasContent(NO_BOUNDARY)) {
            passed += content;
            skip(content);
            if (passed > MOST_PREAMBLE) {
                throw new HttpException(
                        400, NO_BOUNDARY + " within its first " + MOST_PREAMBLE + " bytes");
            }
        }
        skipDelimiter();
    }

    /**
     * Looks whether the boundary stands here at once, without the line break that is part of every other delimiter: at
     * the beginning of the body, and behind a head whose empty line is that line break, so that there is no content.
     */
    void beginContent() throws IOException {
        require(delimiter.length - LINE_BREAK);
        if (beginsWithBoundary()) {
            delimited = true;
            delimiterBytes = delimiter.length - LINE_BREAK;
        }
    }

    private boolean beginsWithBoundary() {
        int at = buffer.position();
        return buffer.remaining() >= delimiter.length - LINE_BREAK
                && Arrays.equals(
                        array,
                        at,
                        at + delimiter.length - LINE_BREAK,
                        delimiter,
                        LINE_BREAK,
                        delimiter.length);
    }

    /**
     * Reads what stands behind a delimiter: the end of its line, or the two hyphens that close the body; behind those,
     * what there is up to the body's end is passed over.
     *
     * @return whether a part follows
     */
    boolean skipDelimiterEnd() throws IOException {
        delimited = false;
        content = 0;
        require(2);
        if (startsWith((byte) '-', (byte) '-')) {
            skipEpilogue();
            return false;
        }
        for (int padding = 0; ; padding++) {
            require(2);
            if (startsWith((byte) '\r', (byte) '\n')) {
                buffer.position(buffer.position() + 2);
                return true;
            }
            byte b = buffer.hasRemaining() ? buffer.get() : 0;
            if ((b != ' ' && b != '\t') || padding > MOST_PADDING) {
                throw cut("A boundary in the multipart body is not the whole of its line");
            }
        }
    }

    private void skipEpilogue() throws IOException {
        do {
            buffer.position(buffer.limit());
        } while (fill());
    }

    /**
     * Reads a line of a part's head, without its line break.
     *
     * @param most how many bytes it may have
     * @return the line as UTF-8, and how many bytes it took with its line break
     * @throws HttpException (413) if it has more
     */
    Line line(int most) throws IOException {
        int length = 0;
        while (true) {
            if (buffer.remaining() <= length + 1 && !fill()) {
                throw cut("The head of a part is not complete");
            }
            int at = buffer.position() + length;
            if (array[at] == '\r' && buffer.remaining() > length + 1) {
                if (array[at + 1] != '\n') {
                    throw cut("The head of a part has a CR without LF");
                }
                String text = utf8(array, buffer.position(), length);
                buffer.position(at + 2);
                return new Line(text, length + 2);
            }
            if (array[at] == '\n') {
                throw cut("The head of a part has an LF without CR");
            }
            if (array[at] != '\r') {
                length++;
            }
            if (length > most) {
                throw new HttpException(
                        413,
                        "The head of a part is longer than the " + most + " bytes left for it");
            }
        }
    }

    /** Returns whether the part's content goes on; looks at further bytes where none are certain. */
    boolean hasContent() throws IOException {
        return hasContent("The body ends within a part, before its closing boundary");
    }

    private boolean hasContent(String cut) throws IOException {
        while (content == 0 && !delimited) {
            search();
            if (content == 0 && !delimited && !fill()) {
                throw new HttpException(400, cut);
            }
        }
        return content > 0;
    }

    /** Moves content that is certain. Returns how many bytes. */
    int read(ByteBuffer to) {
        int count = Math.min(content, to.remaining());
        to.put(array, buffer.position(), count);
        skip(count);
        return count;
    }

    /** Passes over content that is certain. */
    void skip(int count) {
        buffer.position(buffer.position() + count);
        content -= count;
    }

    /** How many bytes of content are certain. */
    int content() {
        return content;
    }

    /** Content that is certain, to be read before anything else is called. */
    ByteBuffer contentBuffer() {
        return buffer.slice(buffer.position(), content).asReadOnlyBuffer();
    }

    /** Passes over the delimiter behind the content. */
    void skipDelimiter() {
        buffer.position(buffer.position() + delimiterBytes);
    }

    /**
     * Looks for the delimiter in what is in the buffer (Horspool, "Practical fast searching in strings", 1980). Without
     * it, all bytes are content but the last ones that may be its beginning.
     */
    private void search() {
        int last = delimiter.length - 1;
        int at = buffer.position();
        while (at + last < buffer.limit()) {
            int i = last;
            while (i >= 0 && array[at + i] == delimiter[i]) {
                i--;
            }
            if (i < 0) {
                content = at - buffer.position();
                delimited = true;
                delimiterBytes = delimiter.length;
                return;
            }
            at += skips[array[at + last] & 0xff];
        }
        // None begins before this place.
        content = at - buffer.position();
    }

    private void require(int bytes) throws IOException {
        boolean more = true;
        while (more && buffer.remaining() < bytes) {
            more = fill();
        }
    }

    private boolean startsWith(byte first, byte second) {
        return buffer.remaining() >= 2
                && array[buffer.position()] == first
                && array[buffer.position() + 1] == second;
    }

    /** Reads further bytes behind those in the buffer. Returns whether there were any. */
    private boolean fill() throws IOException {
        if (ended) {
            return false;
        }
        buffer.compact();
        int count = channel.read(buffer);
        buffer.flip();
        ended = count < 0;
        return !ended;
    }

    private static String utf8(byte[] bytes, int from, int length) {
        try {
            return StrictText.decode(bytes, from, length, StandardCharsets.UTF_8);
        } catch (CharacterCodingException e) {
            throw new HttpException(400, "The head of a part is not UTF-8", e);
        }
    }

    private HttpException cut(String what) {
        return new HttpException(
                400, what + (ended ? "; the body ends there, before its closing boundary" : ""));
    }

    /** A line, and how many bytes it took. */
    record Line(String text, int bytes) {}
}
