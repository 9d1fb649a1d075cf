package dev.penstock.snapshot.memory;

import java.lang.foreign.SegmentAllocator;
import java.util.function.IntBinaryOperator;

/** A merge sort of numbers by what they stand for. */
public final class Permutation {
    private static final int RUN = 16;

    private Permutation() {}

    /** An array of numbers. */
    public interface Numbers {
        long get(long place);

        void set(long place, long number);
    }

    /**
     * Returns the numbers from 0 to {@code size} in order; where they are equal, the lesser first.
     *
     * @param memory for the answer and as much again
     * @param compare the order
     */
    public static Longs sorted(SegmentAllocator memory, int size, IntBinaryOperator compare) {
        Longs numbers = Longs.allocate(memory, size, 0, Math.max(size - 1, 0));
        for (int i = 0; i < size; i++) {
            numbers.set(i, i);
        }
        Longs spare = size <= RUN ? numbers : Longs.allocate(memory, size, 0, size - 1);
        return sort(numbers, spare, size, compare, () -> {});
    }

    /**
     * Sorts numbers; those that are equal keep their sequence.
     *
     * @param numbers of which the first {@code size} are sorted
     * @param spare room for as many
     * @param check called now and then, to end it by an exception
     * @return one of the two, which has the numbers in order
     */
    public static <N extends Numbers> N sort(
            N numbers, N spare, int size, IntBinaryOperator compare, Runnable check) {
        for (int start = 0; start < size; start += RUN) {
            insert(numbers, start, Math.min(start + RUN, size), compare);
        }
        N from = numbers;
        N to = spare;
        for (long run = RUN; run < size; run *= 2) {
            for (long start = 0; start < size; start += 2 * run) {
                check.run();
                long middle = Math.min(start + run, size);
                merge(from, to, start, middle, Math.min(middle + run, size), compare);
            }
            N other = from;
            from = to;
            to = other;
        }
        return from;
    }

    private static void insert(Numbers numbers, int start, int end, IntBinaryOperator compare) {
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
            Numbers from,
            Numbers to,
            long start,
            long middle,
            long end,
            IntBinaryOperator compare) {
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
