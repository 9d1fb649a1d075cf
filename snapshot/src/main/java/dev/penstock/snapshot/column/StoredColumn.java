package dev.penstock.snapshot.column;

import dev.penstock.query.Column;

/** The cells of one column, outside the heap. Immutable; thread-safe. */
public sealed interface StoredColumn permits CodedColumn, TextColumn {
    /** Returns what it is in the database's schema. */
    Column column();

    /** Returns how many cells. */
    int rows();

    /** Returns how many of them are NULL. */
    int nulls();

    /** Returns whether a cell is NULL. */
    boolean isNull(int row);

    /** Returns what a {@link CellReader} reads the cell by: its code, or the row where it has none. */
    long cell(int row);

    /** Returns how many bytes it takes outside the heap. */
    long bytes();

    default boolean hasNulls() {
        return nulls() > 0;
    }
}
