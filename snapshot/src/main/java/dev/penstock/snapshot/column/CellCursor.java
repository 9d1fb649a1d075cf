package dev.penstock.snapshot.column;

import dev.penstock.query.Cursor;
import dev.penstock.query.Utf8;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import org.jspecify.annotations.Nullable;

/** A cursor whose cells are read by {@link CellReader}s. */
public abstract class CellCursor implements Cursor {
    /**
     * Returns the reader of a cell of the present row; null where there is no cell, which is as good as NULL.
     *
     * @throws IllegalStateException if the cursor is on no row
     */
    protected abstract @Nullable CellReader reader(int column);

    /** Returns what the reader reads a cell of the present row by. */
    protected abstract long cell(int column);

    @Override
    public final boolean isNull(int column) {
        CellReader reader = reader(column);
        return reader == null || reader.isNull(cell(column));
    }

    @Override
    public final boolean getBoolean(int column) {
        CellReader reader = reader(column);
        return reader != null && reader.getBoolean(cell(column));
    }

    @Override
    public final int getInt(int column) {
        CellReader reader = reader(column);
        return reader == null ? 0 : reader.getInt(cell(column));
    }

    @Override
    public final long getLong(int column) {
        CellReader reader = reader(column);
        return reader == null ? 0 : reader.getLong(cell(column));
    }

    @Override
    public final float getFloat(int column) {
        CellReader reader = reader(column);
        return reader == null ? 0 : reader.getFloat(cell(column));
    }

    @Override
    public final double getDouble(int column) {
        CellReader reader = reader(column);
        return reader == null ? 0 : reader.getDouble(cell(column));
    }

    @Override
    public final @Nullable BigDecimal getDecimal(int column) {
        CellReader reader = reader(column);
        return reader == null ? null : reader.getDecimal(cell(column));
    }

    @Override
    public final @Nullable String getString(int column) {
        CellReader reader = reader(column);
        return reader == null ? null : reader.getString(cell(column));
    }

    @Override
    public final byte @Nullable [] getBytes(int column) {
        CellReader reader = reader(column);
        return reader == null ? null : reader.getBytes(cell(column));
    }

    @Override
    public final @Nullable LocalDate getDate(int column) {
        CellReader reader = reader(column);
        return reader == null ? null : reader.getDate(cell(column));
    }

    @Override
    public final @Nullable LocalTime getTime(int column) {
        CellReader reader = reader(column);
        return reader == null ? null : reader.getTime(cell(column));
    }

    @Override
    public final @Nullable LocalDateTime getTimestamp(int column) {
        CellReader reader = reader(column);
        return reader == null ? null : reader.getTimestamp(cell(column));
    }

    @Override
    public final @Nullable Instant getInstant(int column) {
        CellReader reader = reader(column);
        return reader == null ? null : reader.getInstant(cell(column));
    }

    @Override
    public final @Nullable Utf8 text(int column) {
        CellReader reader = reader(column);
        return reader == null ? null : reader.text(cell(column));
    }
}
