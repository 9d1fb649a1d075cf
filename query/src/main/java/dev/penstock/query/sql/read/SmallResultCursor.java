package dev.penstock.query.sql.read;

import dev.penstock.query.Column;
import dev.penstock.query.Cursor;
import dev.penstock.query.Utf8;
import dev.penstock.query.sql.statement.ResultTooLargeException;
import dev.penstock.query.sql.statement.SqlQuery;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over a result that is expected to be small: it is read at once, in a single round trip. What it may take of
 * the heap is reserved first; where that is not to be had, or where the answer is longer than was thought, the query is
 * run in the way that streams. Nothing has been handed out by then.
 */
public final class SmallResultCursor implements Cursor {
    private final SqlQuery query;
    private final ByteBudget budget;
    private final Supplier<Cursor> atOnce;
    private final Supplier<Cursor> streaming;
    private volatile @Nullable Cursor cursor;
    private volatile boolean cancelled;
    private final boolean watched;
    private @Nullable Runnable hold;
    private boolean closed;

    /**
     * @param query as it streams
     * @param atOnce opens the short answer; its first row may fail with {@link ResultTooLargeException}
     * @param watched whether nobody is sure to close this
     */
    public SmallResultCursor(
            SqlQuery query,
            ByteBudget budget,
            Supplier<Cursor> atOnce,
            Supplier<Cursor> streaming,
            boolean watched) {
        this.watched = watched;
        this.query = query;
        this.budget = budget;
        this.atOnce = atOnce;
        this.streaming = streaming;
    }

    @Override
    public List<Column> columns() {
        return query.columns();
    }

    @Override
    public boolean next() {
        Cursor running = cursor;
        boolean found = false;
        try {
            found = running == null ? first() : running.next();
        } finally {
            if (!found) {
                release();
            }
        }
        return found;
    }

    private boolean first() {
        ByteBudget.Reservation reserved = closed ? null : budget.reserveNow(query.bytesAtOnce());
        if (reserved == null) {
            return start(streaming);
        }
        hold = watched ? LeakedCursor.releasing(this, reserved) : reserved::release;
        try {
            return start(atOnce);
        } catch (ResultTooLargeException e) {
            release();
            query.template().length().wasWrong();
            return start(streaming);
        }
    }

    private boolean start(Supplier<Cursor> opening) {
        Cursor opened = opening.get();
        cursor = opened;
        if (closed) {
            opened.close();
        }
        if (cancelled) {
            opened.cancel();
        }
        return opened.next();
    }

    @Override
    public void cancel() {
        cancelled = true;
        Cursor running = cursor;
        if (running != null) {
            running.cancel();
        }
    }

    @Override
    public void close() {
        closed = true;
        Cursor running = cursor;
        try {
            if (running != null) {
                running.close();
            }
        } finally {
            release();
        }
    }

    private void release() {
        Runnable held = hold;
        hold = null;
        if (held != null) {
            held.run();
        }
    }

    private Cursor row() {
        Cursor running = cursor;
        if (running == null) {
            throw new IllegalStateException("the cursor is not on a row");
        }
        return running;
    }

    @Override
    public boolean isNull(int column) {
        return row().isNull(column);
    }

    @Override
    public boolean getBoolean(int column) {
        return row().getBoolean(column);
    }

    @Override
    public int getInt(int column) {
        return row().getInt(column);
    }

    @Override
    public long getLong(int column) {
        return row().getLong(column);
    }

    @Override
    public float getFloat(int column) {
        return row().getFloat(column);
    }

    @Override
    public double getDouble(int column) {
        return row().getDouble(column);
    }

    @Override
    public @Nullable BigDecimal getDecimal(int column) {
        return row().getDecimal(column);
    }

    @Override
    public @Nullable String getString(int column) {
        return row().getString(column);
    }

    @Override
    public byte @Nullable [] getBytes(int column) {
        return row().getBytes(column);
    }

    @Override
    public @Nullable LocalDate getDate(int column) {
        return row().getDate(column);
    }

    @Override
    public @Nullable LocalTime getTime(int column) {
        return row().getTime(column);
    }

    @Override
    public @Nullable LocalDateTime getTimestamp(int column) {
        return row().getTimestamp(column);
    }

    @Override
    public @Nullable Instant getInstant(int column) {
        return row().getInstant(column);
    }

    @Override
    public @Nullable Utf8 text(int column) {
        return row().text(column);
    }

    @Override
    public @Nullable Utf8 wideBytes(int column) {
        return row().wideBytes(column);
    }
}
