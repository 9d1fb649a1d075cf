package dev.penstock.snapshot.rows;

import java.util.Arrays;

/** A sort of many numbers in pieces, between which one may end it. */
final class LongSort {
    /** Numbers that are sorted at once, which takes some milliseconds. */
    static final int PIECE = 1 << 17;

    private LongSort() {}

    /**
     * Sorts numbers, with room for as many again where they are more than {@link #PIECE}.
     *
     * @param check called now and then, to end it by an exception
     */
    static void sort(long[] numbers, Runnable check) {
        for (int start = 0; start < numbers.length; start += PIECE) {
            check.run();
            Arrays.sort(numbers, start, Math.min(start + PIECE, numbers.length));
        }
        if (numbers.length <= PIECE) {
            return;
        }
        long[] from = numbers;
        long[] to = new long[numbers.length];
        boolean isElsewhere = false;
        for (long run = PIECE; run < numbers.length; run *= 2) {
            for (long start = 0; start < numbers.length; start += 2 * run) {
                int middle = (int) Math.min(start + run, numbers.length);
                int end = (int) Math.min(start + 2 * run, numbers.length);
                merge(from, to, (int) start, middle, end, check);
            }
            long[] other = from;
            from = to;
            to = other;
            isElsewhere = !isElsewhere;
        }
        if (isElsewhere) {
            System.arraycopy(from, 0, numbers, 0, numbers.length);
        }
    }

    private static void merge(
            long[] from, long[] to, int start, int middle, int end, Runnable check) {
        int left = start;
        int right = middle;
        for (int place = start; place < end; ) {
            check.run();
            int until = Math.min(end, place + PIECE);
            while (place < until) {
                boolean takesLeft = right == end || (left < middle && from[left] <= from[right]);
                to[place++] = from[takesLeft ? left++ : right++];
            }
        }
    }
}
