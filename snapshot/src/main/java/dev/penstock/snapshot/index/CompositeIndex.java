package dev.penstock.snapshot.index;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Column;
import dev.penstock.query.Table;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.RowChanges;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.Memory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An index of several columns of few codes: their different rows, each once, with the number of the table's rows that
 * it stands for. Counting, grouping and adding up takes it for the table. Immutable, thread-safe.
 *
 * @param columns the index's column for each of the table's
 * @param table the different rows
 * @param weights how many of the table's each stands for
 */
public record CompositeIndex(
        Map<IndexedColumn, IndexedColumn> columns, IndexedTable table, Longs weights) {
    /** The rows of the table are at least so many times what the columns could make of different ones. */
    private static final int WORTH = 4;

    private static final long MOST = 1 << 20;

    public CompositeIndex {
        columns = Map.copyOf(columns);
    }

    /**
     * Returns how many bytes it takes outside the heap, with the indexes of its own columns, and without lists of
     * values, which are the table's.
     */
    long bytes() {
        long bytes = weights.bytes();
        for (IndexedColumn column : table.columns()) {
            bytes += column.coding().codes().bytes() + column.indexBytes();
        }
        return bytes;
    }

    /** Returns whether the columns have few enough codes for so many rows. */
    static boolean fits(List<IndexedColumn> columns, int rows) {
        long product = 1;
        for (IndexedColumn column : columns) {
            if (!(column.stored() instanceof CodedColumn)) {
                return false;
            }
            long span = column.coding().span();
            if (span <= 0 || span > MOST) {
                return false;
            }
            product *= span;
            if (product > Math.min(MOST, rows / WORTH)) {
                return false;
            }
        }
        return !columns.isEmpty();
    }

    static CompositeIndex of(List<IndexedColumn> columns, int rows, Memory memory) {
        return of(columns, count(columns, rows), rows, memory);
    }

    /**
     * Returns an index that was stored.
     *
     * @param columns the table's columns, which have codes
     */
    static CompositeIndex restored(
            List<IndexedColumn> columns, StoredComposite stored, Memory memory) {
        List<StoredColumn> own = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            own.add(column(coded(columns.get(i)), stored.codes().get(i)));
        }
        return of(columns, own, stored.weights(), memory);
    }

    /**
     * Returns the numbers that it is.
     *
     * @param key the table's columns, in order
     * @param places where these are in the table
     */
    StoredComposite stored(List<IndexedColumn> key, List<Integer> places) {
        List<Longs> codes = new ArrayList<>();
        for (IndexedColumn column : key) {
            codes.add(coded(requireNonNull(columns.get(column))).codes());
        }
        return new StoredComposite(places, codes, weights);
    }

    /**
     * Returns the index of the next version of a table; it is counted again where a code of a column stands for another
     * value now.
     *
     * @param before the columns before, in the same order
     * @param now those of the next version
     */
    CompositeIndex next(
            List<IndexedColumn> before,
            List<IndexedColumn> now,
            RowChanges changes,
            Memory memory) {
        for (int i = 0; i < now.size(); i++) {
            if (!coded(now.get(i)).hasCodesOf(coded(before.get(i)))) {
                return of(now, changes.rows(), memory);
            }
        }
        int[] counts = new int[size(now)];
        List<IndexedColumn> own = before.stream().map(columns::get).toList();
        for (int i = 0; i < weights.size(); i++) {
            counts[place(own, before, i)] = (int) weights.get(i);
        }
        changes.eachDropped(row -> counts[place(before, before, row)]--);
        for (int i = 0; i < changes.changed(); i++) {
            counts[place(now, now, changes.place(i))]++;
        }
        return of(now, counts, changes.rows(), memory);
    }

    private static CodedColumn coded(IndexedColumn column) {
        return (CodedColumn) column.stored();
    }

    /**
     * Returns the place of a row in the box.
     *
     * @param box the columns whose codes span it
     */
    private static int place(List<IndexedColumn> columns, List<IndexedColumn> box, int row) {
        int place = 0;
        for (int i = 0; i < columns.size(); i++) {
            CodedColumn whole = coded(box.get(i));
            int code = (int) (coded(columns.get(i)).cell(row) - whole.codes().base());
            place = place * (int) whole.span() + code;
        }
        return place;
    }

    private static int size(List<IndexedColumn> box) {
        int size = 1;
        for (IndexedColumn column : box) {
            size *= (int) column.coding().span();
        }
        return size;
    }

    private static CompositeIndex of(
            List<IndexedColumn> columns, int[] counts, int rows, Memory memory) {
        int different = 0;
        for (int count : counts) {
            different += count > 0 ? 1 : 0;
        }
        Longs weights = Longs.allocate(memory, different, 0, rows);
        int[] places = new int[different];
        int next = 0;
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                weights.set(next, counts[i]);
                places[next++] = i;
            }
        }
        List<StoredColumn> stored = new ArrayList<>();
        long stride = counts.length;
        for (IndexedColumn column : columns) {
            long span = column.coding().span();
            stride /= span;
            stored.add(column((CodedColumn) column.stored(), places, stride, span, memory));
        }
        return of(columns, stored, weights, memory);
    }

    private static CompositeIndex of(
            List<IndexedColumn> columns, List<StoredColumn> stored, Longs weights, Memory memory) {
        // Indexes of its own columns can be done without, whatever it is itself.
        IndexedTable table = new IndexedTable(table(stored, weights.size()), memory.forIndexes());
        Map<IndexedColumn, IndexedColumn> own = new HashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            own.put(columns.get(i), table.columns().get(i));
        }
        return new CompositeIndex(own, table, weights);
    }

    private static StoredTable table(List<StoredColumn> columns, int rows) {
        List<Column> all = columns.stream().map(StoredColumn::column).toList();
        return new StoredTable(new Table(null, "composite", all, List.of(), false), columns, rows);
    }

    /**
     * Returns how many rows there are at each place of the box that the columns' codes span, the last column's next to
     * one another.
     */
    private static int[] count(List<IndexedColumn> columns, int rows) {
        int[] counts = new int[size(columns)];
        int[] places = new int[StoredTable.BLOCK_ROWS];
        for (int from = 0; from < rows; from += StoredTable.BLOCK_ROWS) {
            int count = Math.min(StoredTable.BLOCK_ROWS, rows - from);
            java.util.Arrays.fill(places, 0);
            for (IndexedColumn column : columns) {
                Longs codes = column.coding().codes();
                int span = (int) column.coding().span();
                for (int i = 0; i < count; i++) {
                    places[i] = places[i] * span + (int) (codes.get(from + i) - codes.base());
                }
            }
            for (int i = 0; i < count; i++) {
                counts[places[i]]++;
            }
        }
        return counts;
    }

    private static StoredColumn column(
            CodedColumn of, int[] places, long stride, long span, Memory memory) {
        long base = of.codes().base();
        Longs codes = Longs.allocate(memory, places.length, base, base + span - 1);
        for (int i = 0; i < places.length; i++) {
            codes.set(i, base + places[i] / stride % span);
        }
        return column(of, codes);
    }

    /** Returns the index's column with these codes of one of the table's. */
    private static CodedColumn column(CodedColumn of, Longs codes) {
        int nulls = 0;
        for (int row = 0; of.hasNulls() && row < codes.size(); row++) {
            nulls += codes.get(row) == of.nullCode() ? 1 : 0;
        }
        return new CodedColumn(of.column(), codes, of.values(), nulls, of.encoding());
    }
}
