package dev.penstock.snapshot.build;

import dev.penstock.query.Column;
import dev.penstock.query.Cursor;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.column.TextCompression;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.Memory;
import java.util.BitSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The cells of a column while it is loaded, in one of the ways in which they can be kept. Not thread-safe. */
abstract sealed class ColumnBuilder
        permits NumberColumnBuilder, DictionaryColumnBuilder, TextColumnBuilder {
    final Column column;
    final Memory.Scratch scratch;
    final TextCompression compression;

    /** The cells that are NULL. */
    final BitSet nulls = new BitSet();

    ColumnBuilder(Column column, Memory.Scratch scratch, TextCompression compression) {
        this.column = column;
        this.scratch = scratch;
        this.compression = compression;
    }

    /** Returns how many cells there are. */
    abstract int size();

    /**
     * Adds a cell of the cursor's row that is not NULL; false, and nothing is added, where it can't be kept in this
     * way.
     */
    abstract boolean add(Cursor cursor, int index);

    final void addNull() {
        nulls.set(size());
        addNothing();
    }

    /** Adds a cell that is none of the values. */
    abstract void addNothing();

    /**
     * Adds the cells of another, which is of the same class and not used after that; false, and nothing is added, where
     * they can't be kept so.
     */
    abstract boolean addAll(ColumnBuilder other);

    /** Adds each cell of another: those that are NULL here, the others by their numbers. */
    final void addEach(ColumnBuilder other, IntConsumer add) {
        for (int i = 0; i < other.size(); i++) {
            if (other.nulls.get(i)) {
                addNull();
            } else {
                add.accept(i);
            }
        }
    }

    /**
     * Adds cells of a column that is complete; false, and nothing is added, where they can't be kept in this way.
     *
     * @param rows which of them
     */
    abstract boolean addAll(StoredColumn cells, BitSet rows);

    /** Adds cells of a column that is complete: those that are NULL here, the others by their rows. */
    final void addEach(StoredColumn cells, BitSet rows, IntConsumer add) {
        for (int row = rows.nextSetBit(0); row >= 0; row = rows.nextSetBit(row + 1)) {
            if (cells.isNull(row)) {
                addNull();
            } else {
                add.accept(row);
            }
        }
    }

    /** Returns how many kinds of values can be kept: more than in a way of a lower rank. */
    final int rank() {
        return switch (this) {
            case NumberColumnBuilder _ -> 0;
            case DictionaryColumnBuilder _ -> 1;
            case TextColumnBuilder _ -> 2;
        };
    }

    /** Returns the same cells, kept in a way that has room for more kinds of values. */
    abstract ColumnBuilder wider();

    /**
     * Returns the column; null where its cells need {@link #wider} after all.
     *
     * @param order gives the row that comes at a place; null for the one in which they were added
     */
    abstract @Nullable StoredColumn build(Memory memory, @Nullable Longs order);
}
