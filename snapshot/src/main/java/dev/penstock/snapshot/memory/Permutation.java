package dev.penstock.snapshot.memory;

import java.lang.foreign.SegmentAllocator;
import java.util.function.IntBinaryOperator;

/** A sort of the numbers from 0 on by what they stand for, outside the heap. */
public final class Permutation {
    private static final int RUN = 16;

    private Permutation() {}

    /**
     * The numbers from 0 to {@code size} in order; where they are equal, the lesser first.
     *
     * @param memory for the answer and as much again
     * @param compare the order
     */
    public static Longs sorted(SegmentAllocator memory, int size, IntBinaryOperator compare) {
        Longs from = Longs.allocate(memory, size, 0, Math.max(size - 1, 0));
        for (int i = 0; i < size; i++) {
            from.set(i, i);
        }
        for (int start = 0; start < size; start += RUN) {
            insert(from, start, Math.min(start + RUN, size), compare);
        }
        if (size <= RUN) {
            return from;
        }
        Longs to = Longs.allocate(memory, size, 0, size - 1);
        for (long run = RUN; run < size; run *= 2) {
            for (long start = 0; start < size; start += 2 * run) {
                long middle = Math.min(start + run, size);
                merge(from, to, start, middle, Math.min(middle + run, size), compare);
            }
            Longs other = from;
            from = to;
            to = other;
        }
        return from;
    }

    private static void insert(Longs numbers, int start, int end, IntBinaryOperator compare) {
        for (int i = start + 1; i < end; i++) {
            long moved = numbers.get(i);
            int place = i;
            while (place > start
                    && compare.applyAsInt((int) numbers.get(place - 1), (int) moved) > 0) {
                numbers.set(place, numbers.get(place - 1));
                place--;
            }
            numbers.set(place, moved);
        }
    }

    private static void merge(
            Longs from, Longs to, long start, long middle, long end, IntBinaryOperator compare) {
        long left = start;
        long right = middle;
        boolean ordered =
                middle == end
                        || compare.applyAsInt((int) from.get(middle - 1), (int) from.get(middle))
                                <= 0;
        for (long place = start; place < end; place++) {
            boolean takesLeft =
                    ordered
                            ? left < middle
                            : right == end
                                    || (left < middle
                                            && compare.applyAsInt(
                                                            (int) from.get(left),
                                                            (int) from.get(right))
                                                    <= 0);
            to.set(place, from.get(takesLeft ? left++ : right++));
        }
    }
}
