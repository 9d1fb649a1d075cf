package dev.penstock.format;

import dev.penstock.query.Cursor;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/**
 * Writes rows as bytes, one at a time, in a fixed amount of memory. Formats are immutable and thread-safe. More come
 * from outside as services of this type (see {@link java.util.ServiceLoader}).
 */
public interface RowFormat {
    /** The short name that URLs use, such as {@code csv}: lower-case letters and digits. */
    String name();

    /** The media type of what is written, with its charset where it has one. */
    String mediaType();

    /**
     * Writes the rows that are left in the cursor, with whatever comes before and after them. Closes neither.
     *
     * @throws IOException if the channel fails; what was written is then no complete answer
     * @throws dev.penstock.query.QueryException if the cursor fails; likewise
     */
    void write(Cursor rows, WritableByteChannel out) throws IOException;
}
