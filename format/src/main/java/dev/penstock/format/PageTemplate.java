package dev.penstock.format;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Cursor;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.function.Supplier;

/**
 * A page that is written while its rows are read: three callbacks, which any template engine can fill. {@link #write}
 * runs them. One row is in memory at a time.
 *
 * <pre>{@code
 * PageTemplate.write(page, () -> database.open(plan), exchange.body("text/html; charset=utf-8"));
 * }</pre>
 *
 * <p>The writer that the callbacks get is a {@link java.io.Writer}; it escapes nothing. It is theirs until they return;
 * they need not flush it.
 */
public interface PageTemplate {
    /** Writes what comes before the rows. It is sent before the query starts, so it can't show anything of the rows. */
    void header(PageWriter out) throws IOException;

    /** Writes the row that the cursor stands at. Must not call {@link Cursor#next} or {@link Cursor#close}. */
    void row(Cursor row, PageWriter out) throws IOException;

    /** Writes what comes after the rows, when the cursor has been closed. */
    void footer(Timings timings, PageWriter out) throws IOException;

    /**
     * Times of a page, in nanoseconds since {@link #write} was called.
     *
     * @param byteOne till the header was given to the channel
     * @param rowOne till the first row was there; -1 if there was none
     * @param close till the cursor, and with it the database's connection, was closed after the last row
     */
    record Timings(long byteOne, long rowOne, long close) {}

    /**
     * Writes a page: the header, which is flushed if the channel is {@link java.io.Flushable}, then every row, then the
     * footer. The channel stays open.
     *
     * @param page the callbacks
     * @param rows opens the cursor; called after the header has been sent. The cursor is closed here, on every path
     * @param out where the page goes, as UTF-8
     * @throws IOException if the channel fails; what was written is then no complete page
     * @throws dev.penstock.query.QueryException if the cursor fails; likewise
     */
    static void write(PageTemplate page, Supplier<? extends Cursor> rows, WritableByteChannel out)
            throws IOException {
        requireNonNull(page);
        requireNonNull(rows);
        long start = System.nanoTime();
        PageWriter writer = new PageWriter(out);
        page.header(writer);
        writer.flush();
        long byteOne = System.nanoTime() - start;
        long rowOne = -1;
        try (Cursor cursor = rows.get()) {
            while (cursor.next()) {
                if (rowOne < 0) {
                    rowOne = System.nanoTime() - start;
                }
                page.row(cursor, writer);
            }
        }
        page.footer(new Timings(byteOne, rowOne, System.nanoTime() - start), writer);
        writer.close();
    }
}
