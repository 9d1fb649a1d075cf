package dev.penstock.query;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the rows of a plan's answer, forward only, one at a time, with no object a row. Columns are counted from
 * 0. Getters read the row that the last {@link #next} came to; what they give for a NULL is said at each.
 *
 * <p>Memory: a cursor holds one bounded batch of rows at the most, whatever the size of the answer.
 *
 * <p>A cursor is used by one thread at a time; only {@link #cancel} may be called from any thread. Whoever opened it
 * closes it; closing twice does no harm.
 */
public interface Cursor extends AutoCloseable {
    /** Returns the columns of a row, in order. */
    List<Column> columns();

    /**
     * Comes to the next row.
     *
     * @return false when there is none; the cursor then holds nothing of the database any more
     * @throws QueryException if the database fails, a row is too wide, or the cursor was cancelled or closed
     */
    boolean next();

    /** Returns whether the cell is NULL. */
    boolean isNull(int column);

    /** Returns a {@code BOOLEAN}; false for NULL. */
    boolean getBoolean(int column);

    /** Returns an {@code INT}; 0 for NULL. */
    int getInt(int column);

    /** Returns an {@code INT} or {@code LONG}; 0 for NULL. */
    long getLong(int column);

    /** Returns a {@code FLOAT} or any other number, rounded; 0 for NULL. */
    float getFloat(int column);

    /** Returns a {@code DOUBLE} or any other number, rounded; 0 for NULL. */
    double getDouble(int column);

    /** Returns a {@code DECIMAL}, {@code INT} or {@code LONG}, exactly; null for NULL. */
    @Nullable BigDecimal getDecimal(int column);

    /** Any cell's canonical text (see {@link ColumnType}); null for NULL. */
    @Nullable String getString(int column);

    /** A {@code BINARY}'s bytes; null for NULL. The array is the caller's. */
    byte @Nullable [] getBytes(int column);

    /**
     * The bytes of a {@code BINARY} that the cursor holds as they are, because it is so long that its text, a third
     * longer, should not be made at once; null for all others. Valid until the next call to this cursor.
     */
    default @Nullable Utf8 wideBytes(int column) {
        return null;
    }

    /** Returns a {@code DATE}; null for NULL. */
    @Nullable LocalDate getDate(int column);

    /** Returns a {@code TIME}; null for NULL. */
    @Nullable LocalTime getTime(int column);

    /** Returns a {@code TIMESTAMP}; null for NULL. */
    @Nullable LocalDateTime getTimestamp(int column);

    /** Returns a {@code TIMESTAMP_UTC}; null for NULL. */
    @Nullable Instant getInstant(int column);

    /**
     * Any cell's canonical text as UTF-8, without making an object. The view and its bytes are valid until the next
     * call to this cursor.
     *
     * @return null for NULL
     */
    @Nullable Utf8 text(int column);

    /**
     * Ends the query from outside: the database is told to cancel it, and the thread that reads gets a {@link
     * QueryException} of kind {@code CANCELLED}. Does not wait for that. The reading thread still closes the cursor.
     */
    void cancel();

    /**
     * Gives everything back: result set, statement, transaction, connection, in that order; see the engine for what it
     * cancels.
     */
    @Override
    void close();
}
