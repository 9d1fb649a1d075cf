package dev.penstock.transfer.client.rows;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The whole rows of one export that comes in one response or several.
 *
 * <p>It holds the row that is not whole yet, the last that was, and 64 KiB that are about to be written. It is for
 * one thread.
 */
public abstract sealed class RowAssembler permits LineRows, JsonArrayRows {
    private static final int BATCH_BYTES = 64 * 1024;
    private static final long MAX_ROW_BYTES =
            Math.clamp(Runtime.getRuntime().maxMemory() / 8, 1 << 20, 1 << 28);

    Bytes row = new Bytes();

    private final Output output;
    private final ByteBuffer batch = ByteBuffer.allocate(BATCH_BYTES);
    private Bytes last = new Bytes();
    private long count;
    private long end;
    private long lastStart;

    /** A taker of whole rows. */
    public interface Output {
        /** Writes all of a buffer. */
        void write(ByteBuffer bytes) throws IOException, InterruptedException;
    }

    RowAssembler(Output output) {
        this.output = output;
    }

    /** Makes the assembler for a media type; nothing where rows can't be told apart in it. */
    public static Optional<RowAssembler> of(String mediaType, Output output) {
        return switch (bare(mediaType)) {
            case "text/csv" -> Optional.of(new LineRows(output, true));
            case "application/x-ndjson" -> Optional.of(new LineRows(output, false));
            case "application/json" -> Optional.of(new JsonArrayRows(output));
            default -> Optional.empty();
        };
    }

    /** The media type without its parameters, in lower case. */
    public static String bare(String mediaType) {
        int parameters = mediaType.indexOf(';');
        return (parameters < 0 ? mediaType : mediaType.substring(0, parameters))
                .strip()
                .toLowerCase(Locale.ROOT);
    }

    /**
     * Takes over what an earlier process has written.
     *
     * @param head the beginning of it, as far as the line of names where it has one
     * @param lastRow the last whole row
     * @param lastStart its position
     * @param rows the number of rows
     */
    public void resume(byte[] head, byte[] lastRow, long lastStart, long rows) {
        last.clear();
        last.add(lastRow, 0, lastRow.length);
        this.lastStart = lastStart;
        end = lastStart + lastRow.length;
        count = rows;
    }

    /** Begins with a response: the first, or one that goes on where the one before broke off. */
    public void begin() {
        row.clear();
    }

    /** Takes bytes of the response. */
    public abstract void take(ByteBuffer bytes) throws IOException, InterruptedException;

    /**
     * Ends the export: the response has ended properly.
     *
     * @throws IOException when it has not, after all
     */
    public abstract void finish() throws IOException, InterruptedException;

    /** The values of columns in the last whole row, NULL being nothing. */
    public abstract List<Optional<String>> values(List<String> columns);

    /** The number of whole rows. */
    public long rows() {
        return count;
    }

    /** The position behind the last byte that was given to the output, or is about to be. */
    public long end() {
        return end;
    }

    /** The position of the last whole row. */
    public long lastStart() {
        return lastStart;
    }

    /** Gives what is held of whole rows to the output. */
    public void flush() throws IOException, InterruptedException {
        batch.flip();
        if (batch.hasRemaining()) {
            output.write(batch);
        }
        batch.clear();
    }

    Bytes last() {
        return last;
    }

    /** Writes the row, which is whole, and begins with the next. */
    void writeRow() throws IOException, InterruptedException {
        write(row);
        lastStart = end - row.length();
        count++;
        Bytes before = last;
        last = row;
        row = before;
        row.clear();
    }

    void write(Bytes bytes) throws IOException, InterruptedException {
        end += bytes.length();
        if (bytes.length() > batch.remaining()) {
            flush();
        }
        if (bytes.length() > batch.capacity()) {
            output.write(bytes.buffer());
        } else {
            batch.put(bytes.buffer());
        }
    }

    void addToRow(byte[] from, int offset, int length) {
        if (row.length() + (long) length > MAX_ROW_BYTES) {
            throw new TransferException(
                    Kind.TOO_LARGE,
                    ("Row %d has more than %d bytes; leave its widest columns out by select, or give this program"
                                    + " more heap")
                            .formatted(count + 1, MAX_ROW_BYTES));
        }
        row.add(from, offset, length);
    }
}
