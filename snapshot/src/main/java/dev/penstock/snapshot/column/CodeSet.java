package dev.penstock.snapshot.column;

import java.util.Arrays;

/**
 * A set of codes of a column: a bit for each where they are close together, else a sorted list. Immutable, thread-safe.
 */
public final class CodeSet {
    /** Codes that a bit each is spent on for each one that is in the set, so that bits take no more than a list. */
    private static final int SPREAD = 64;

    private final long least;
    private final int span;
    private final long[] bits;
    private final long[] sorted;
    private final int size;

    /**
     * @param codes in any order
     */
    public CodeSet(long... codes) {
        int count = codes.length;
        long[] ordered = codes.clone();
        Arrays.sort(ordered);
        size = (int) Arrays.stream(ordered).distinct().count();
        least = count == 0 ? 0 : ordered[0];
        long distance = count == 0 ? 0 : ordered[count - 1] - least;
        if (distance >= 0 && distance < (long) count * SPREAD) {
            span = (int) distance + 1;
            bits = new long[(span >>> 6) + 1];
            sorted = new long[0];
            for (long code : ordered) {
                int at = (int) (code - least);
                bits[at >>> 6] |= 1L << at;
            }
        } else {
            span = 0;
            bits = new long[0];
            sorted = ordered;
        }
    }

    public boolean contains(long code) {
        if (span == 0) {
            return Arrays.binarySearch(sorted, code) >= 0;
        }
        long at = code - least;
        return Long.compareUnsigned(at, span) < 0 && ((bits[(int) at >>> 6] >>> at) & 1) != 0;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** Returns whether they are all codes between two. */
    public boolean isRange() {
        return span > 0 && size == span;
    }

    /** From the least to the greatest. */
    public CodeRange range() {
        return CodeRange.of(least, least + span - 1);
    }
}
