package dev.penstock.snapshot;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.ColumnType;
import dev.penstock.snapshot.column.CodeEncoding;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.column.TextColumn;
import dev.penstock.snapshot.index.BuiltIndex;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.index.IndexedTable;
import java.util.List;

/**
 * The memory that a table takes.
 *
 * @param table its name
 * @param rows how many rows it has
 * @param bytes of its columns, outside the heap, without indexes
 * @param columns in its order
 * @param indexes those that were built so far: declared ones with the version, others when they first pay
 * @param version it is of; {@link Version#took} is for all tables together
 */
public record TableStatistics(
        String table,
        long rows,
        long bytes,
        List<ColumnStatistics> columns,
        List<IndexStatistics> indexes,
        Version version) {
    public TableStatistics {
        requireNonNull(table);
        columns = List.copyOf(columns);
        indexes = List.copyOf(indexes);
        requireNonNull(version);
    }

    /** The kind of an index. */
    public enum IndexKind {
        /** How many rows there are of each value of a column, and of all lesser ones. */
        COUNTS,

        /** The rows in the order of a column. */
        ORDER,

        /** The order of the texts of a column that are kept each by itself. */
        TEXTS,

        /** The different rows of some columns, with how many there are of each. */
        COMPOSITE
    }

    /**
     * An index.
     *
     * @param columns whose it is, in the table's order
     * @param kind what it has
     * @param bytes of it, outside the heap
     */
    public record IndexStatistics(List<String> columns, IndexKind kind, long bytes) {
        static IndexStatistics of(BuiltIndex index) {
            IndexKind kind =
                    switch (index.kind()) {
                        case COUNTS -> IndexKind.COUNTS;
                        case ORDER -> IndexKind.ORDER;
                        case TEXTS -> IndexKind.TEXTS;
                        case COMPOSITE -> IndexKind.COMPOSITE;
                    };
            return new IndexStatistics(index.columns(), kind, index.bytes());
        }

        public IndexStatistics {
            columns = List.copyOf(columns);
            requireNonNull(kind);
        }
    }

    /** The form in which cells are kept. */
    public enum Storage {
        /** As numbers of {@link ColumnStatistics#width} bytes. */
        NUMBERS,
        /** As the places, of that width, in a list of different values. */
        LIST,
        /** Each by itself, compressed where that saves something. */
        TEXT
    }

    /**
     * The memory that a column takes.
     *
     * @param name its name
     * @param type what it holds
     * @param storage how
     * @param width bytes of a cell's number; 0 where all cells are the same, and for {@link Storage#TEXT}
     * @param bytes of all, with the list if there is one
     * @param nulls how many cells are NULL
     * @param distinct how many different values there are; above some ten thousand of them, and of texts, an estimate
     *     that is seldom off by more than five in a hundred
     * @param indexBytes of the indexes that were built so far, for this column alone; they are built when they are
     *     first of use
     */
    public record ColumnStatistics(
            String name,
            ColumnType type,
            Storage storage,
            int width,
            long bytes,
            long nulls,
            long distinct,
            long indexBytes) {
        public ColumnStatistics {
            requireNonNull(name);
            requireNonNull(type);
            requireNonNull(storage);
        }

        static ColumnStatistics of(IndexedColumn indexed) {
            StoredColumn column = indexed.stored();
            return new ColumnStatistics(
                    column.column().name(),
                    column.column().type(),
                    switch (column) {
                        case CodedColumn coded ->
                                coded.encoding() instanceof CodeEncoding.Listed
                                        ? Storage.LIST
                                        : Storage.NUMBERS;
                        case TextColumn _ -> Storage.TEXT;
                    },
                    column instanceof CodedColumn coded ? coded.codes().width() : 0,
                    column.bytes(),
                    column.nulls(),
                    indexed.distinct(),
                    indexed.indexBytes());
        }
    }

    static TableStatistics of(IndexedTable indexed, Version version) {
        StoredTable table = indexed.stored();
        return new TableStatistics(
                table.table().name(),
                table.rows(),
                table.bytes(),
                indexed.columns().stream().map(ColumnStatistics::of).toList(),
                indexed.indexes().stream().map(IndexStatistics::of).toList(),
                version);
    }
}
