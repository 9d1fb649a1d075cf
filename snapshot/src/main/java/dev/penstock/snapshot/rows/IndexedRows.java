package dev.penstock.snapshot.rows;

import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodeRanges;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.index.RowIndex;
import dev.penstock.snapshot.work.QueryContext;
import java.util.Arrays;
import java.util.List;

/**
 * The rows that one or more indexes have in some ranges of codes, in the order of their numbers, each once: few are
 * sorted, many are marked in a bitmap.
 *
 * @param places where they are
 * @param most how many there are, at the most; a row that several indexes have counts as often
 * @param rows how many the table has
 */
public record IndexedRows(List<Places> places, int most, int rows, QueryContext context) {
    /** About how long it takes to come from an index to a row. */
    public static final int ROW_NANOS = 8;

    /** A bitmap is made where at least one in so many rows is found. */
    private static final int SPARSE = 1024;

    /** Some ranges of the codes of a column. */
    public record Places(RowIndex index, CodeRanges ranges) {}

    /** A receiver of rows. */
    private interface Receiver {
        void take(int row);
    }

    /** Returns the rows from a number on. */
    public RowList from(int first) {
        long nanos = (long) most * (ROW_NANOS + (isMany() ? 0 : RowSorter.SORT_NANOS));
        return context.call(nanos, () -> isMany() ? marked(first) : sorted(first));
    }

    private boolean isMany() {
        return most > rows / SPARSE && most > StoredTable.BLOCK_ROWS / Long.SIZE;
    }

    private RowList sorted(int first) {
        int[] found = context.reservation().grown(new int[0], most);
        int[] count = {0};
        each(first, row -> found[count[0]++] = row);
        boolean isInOrder = places.size() == 1 && hasOneCode(places.getFirst());
        if (!isInOrder) {
            Arrays.sort(found, 0, count[0]);
        }
        int different = places.size() == 1 ? count[0] : distinct(found, count[0]);
        return new RowList(found, different, context.reservation());
    }

    private static boolean hasOneCode(Places only) {
        CodeRange range = only.ranges.get(0);
        return only.ranges.size() == 1 && range.least() == range.greatest();
    }

    /** Leaves each number once among the first that are sorted; tells how many those are. */
    private static int distinct(int[] sorted, int count) {
        int last = 0;
        for (int i = 0; i < count; i++) {
            if (i == 0 || sorted[i] != sorted[i - 1]) {
                sorted[last++] = sorted[i];
            }
        }
        return last;
    }

    private RowList marked(int first) {
        long bytes = ((long) rows / Long.SIZE + 1) * Long.BYTES;
        context.reservation().take(bytes);
        long[] marks = new long[rows / Long.SIZE + 1];
        each(first, row -> marks[row >>> 6] |= 1L << row);
        int count = 0;
        for (long word : marks) {
            count += Long.bitCount(word);
        }
        int[] found = context.reservation().grown(new int[0], count);
        int next = 0;
        for (int i = 0; i < marks.length; i++) {
            for (long word = marks[i]; word != 0; word &= word - 1) {
                found[next++] = i * Long.SIZE + Long.numberOfTrailingZeros(word);
            }
        }
        context.reservation().giveBack(bytes);
        return new RowList(found, count, context.reservation());
    }

    private void each(int first, Receiver receiver) {
        for (Places some : places) {
            RowIndex index = some.index;
            for (int i = 0; i < some.ranges.size(); i++) {
                CodeRange range = some.ranges.get(i);
                int start = index.ceiling(range.least());
                int end = index.end(range, start);
                for (int at = start; at < end; at++) {
                    if (at % StoredTable.BLOCK_ROWS == 0) {
                        context.check();
                    }
                    int row = index.row(at);
                    if (row >= first) {
                        receiver.take(row);
                    }
                }
            }
        }
    }
}
