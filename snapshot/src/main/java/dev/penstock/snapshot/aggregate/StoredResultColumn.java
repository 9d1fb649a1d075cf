package dev.penstock.snapshot.aggregate;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Column;
import dev.penstock.query.Utf8;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.index.IndexedColumn;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import org.jspecify.annotations.Nullable;

/** Cells that are those of a stored column. */
public abstract class StoredResultColumn extends ResultColumn {
    private final CellReader reader;
    private final boolean @Nullable [] known;

    private StoredResultColumn(Column column, CellReader reader, boolean @Nullable [] known) {
        super(column);
        this.reader = requireNonNull(reader);
        this.known = known;
    }

    /** The cell of each row. */
    public static ResultColumn of(Column label, IndexedColumn column) {
        return new OfRows(label, column.reader(), column.stored());
    }

    /**
     * One cell for each group.
     *
     * @param cells what the reader reads them by
     * @param known which groups have one; the others' are NULL. Null for all
     */
    public static ResultColumn of(
            Column label, CellReader reader, long[] cells, boolean @Nullable [] known) {
        return new OfGroups(label, reader, cells, known);
    }

    /** What the reader reads a cell by. */
    abstract long cell(int row);

    private static final class OfRows extends StoredResultColumn {
        private final StoredColumn stored;

        private OfRows(Column column, CellReader reader, StoredColumn stored) {
            super(column, reader, null);
            this.stored = requireNonNull(stored);
        }

        @Override
        long cell(int row) {
            return stored.cell(row);
        }
    }

    private static final class OfGroups extends StoredResultColumn {
        private final long[] cells;

        private OfGroups(
                Column column, CellReader reader, long[] cells, boolean @Nullable [] known) {
            super(column, reader, known);
            this.cells = cells;
        }

        @Override
        long cell(int row) {
            return cells[row];
        }
    }

    /** Whether there is no cell, which is as good as NULL. */
    private boolean isAbsent(int row) {
        return known != null && !known[row];
    }

    public @Override boolean isNull(int row) {
        return isAbsent(row) || reader.isNull(cell(row));
    }

    @Override
    public @Nullable Utf8 text(int row) {
        return isAbsent(row) ? null : reader.text(cell(row));
    }

    public @Override boolean getBoolean(int row) {
        return !isAbsent(row) && reader.getBoolean(cell(row));
    }

    public @Override int getInt(int row) {
        return isAbsent(row) ? 0 : reader.getInt(cell(row));
    }

    public @Override long getLong(int row) {
        return isAbsent(row) ? 0 : reader.getLong(cell(row));
    }

    public @Override float getFloat(int row) {
        return isAbsent(row) ? 0 : reader.getFloat(cell(row));
    }

    public @Override double getDouble(int row) {
        return isAbsent(row) ? 0 : reader.getDouble(cell(row));
    }

    @Override
    public @Nullable BigDecimal getDecimal(int row) {
        return isAbsent(row) ? null : reader.getDecimal(cell(row));
    }

    public @Override byte @Nullable [] getBytes(int row) {
        return isAbsent(row) ? null : reader.getBytes(cell(row));
    }

    @Override
    public @Nullable LocalDate getDate(int row) {
        return isAbsent(row) ? null : reader.getDate(cell(row));
    }

    @Override
    public @Nullable LocalTime getTime(int row) {
        return isAbsent(row) ? null : reader.getTime(cell(row));
    }

    @Override
    public @Nullable LocalDateTime getTimestamp(int row) {
        return isAbsent(row) ? null : reader.getTimestamp(cell(row));
    }

    @Override
    public @Nullable Instant getInstant(int row) {
        return isAbsent(row) ? null : reader.getInstant(cell(row));
    }
}
