package dev.penstock.follow.binlog;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The cells of a row that matter, before or after a change. Immutable. */
final class RowImage {
    /** Stands for a cell that is NULL. */
    static final byte[] NULL = new byte[0];

    private final MappedTable table;
    private final byte[][] cells;

    /**
     * @param cells by the places of their columns; null where the log leaves a cell out
     */
    RowImage(MappedTable table, byte[][] cells) {
        this.table = table;
        this.cells = cells;
    }

    /**
     * Returns the row's key.
     *
     * @param other the same row on the other side of the change, which has what the log leaves out here
     * @return null if it can't be said
     */
    @SuppressWarnings("ReferenceEquality") // an empty text is not NULL
    @Nullable List<Object> key(@Nullable RowImage other) {
        List<Object> values = new ArrayList<>();
        for (KeyColumn column : table.table().key()) {
            byte[] cell = cells[column.index()];
            if (cell == null && other != null) {
                cell = other.cells[column.index()];
            }
            Object value =
                    cell == null || cell == NULL
                            ? null
                            : column.value(table.formats().get(column.index()), cell);
            if (value == null) {
                return null;
            }
            values.add(value);
        }
        return values.isEmpty() ? null : List.copyOf(values);
    }

    /** Returns whether any of these columns may have changed from here to the row's image afterwards. */
    boolean differs(RowImage after, List<Integer> columns) {
        return columns.stream().anyMatch(i -> differs(cells[i], after.cells[i]));
    }

    /** A cell that is left out afterwards is as it was. */
    @SuppressWarnings("ReferenceEquality") // an empty text is not NULL
    private static boolean differs(byte @Nullable [] before, byte @Nullable [] after) {
        if (after == null) {
            return false;
        }
        return before == null
                || (before == NULL) != (after == NULL)
                || !Arrays.equals(before, after);
    }
}
