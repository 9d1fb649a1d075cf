package dev.penstock.snapshot.index;

import static java.util.Comparator.comparingLong;
import static java.util.Comparator.naturalOrder;

import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.OrderedCodes;
import dev.penstock.snapshot.column.RowChanges;
import dev.penstock.snapshot.memory.BinarySearch;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.Memory;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a table in the order of a column's codes; those of one code in theirs. Immutable, thread-safe.
 *
 * @param codes of the column
 * @param rows which row is at each place; null where the rows are in that order as they are
 */
public record RowIndex(Longs codes, @Nullable Longs rows) {
    private static final int DIGIT_BITS = 16;

    static boolean isSorted(Longs codes) {
        for (int row = 1; row < codes.size(); row++) {
            if (codes.get(row - 1) > codes.get(row)) {
                return false;
            }
        }
        return true;
    }

    /** Sorts by digits, from the least significant on, which are as many as the greatest code has. */
    static RowIndex sorted(OrderedCodes coding, Memory memory) {
        Longs codes = coding.codes();
        long span = coding.values().isEmpty() ? 0 : coding.values().greatest() - codes.base();
        int bits = Long.SIZE - Long.numberOfLeadingZeros(span);
        int size = codes.size();
        Longs target = Longs.allocate(memory, size, 0, size);
        try (Memory.Scratch scratch = memory.scratch()) {
            int passes = Math.max(1, (bits + DIGIT_BITS - 1) / DIGIT_BITS);
            Longs other = passes == 1 ? target : Longs.allocate(scratch, size, 0, size);
            Longs from = null;
            for (int pass = 0; pass < passes; pass++) {
                // The last pass writes to the target.
                Longs to = (passes - pass) % 2 == 1 ? target : other;
                sort(codes, pass * DIGIT_BITS, from, to);
                from = to;
            }
        }
        return new RowIndex(codes, target);
    }

    private static void sort(Longs codes, int shift, @Nullable Longs from, Longs to) {
        int[] starts = new int[(1 << DIGIT_BITS) + 1];
        for (int row = 0; row < codes.size(); row++) {
            starts[digit(codes, row, shift) + 1]++;
        }
        for (int i = 1; i < starts.length; i++) {
            starts[i] += starts[i - 1];
        }
        for (int i = 0; i < codes.size(); i++) {
            int row = from == null ? i : (int) from.get(i);
            to.set(starts[digit(codes, row, shift)]++, row);
        }
    }

    private static int digit(Longs codes, int row, int shift) {
        return (int) ((codes.get(row) - codes.base()) >>> shift) & ((1 << DIGIT_BITS) - 1);
    }

    /**
     * Returns the rows of a table's next version, made of these.
     *
     * @param coding the codes of the next version's rows
     * @param changes what the difference is
     * @param now where the rows of this version are in the next; negative where they are in none
     */
    RowIndex next(OrderedCodes coding, RowChanges changes, Longs now, Memory memory) {
        Longs codes = coding.codes();
        Longs target = Longs.allocate(memory, codes.size(), 0, codes.size());
        int[] added = sortedChanges(codes, changes);
        int next = 0;
        int at = 0;
        for (int place = 0; place < size(); place++) {
            int row = (int) now.get(row(place));
            if (row >= 0) {
                while (next < added.length && isBefore(codes, added[next], row)) {
                    target.set(at++, added[next++]);
                }
                target.set(at++, row);
            }
        }
        while (next < added.length) {
            target.set(at++, added[next++]);
        }
        return new RowIndex(codes, target);
    }

    /** Returns the changed rows in the order of their codes, and those of one code in theirs. */
    private static int[] sortedChanges(Longs codes, RowChanges changes) {
        return IntStream.range(0, changes.changed())
                .map(changes::place)
                .boxed()
                .sorted(
                        comparingLong((Integer row) -> codes.get(row))
                                .thenComparing(naturalOrder()))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private static boolean isBefore(Longs codes, int one, int other) {
        int compared = Long.compare(codes.get(one), codes.get(other));
        return compared < 0 || (compared == 0 && one < other);
    }

    public int size() {
        return codes.size();
    }

    public int row(int place) {
        return rows == null ? place : (int) rows.get(place);
    }

    /** Returns the code at a place. */
    public long code(int place) {
        return codes.get(row(place));
    }

    /** Returns the first place of a code that is not less; {@link #size} where there is none. */
    public int ceiling(long code) {
        return (int) BinarySearch.first(0, size(), place -> code((int) place) >= code);
    }

    /** Returns where the rows of the range end, that is the place after the last. */
    public int end(CodeRange range) {
        return range.greatest() == Long.MAX_VALUE ? size() : ceiling(range.greatest() + 1);
    }
}
