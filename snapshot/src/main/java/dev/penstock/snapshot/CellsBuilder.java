package dev.penstock.snapshot;

import dev.penstock.query.Cursor;
import org.jspecify.annotations.Nullable;

/** The cells of a column while it is loaded, in one of the ways in which they can be kept. Not thread-safe. */
sealed interface CellsBuilder permits WholeBuilder, ListedBuilder, TextBuilder {
    /** Adds a cell of the cursor's row that is not NULL; false, and nothing is added, where it can't be kept in this way. */
    boolean add(Cursor cursor, int index);

    void addNull();

    /** The same cells, kept in a way that has room for more kinds of values. */
    CellsBuilder wider();

    /**
     * The column; null where its cells need {@link #wider} after all.
     *
     * @param order gives the row that comes at a place; null for the one in which they were added
     */
    @Nullable StoredColumn build(Memory memory, @Nullable Longs order);
}
