package dev.penstock.snapshot.build;

import dev.penstock.query.Cursor;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.Memory;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The cells of a column while it is loaded, in one of the ways in which they can be kept. Not thread-safe. */
sealed interface ColumnBuilder
        permits NumberColumnBuilder, DictionaryColumnBuilder, TextColumnBuilder {
    /**
     * Adds a cell of the cursor's row that is not NULL; false, and nothing is added, where it can't be kept in this
     * way.
     */
    boolean add(Cursor cursor, int index);

    void addNull();

    /**
     * Adds the cells of another, which is of the same class and not used after that; false, and nothing is added, where
     * they can't be kept so.
     */
    boolean addAll(ColumnBuilder other);

    /**
     * Adds cells of a column that is complete; false, and nothing is added, where they can't be kept in this way.
     *
     * @param rows which of them
     */
    boolean addAll(StoredColumn cells, BitSet rows);

    /** How many kinds of values can be kept: more than in a way of a lower rank. */
    default int rank() {
        return switch (this) {
            case NumberColumnBuilder _ -> 0;
            case DictionaryColumnBuilder _ -> 1;
            case TextColumnBuilder _ -> 2;
        };
    }

    /** The same cells, kept in a way that has room for more kinds of values. */
    ColumnBuilder wider();

    /**
     * The column; null where its cells need {@link #wider} after all.
     *
     * @param order gives the row that comes at a place; null for the one in which they were added
     */
    @Nullable StoredColumn build(Memory memory, @Nullable Longs order);
}
