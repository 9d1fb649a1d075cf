package dev.penstock.snapshot.column;

import dev.penstock.query.Column;

/** The cells of one column, outside the heap. Immutable; thread-safe. */
public sealed interface StoredColumn permits CodedColumn, TextColumn {
    /** What it is in the database's schema. */
    Column column();

    /** How many cells. */
    int rows();

    /** How many of them are NULL. */
    int nulls();

    /** Whether a cell is NULL. */
    boolean isNull(int row);

    /** What a {@link CellReader} reads the cell by: its code, or the row where it has none. */
    long cell(int row);

    /** Bytes outside the heap. */
    long bytes();

    default boolean hasNulls() {
        return nulls() > 0;
    }
}
