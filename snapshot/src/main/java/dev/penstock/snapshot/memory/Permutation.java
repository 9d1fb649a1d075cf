package dev.penstock.snapshot.memory;

import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;

/** A merge sort of numbers by what they stand for. */
public final class Permutation {
    private static final int RUN = 16;

    /** Numbers that are merged between two looks whether to go on. */
    private static final int CHECKED = 4096;

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
     * Returns the same, sorted in parts that several threads may share.
     *
     * @param compare gives the order, to be used by one thread
     * @param parts how many, a power of two
     * @param all does all of some work
     */
    public static Longs sorted(
            SegmentAllocator memory,
            int size,
            Supplier<IntBinaryOperator> compare,
            int parts,
            Consumer<List<Runnable>> all) {
        Longs numbers = Longs.allocate(memory, size, 0, Math.max(size - 1, 0));
        for (int i = 0; i < size; i++) {
            numbers.set(i, i);
        }
        Longs spare = Longs.allocate(memory, size, 0, Math.max(size - 1, 0));
        List<Runnable> work = new ArrayList<>();
        for (int i = 0; i < parts; i++) {
            int start = (int) ((long) size * i / parts);
            int end = (int) ((long) size * (i + 1) / parts);
            work.add(() -> sortPart(numbers, spare, start, end, compare.get()));
        }
        all.accept(work);
        Longs from = numbers;
        Longs to = spare;
        for (int left = parts; left > 1; left /= 2) {
            List<Runnable> merges = new ArrayList<>();
            for (int i = 0; i < left; i += 2) {
                long start = (long) size * i / left;
                long middle = (long) size * (i + 1) / left;
                long end = (long) size * (i + 2) / left;
                Longs source = from;
                Longs target = to;
                merges.add(
                        () -> merge(source, target, start, middle, end, compare.get(), () -> {}));
            }
            all.accept(merges);
            Longs other = from;
            from = to;
            to = other;
        }
        return from;
    }

    /** Numbers from some place on. */
    private record Part(Longs all, int start) implements Numbers {
        @Override
        public long get(long place) {
            return all.get(start + place);
        }

        @Override
        public void set(long place, long number) {
            all.set(start + place, number);
        }
    }

    private static void sortPart(
            Longs numbers, Longs spare, int start, int end, IntBinaryOperator compare) {
        Part own = new Part(numbers, start);
        Part sorted = sort(own, new Part(spare, start), end - start, compare, () -> {});
        if (!sorted.equals(own)) {
            spare.copy(start, numbers, start, end - start);
        }
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
                merge(from, to, start, middle, Math.min(middle + run, size), compare, check);
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
            IntBinaryOperator compare,
            Runnable check) {
        long left = start;
        long right = middle;
        boolean ordered =
                middle == end
                        || compare.applyAsInt((int) from.get(middle - 1), (int) from.get(middle))
                                <= 0;
        for (long place = start; place < end; place++) {
            if (place % CHECKED == 0) {
                check.run();
            }
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
