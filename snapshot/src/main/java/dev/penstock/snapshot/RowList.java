package dev.penstock.snapshot;

import java.util.Arrays;

/** A list of row numbers. Not thread-safe while it grows. */
final class RowList {
    private int[] rows;
    private int size;

    RowList() {
        this(new int[16], 0);
    }

    /** The first {@code size} of these, which are not copied. */
    RowList(int[] rows, int size) {
        this.rows = rows;
        this.size = size;
    }

    /** All that a source has. */
    static RowList of(RowSource source) {
        RowList all = new RowList();
        int[] some = new int[Filter.BLOCK];
        for (int count = source.next(some); count > 0; count = source.next(some)) {
            all.add(some, count);
        }
        return all;
    }

    int size() {
        return size;
    }

    int get(int index) {
        return rows[index];
    }

    /** The rows themselves, {@link #size} of them. */
    int[] array() {
        return rows;
    }

    void add(int row) {
        if (size == rows.length) {
            grow(size * 2L);
        }
        rows[size++] = row;
    }

    private void add(int[] more, int count) {
        if (size + count > rows.length) {
            grow(Math.max(size + count, rows.length * 2L));
        }
        System.arraycopy(more, 0, rows, size, count);
        size += count;
    }

    private void grow(long capacity) {
        Room.require(capacity * Integer.BYTES);
        rows = Arrays.copyOf(rows, (int) Math.min(capacity, Integer.MAX_VALUE - 8));
    }
}
