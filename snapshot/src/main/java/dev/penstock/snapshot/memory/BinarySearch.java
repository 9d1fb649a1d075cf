package dev.penstock.snapshot.memory;

import java.util.function.LongPredicate;

/** A binary search among numbers of places. */
public final class BinarySearch {
    private BinarySearch() {}

    /**
     * Returns the first place for which a condition holds; {@code end} where there is none.
     *
     * @param condition which holds for every place after one for which it holds
     */
    public static long first(long start, long end, LongPredicate condition) {
        long low = start;
        long high = end;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (condition.test(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
