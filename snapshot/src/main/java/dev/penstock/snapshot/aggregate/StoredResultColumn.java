package dev.penstock.snapshot.aggregate;

import dev.penstock.query.Column;
import dev.penstock.query.Utf8;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.index.IndexedColumn;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/** Cells that are those of a stored column. */
public final class StoredResultColumn extends ResultColumn {
    private final CellReader reader;
    private final IntToLongFunction cells;
    private final @Nullable IntPredicate known;

    private StoredResultColumn(
            Column label,
            CellReader reader,
            IntToLongFunction cells,
            @Nullable IntPredicate known) {
        super(label);
        this.reader = reader;
        this.cells = cells;
        this.known = known;
    }

    /** The cell of each row. */
    public static ResultColumn of(Column label, IndexedColumn column) {
        return new StoredResultColumn(label, column.reader(), column.stored()::cell, null);
    }

    /**
     * One cell for each group.
     *
     * @param cells what the column's reader reads them by
     * @param known which groups have one; the others' are NULL. Null for all
     */
    static ResultColumn of(
            Column label,
            IndexedColumn column,
            IntToLongFunction cells,
            @Nullable IntPredicate known) {
        return new StoredResultColumn(label, column.reader(), cells, known);
    }

    /** Whether there is no cell, which is as good as NULL. */
    private boolean isAbsent(int row) {
        return known != null && !known.test(row);
    }

    public @Override boolean isNull(int row) {
        return isAbsent(row) || reader.isNull(cells.applyAsLong(row));
    }

    @Override
    public @Nullable Utf8 text(int row) {
        return isAbsent(row) ? null : reader.text(cells.applyAsLong(row));
    }

    public @Override boolean getBoolean(int row) {
        return !isAbsent(row) && reader.getBoolean(cells.applyAsLong(row));
    }

    public @Override int getInt(int row) {
        return isAbsent(row) ? 0 : reader.getInt(cells.applyAsLong(row));
    }

    public @Override long getLong(int row) {
        return isAbsent(row) ? 0 : reader.getLong(cells.applyAsLong(row));
    }

    public @Override float getFloat(int row) {
        return isAbsent(row) ? 0 : reader.getFloat(cells.applyAsLong(row));
    }

    public @Override double getDouble(int row) {
        return isAbsent(row) ? 0 : reader.getDouble(cells.applyAsLong(row));
    }

    @Override
    public @Nullable BigDecimal getDecimal(int row) {
        return isAbsent(row) ? null : reader.getDecimal(cells.applyAsLong(row));
    }

    public @Override byte @Nullable [] getBytes(int row) {
        return isAbsent(row) ? null : reader.getBytes(cells.applyAsLong(row));
    }

    @Override
    public @Nullable LocalDate getDate(int row) {
        return isAbsent(row) ? null : reader.getDate(cells.applyAsLong(row));
    }

    @Override
    public @Nullable LocalTime getTime(int row) {
        return isAbsent(row) ? null : reader.getTime(cells.applyAsLong(row));
    }

    @Override
    public @Nullable LocalDateTime getTimestamp(int row) {
        return isAbsent(row) ? null : reader.getTimestamp(cells.applyAsLong(row));
    }

    @Override
    public @Nullable Instant getInstant(int row) {
        return isAbsent(row) ? null : reader.getInstant(cells.applyAsLong(row));
    }
}
