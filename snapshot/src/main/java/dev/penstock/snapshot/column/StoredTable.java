package dev.penstock.snapshot.column;

import dev.penstock.query.Table;
import java.util.List;

/**
 * The rows of a table as they were at one moment, in the order of its key where it has one. Row numbers are from 0.
 * Immutable but for the indexes that its columns build when they are first needed; thread-safe.
 *
 * @param table what it is a copy of
 * @param columns one for each of the table's, in its order
 * @param rows how many
 */
public record StoredTable(Table table, List<StoredColumn> columns, int rows) {
    /** Rows that are looked at together. */
    public static final int BLOCK_ROWS = 4096;

    public StoredTable {
        columns = List.copyOf(columns);
        if (columns.size() != table.columns().size()) {
            throw new IllegalArgumentException(
                    "%d columns for the %d of table %s"
                            .formatted(columns.size(), table.columns().size(), table.name()));
        }
        for (StoredColumn column : columns) {
            if (column.rows() != rows) {
                throw new IllegalArgumentException(
                        "column %s has %d rows, not %d"
                                .formatted(column.column().name(), column.rows(), rows));
            }
        }
    }

    /** Returns the column of exactly that name. */
    public StoredColumn column(String name) {
        return columns.get(table.columns().indexOf(table.column(name)));
    }

    /** Gives back the codes of a table that nobody else has. */
    public void free() {
        for (StoredColumn column : columns) {
            if (column instanceof CodedColumn coded) {
                coded.codes().free();
            }
        }
    }

    /** Returns how many bytes it takes outside the heap, without indexes. */
    public long bytes() {
        return columns.stream().mapToLong(StoredColumn::bytes).sum();
    }
}
