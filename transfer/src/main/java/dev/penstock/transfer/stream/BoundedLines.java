package dev.penstock.transfer.stream;

import dev.penstock.transfer.TransferException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a text, of which none may be longer than a bound: where {@link java.io.BufferedReader#readLine} would
 * hold gigabytes of a line without an end, this throws. A line ends with LF, CR LF, CR, or the text. It holds one line,
 * and 16 KiB for reading. Closing it closes the stream. For one thread at a time.
 */
public final class BoundedLines implements Closeable {
    private static final int BUFFER = 4 * 1024;
    private static final int FIRST_LINE = 128;

    private final Reader reader;
    private final int maxCharacters;
    private final char[] read = new char[BUFFER];
    private int from;
    private int to;
    private char[] line;
    private int length;

    /** How many lines were begun. */
    private long number;

    /** The line feed that may come now belongs to a carriage return before it. */
    private boolean skipsLineFeed;

    /** The line that was too long has not ended yet. */
    private boolean isWithinLine;

    private BoundedLines(Reader reader, int maxCharacters) {
        if (maxCharacters < 1) {
            throw new IllegalArgumentException(
                    "A line can have 1 character or more, not " + maxCharacters);
        }
        this.reader = reader;
        this.maxCharacters = maxCharacters;
        line = new char[Math.min(FIRST_LINE, maxCharacters)];
    }

    /**
     * The lines of a stream; bytes that the charset does not have become replacement characters.
     *
     * @param maxCharacters of a line, without its end, in UTF-16 as {@code String.length} counts; at least 1
     */
    public static BoundedLines of(InputStream in, Charset charset, int maxCharacters) {
        return new BoundedLines(new InputStreamReader(in, charset), maxCharacters);
    }

    /**
     * The lines of a stream, by a decoder that decides what happens to malformed bytes: a new one of {@code
     * StandardCharsets.UTF_8} has them fail with a {@link java.nio.charset.CharacterCodingException}.
     *
     * @param maxCharacters as above
     */
    public static BoundedLines of(InputStream in, CharsetDecoder decoder, int maxCharacters) {
        return new BoundedLines(new InputStreamReader(in, decoder), maxCharacters);
    }

    /**
     * Reads the next line. Returns as soon as its end has come.
     *
     * @return the line without its end; null if there is none
     * @throws TransferException of kind {@code TOO_LARGE} if it is too long; the next call goes on with the line behind
     * it
     */
    public @Nullable String readLine() throws IOException {
        if (isWithinLine) {
            while (!endOfLine(false)) {
                // Drops it.
            }
            isWithinLine = false;
        }
        length = 0;
        if (!fill()) {
            return null;
        }
        number++;
        while (!endOfLine(true)) {
            // Until its end.
        }
        return new String(line, 0, length);
    }

    /** Goes on to the end of the line, or of what was read. Returns whether the line has ended. */
    private boolean endOfLine(boolean keeps) throws IOException {
        if (!fill()) {
            return true;
        }
        int at = from;
        while (at < to && read[at] != '\n' && read[at] != '\r') {
            at++;
        }
        if (keeps) {
            keep(from, at);
        }
        from = at;
        if (at == to) {
            return false;
        }
        skipsLineFeed = read[from++] == '\r';
        return true;
    }

    private void keep(int start, int end) {
        int count = end - start;
        if (count > maxCharacters - length) {
            isWithinLine = true;
            throw new TransferException(
                    TransferException.Kind.TOO_LARGE,
                    "Line %d has more than %d characters, which is the limit: raise it, or read the text in chunks"
                            .formatted(number, maxCharacters));
        }
        if (count > line.length - length) {
            int wanted = (int) Math.min(maxCharacters, Math.max(2L * line.length, length + count));
            line = Arrays.copyOf(line, wanted);
        }
        System.arraycopy(read, start, line, length, count);
        length += count;
    }

    /** Has at least one character of what comes next at hand; returns false if there is none. */
    private boolean fill() throws IOException {
        if (skipsLineFeed && (from < to || readMore())) {
            skipsLineFeed = false;
            from += read[from] == '\n' ? 1 : 0;
        }
        return from < to || readMore();
    }

    private boolean readMore() throws IOException {
        int count = reader.read(read, 0, read.length);
        from = 0;
        to = Math.max(count, 0);
        return count > 0;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
