package dev.penstock.snapshot.load;

import dev.penstock.snapshot.build.TableBuilder;
import dev.penstock.snapshot.build.TablePatch;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.RowChanges;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.memory.BinarySearch;
import dev.penstock.snapshot.memory.Memory;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The merge of the last version of a table with the rows that have changed. */
public final class TableMerge {
    /** Columns are patched where at most one row in so many has changed. */
    private static final int FEW = 8;

    /** Keys are searched for where there are fewer than one for so many rows. */
    private static final int SEARCHED = 32;

    private TableMerge() {}

    /**
     * A table's next version.
     *
     * @param changes how its rows are numbered now; null where nothing has changed, or much has
     */
    public record Merged(StoredTable table, @Nullable RowChanges changes) {}

    /**
     * Returns the rows of {@code changed}, and those of {@code before} that it has no others for. Both are in the order
     * of the key.
     *
     * @param before the last version
     * @param changed rows that are new, or may be
     * @param keys the keys of all rows that there are, in a table of the same key; null where none of them has been
     *     deleted
     * @param gone the keys of rows that are to go, likewise; null for none
     */
    public static Merged of(
            StoredTable before,
            StoredTable changed,
            @Nullable StoredTable keys,
            @Nullable StoredTable gone,
            Memory memory) {
        BitSet kept = new BitSet(before.rows());
        kept.set(0, before.rows());
        if (keys != null) {
            kept.and(withKeys(before, keys));
        }
        if (gone != null) {
            kept.andNot(withKeys(before, gone));
        }
        return of(before, changed, kept, memory);
    }

    /**
     * Returns the same where all rows of certain keys were read: what has one of them and was not found is gone.
     *
     * @param found the rows of these keys that there are
     * @param keys each with its values in the order of the primary key
     */
    public static Merged ofKeys(
            StoredTable before, StoredTable found, Collection<List<Object>> keys, Memory memory) {
        BitSet gone = KeySearch.rows(before, keys);
        gone.andNot(withKeys(before, found));
        BitSet kept = new BitSet(before.rows());
        kept.set(0, before.rows());
        kept.andNot(gone);
        return of(before, found, kept, memory);
    }

    private static Merged of(StoredTable before, StoredTable changed, BitSet kept, Memory memory) {
        BitSet others = new BitSet(changed.rows());
        others.set(0, changed.rows());
        int[] positions = new int[changed.rows()];
        RowComparison comparison = new RowComparison(before, changed);
        join(
                before,
                changed,
                (row, key) -> {
                    if (kept.get(row) && comparison.isSame(row, key)) {
                        others.clear(key);
                    } else {
                        kept.clear(row);
                    }
                },
                (row, key) -> positions[key] = row);
        if (others.isEmpty() && kept.cardinality() == before.rows()) {
            return new Merged(before, null);
        }
        int dropped = before.rows() - kept.cardinality();
        if (dropped + others.cardinality() <= before.rows() / FEW
                && kept.cardinality() <= Integer.MAX_VALUE - 1 - changed.rows()) {
            RowChanges changes = new RowChanges(before.rows(), kept, some(positions, others));
            StoredTable few = some(changed, others, memory);
            StoredTable patched = TablePatch.of(before, few, changes, memory);
            return new Merged(
                    patched != null ? patched : built(before, kept, changed, others, memory),
                    changes);
        }
        return new Merged(built(before, kept, changed, others, memory), null);
    }

    /** Returns some rows of a table. */
    private static StoredTable some(StoredTable table, BitSet rows, Memory memory) {
        if (rows.cardinality() == table.rows()) {
            return table;
        }
        try (TableBuilder builder = new TableBuilder(table.table(), memory)) {
            builder.addAll(table, rows);
            return builder.build();
        }
    }

    private static int[] some(int[] all, BitSet places) {
        return places.stream().map(place -> all[place]).toArray();
    }

    private static StoredTable built(
            StoredTable before, BitSet kept, StoredTable changed, BitSet others, Memory memory) {
        try (TableBuilder builder = new TableBuilder(before.table(), memory)) {
            builder.addAll(before, kept);
            builder.addAll(changed, others);
            return builder.build();
        }
    }

    /**
     * A comparison of all cells of rows: the rows with the greatest value of what grows are always read again. For one
     * thread.
     */
    private static final class RowComparison {
        private final StoredTable one;
        private final StoredTable other;
        private final List<CellReader> readers;
        private final List<CellReader> otherReaders;

        RowComparison(StoredTable one, StoredTable other) {
            this.one = one;
            this.other = other;
            readers = readers(one);
            otherReaders = readers(other);
        }

        private static List<CellReader> readers(StoredTable table) {
            String name = table.table().name();
            return table.columns().stream().map(column -> new CellReader(column, name)).toList();
        }

        boolean isSame(int row, int otherRow) {
            for (int i = 0; i < readers.size(); i++) {
                long cell = one.columns().get(i).cell(row);
                long otherCell = other.columns().get(i).cell(otherRow);
                if (!readers.get(i).isSame(cell, otherReaders.get(i), otherCell)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Returns the rows of a table whose keys another has. */
    private static BitSet withKeys(StoredTable table, StoredTable other) {
        BitSet rows = new BitSet(table.rows());
        join(table, other, (row, _) -> rows.set(row));
        return rows;
    }

    /** A reader of pairs of rows, one of each of two tables. */
    private interface Pair {
        void take(int row, int other);
    }

    private static void join(StoredTable table, StoredTable other, Pair pairs) {
        join(table, other, pairs, (_, _) -> {});
    }

    /**
     * Takes each pair of rows of two tables with the same key; both tables are in the order of the key.
     *
     * @param places takes for each row of the other the first of the table whose key is not less
     */
    private static void join(StoredTable table, StoredTable other, Pair pairs, Pair places) {
        KeyComparator order = new KeyComparator(table, other);
        boolean isSearched = other.rows() < table.rows() / SEARCHED;
        int row = 0;
        for (int i = 0; i < other.rows(); i++) {
            int key = i;
            if (isSearched) {
                row =
                        (int)
                                BinarySearch.first(
                                        row,
                                        table.rows(),
                                        place -> order.compare((int) place, key) >= 0);
            }
            while (row < table.rows() && order.compare(row, key) < 0) {
                row++;
            }
            places.take(row, key);
            if (row < table.rows() && order.compare(row, key) == 0) {
                pairs.take(row, key);
            }
        }
    }
}
