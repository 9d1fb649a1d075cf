package dev.penstock.snapshot.index;

import java.util.List;

/**
 * An index that is in memory.
 *
 * @param columns the names of the columns that it is of, in the table's order
 * @param kind what it holds
 * @param bytes what it takes outside the heap
 */
public record BuiltIndex(List<String> columns, Kind kind, long bytes) {
    public BuiltIndex {
        columns = List.copyOf(columns);
    }

    /** Returns whether another is of the same columns and holds the same. */
    boolean isLike(BuiltIndex other) {
        return kind == other.kind && columns.equals(other.columns);
    }

    /** The kind of an index. */
    public enum Kind {
        /** A {@link CumulativeCounts}. */
        COUNTS,

        /** A {@link RowIndex}. */
        ORDER,

        /** A {@link TextRanks}. */
        TEXTS,

        /** A {@link CompositeIndex}. */
        COMPOSITE
    }
}
