package dev.penstock.snapshot.index;

import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodeRanges;
import dev.penstock.snapshot.column.OrderedCodes;
import dev.penstock.snapshot.memory.BinarySearch;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.Memory;
import dev.penstock.snapshot.work.Pace;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a table in the order of a column's codes; those of one code in theirs. Immutable, thread-safe.
 *
 * @param codes of the column
 * @param rows which row is at each place; null where the rows are in that order as they are
 */
public record RowIndex(Longs codes, @Nullable Longs rows) {
    private static final int DIGIT_BITS = 16;

    /** Rows that are copied at once. */
    private static final int COPIED = 1 << 16;

    /** Among so few codes, a place is found by binary search alone. */
    private static final int FEW = 64;

    /** The distance from the interpolated place within which a place is looked for first. */
    private static final int NEAR = 4;

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

    public int size() {
        return codes.size();
    }

    public int row(int place) {
        return rows == null ? place : (int) rows.get(place);
    }

    /** Copies the rows from a place on to numbers that are being built. */
    void copyRows(int from, Longs to, int at, int count) {
        Longs same =
                rows != null && rows.width() == to.width() && rows.base() == to.base()
                        ? rows
                        : null;
        int part;
        for (int done = 0; done < count; done += part) {
            Pace.step();
            part = Math.min(COPIED, count - done);
            if (same != null) {
                same.copy(from + done, to, at + done, part);
                continue;
            }
            for (int i = done; i < done + part; i++) {
                to.set(at + i, row(from + i));
            }
        }
    }

    /** Returns the code at a place. */
    public long code(int place) {
        return codes.get(row(place));
    }

    /**
     * Returns the first place of a code that is not less; {@link #size} where there is none. A step of interpolation
     * search comes before binary search: codes of keys are often spread evenly.
     */
    public int ceiling(long code) {
        int low = 0;
        int high = size();
        if (high > FEW) {
            long least = code(0);
            long greatest = code(high - 1);
            if (code <= least || code > greatest) {
                return code <= least ? 0 : high;
            }
            double share = ((double) code - (double) least) / ((double) greatest - (double) least);
            int guess = (int) (share * (high - 1));
            int before = Math.max(guess - NEAR, 0);
            int behind = Math.min(guess + NEAR, high - 1);
            if (code(before) >= code) {
                high = before;
            } else if (code(behind) < code) {
                low = behind + 1;
            } else {
                low = before + 1;
                high = behind;
            }
        }
        return first(low, high, code);
    }

    private int first(int low, int high, long code) {
        return (int) BinarySearch.first(low, high, place -> code((int) place) >= code);
    }

    /** Returns how many rows have a code of the range. */
    long count(CodeRange range) {
        if (range.isEmpty()) {
            return 0;
        }
        int start = ceiling(range.least());
        int end = end(range, start);
        return (long) end - start;
    }

    /** Returns the least and the greatest code of the ranges that rows have; none where no row has any. */
    CodeRange extent(CodeRanges ranges) {
        int first = 0;
        while (first < ranges.size() && count(ranges.get(first)) == 0) {
            first++;
        }
        if (first == ranges.size()) {
            return CodeRange.NONE;
        }
        int last = ranges.size() - 1;
        while (count(ranges.get(last)) == 0) {
            last--;
        }
        return CodeRange.of(
                code(ceiling(ranges.get(first).least())), code(end(ranges.get(last)) - 1));
    }

    /** Returns where the rows of the range end, that is the place after the last. */
    public int end(CodeRange range) {
        return range.greatest() == Long.MAX_VALUE ? size() : ceiling(range.greatest() + 1);
    }

    /**
     * Returns where the rows of the range end, looked for beside some of them first.
     *
     * @param start the first place of the range, or one of its places
     */
    public int end(CodeRange range, int start) {
        int near = start + NEAR;
        return near < size() && code(near) > range.greatest()
                ? first(start, near, range.greatest() + 1)
                : end(range);
    }
}
