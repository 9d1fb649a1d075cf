package dev.penstock.format;

import dev.penstock.query.Utf8;
import java.io.IOException;
import java.io.Writer;
import java.nio.CharBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A writer of characters as UTF-8 to a channel, for template engines. It holds at most 16 KiB of bytes and 4 KiB of
 * characters, however long the page gets. A surrogate pair may be split over two calls; half a pair without its other
 * half becomes U+FFFD. Not thread-safe.
 *
 * <p>{@link #close} writes what is left and leaves the channel open: the channel is its owner's.
 */
public final class PageWriter extends Writer {
    private static final int CHARACTERS = 2048;
    private static final Escapes HTML = Escapes.html();
    private static final byte[] REPLACEMENT = {(byte) 0xEF, (byte) 0xBF, (byte) 0xBD};

    private final ByteOutput out;
    private final char[] characters = new char[CHARACTERS];
    private final CharBuffer input = CharBuffer.wrap(characters);
    private final CharsetEncoder encoder =
            StandardCharsets.UTF_8
                    .newEncoder()
                    .replaceWith(REPLACEMENT)
                    .onMalformedInput(CodingErrorAction.REPLACE)
                    .onUnmappableCharacter(CodingErrorAction.REPLACE);

    /** How many characters wait in the array: half a surrogate pair, or none. */
    private int waiting;

    /** A writer in front of {@code channel}, which it does not close. */
    public PageWriter(WritableByteChannel channel) {
        this.out = new ByteOutput(channel);
    }

    @Override
    public void write(int character) throws IOException {
        characters[waiting] = (char) character;
        encode(waiting + 1, false);
    }

    @Override
    public void write(char[] source, int offset, int length) throws IOException {
        int from = offset;
        int end = offset + length;
        while (from < end) {
            int part = Math.min(CHARACTERS - waiting, end - from);
            System.arraycopy(source, from, characters, waiting, part);
            from += part;
            encode(waiting + part, false);
        }
    }

    @Override
    public void write(String source, int offset, int length) throws IOException {
        int from = offset;
        int end = offset + length;
        while (from < end) {
            int part = Math.min(CHARACTERS - waiting, end - from);
            source.getChars(from, from + part, characters, waiting);
            from += part;
            encode(waiting + part, false);
        }
    }

    /**
     * Writes a cell's text without decoding it, such as the base64 of a picture. Nothing is escaped. Nothing is written
     * for null, a NULL cell.
     */
    public void write(@Nullable Utf8 text) throws IOException {
        endPair();
        if (text != null) {
            out.write(text.array(), text.offset(), text.length());
        }
    }

    /**
     * Writes a cell's text, escaped for an element or a quoted attribute of HTML. Control characters, which HTML can't
     * hold, become their pictures, and what is not UTF-8 becomes U+FFFD. Nothing is written for null, a NULL cell.
     */
    public void writeEscaped(@Nullable Utf8 text) throws IOException {
        endPair();
        if (text != null) {
            HTML.write(text, out);
        }
    }

    /** Writes a text, escaped likewise. */
    public void writeEscaped(String text) throws IOException {
        endPair();
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        HTML.write(utf8, 0, utf8.length, out);
    }

    /** Writes bytes that are UTF-8 already, such as a template's fixed parts. */
    public void write(byte[] utf8) throws IOException {
        endPair();
        out.write(utf8);
    }

    /** Hands everything to the channel, and has the channel send it where it is {@link java.io.Flushable}. */
    @Override
    public void flush() throws IOException {
        out.flush();
    }

    /** Writes what is left; does not close the channel. Closing twice does no harm. */
    @Override
    public void close() throws IOException {
        endPair();
        out.drain();
    }

    private void endPair() throws IOException {
        if (waiting > 0) {
            encode(waiting, true);
            encoder.reset();
        }
    }

    /** Encodes the first {@code count} characters of the array; half a pair at their end goes to its front. */
    private void encode(int count, boolean last) throws IOException {
        input.limit(count).position(0);
        while (encoder.encode(input, out.rest(), last).isOverflow()) {
            out.took();
            out.drain();
        }
        out.took();
        waiting = input.remaining();
        if (waiting > 0) {
            characters[0] = characters[count - 1];
        }
    }
}
