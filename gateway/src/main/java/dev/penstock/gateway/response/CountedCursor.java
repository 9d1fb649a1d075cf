package dev.penstock.gateway.response;

import dev.penstock.query.Column;
import dev.penstock.query.Cursor;
import dev.penstock.query.Utf8;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cursor that has something done before it gives more rows than a short request reads. */
public final class CountedCursor implements Cursor {
    private final Cursor rows;
    private final Runnable beyond;
    private long count;

    /**
     * @param rows closed with this
     * @param beyond called once, when row {@value #SHORT_ROWS} + 1 has come
     */
    public CountedCursor(Cursor rows, Runnable beyond) {
        this.rows = rows;
        this.beyond = beyond;
    }

    @Override
    public boolean next() {
        boolean some = rows.next();
        if (some && ++count == TableSizes.SHORT_ROWS + 1) {
            beyond.run();
        }
        return some;
    }

    @Override
    public List<Column> columns() {
        return rows.columns();
    }

    @Override
    public boolean isNull(int column) {
        return rows.isNull(column);
    }

    @Override
    public boolean getBoolean(int column) {
        return rows.getBoolean(column);
    }

    @Override
    public int getInt(int column) {
        return rows.getInt(column);
    }

    @Override
    public long getLong(int column) {
        return rows.getLong(column);
    }

    @Override
    public float getFloat(int column) {
        return rows.getFloat(column);
    }

    @Override
    public double getDouble(int column) {
        return rows.getDouble(column);
    }

    @Override
    public @Nullable BigDecimal getDecimal(int column) {
        return rows.getDecimal(column);
    }

    @Override
    public @Nullable String getString(int column) {
        return rows.getString(column);
    }

    @Override
    public byte @Nullable [] getBytes(int column) {
        return rows.getBytes(column);
    }

    @Override
    public @Nullable LocalDate getDate(int column) {
        return rows.getDate(column);
    }

    @Override
    public @Nullable LocalTime getTime(int column) {
        return rows.getTime(column);
    }

    @Override
    public @Nullable LocalDateTime getTimestamp(int column) {
        return rows.getTimestamp(column);
    }

    @Override
    public @Nullable Instant getInstant(int column) {
        return rows.getInstant(column);
    }

    @Override
    public @Nullable Utf8 text(int column) {
        return rows.text(column);
    }

    @Override
    public @Nullable Utf8 wideBytes(int column) {
        return rows.wideBytes(column);
    }

    @Override
    public void cancel() {
        rows.cancel();
    }

    @Override
    public void close() {
        rows.close();
    }
}
