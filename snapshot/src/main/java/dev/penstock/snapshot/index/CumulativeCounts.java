package dev.penstock.snapshot.index;

import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.OrderedCodes;
import dev.penstock.snapshot.column.RowChanges;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.Memory;

/**
 * The number of rows of each code and of all lesser ones, so that those of a range are counted by one subtraction.
 * Immutable, thread-safe.
 *
 * @param base the least code
 * @param below how many rows have a code that is less than {@code base} and the place here
 */
public record CumulativeCounts(long base, Longs below) {
    /** No more codes than this have counts. */
    private static final long MOST = 1 << 20;

    /** Returns whether there are few enough codes. */
    static boolean fit(OrderedCodes coding) {
        long span = coding.span();
        return span > 0
                && span <= Math.min(MOST, Math.max(StoredTable.BLOCK_ROWS, coding.codes().size()));
    }

    static CumulativeCounts of(OrderedCodes coding, Memory memory) {
        Longs codes = coding.codes();
        int size = (int) coding.span();
        // First, so that nothing is counted where there is no memory.
        Longs below = Longs.allocate(memory, size + 1, 0, codes.size());
        int[] counts = new int[size];
        for (int row = 0; row < codes.size(); row++) {
            counts[(int) (codes.get(row) - codes.base())]++;
        }
        return of(counts, codes.base(), below);
    }

    /**
     * Returns those of the next version of a column, whose codes {@linkplain CodedColumn#hasCodesOf stand for the same
     * values}.
     *
     * @param old the column before
     */
    CumulativeCounts next(CodedColumn old, CodedColumn now, RowChanges changes, Memory memory) {
        Longs sums = Longs.allocate(memory, below.size(), 0, now.rows());
        int[] counts = new int[below.size() - 1];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = (int) (below.get(i + 1) - below.get(i));
        }
        changes.eachDropped(row -> counts[(int) (old.cell(row) - base)]--);
        for (int i = 0; i < changes.changed(); i++) {
            counts[(int) (now.cell(changes.place(i)) - base)]++;
        }
        return of(counts, base, sums);
    }

    private static CumulativeCounts of(int[] counts, long base, Longs below) {
        int sum = 0;
        for (int i = 0; i < counts.length; i++) {
            sum += counts[i];
            below.set(i + 1, sum);
        }
        return new CumulativeCounts(base, below);
    }

    /** Returns how many rows have a code of the range. */
    long count(CodeRange range) {
        return range.isEmpty()
                ? 0
                : below.get(range.greatest() - base + 1) - below.get(range.least() - base);
    }
}
