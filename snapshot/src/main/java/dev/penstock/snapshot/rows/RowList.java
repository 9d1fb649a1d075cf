package dev.penstock.snapshot.rows;

import dev.penstock.snapshot.memory.HeapReservation;

/** A list of row numbers. Not thread-safe while it grows. */
public final class RowList {
    private final HeapReservation room;
    private int[] rows;
    private int size;

    /**
     * @param room what it may take of the heap
     */
    public RowList(HeapReservation room) {
        this(new int[16], 0, room);
    }

    /** The first {@code size} of these, which are not copied. */
    public RowList(int[] rows, int size, HeapReservation room) {
        this.rows = rows;
        this.size = size;
        this.room = room;
    }

    /** All that a source has. */
    public static RowList of(RowSource source, HeapReservation room) {
        RowList all = new RowList(room);
        RowBlocks.each(source, all::add);
        return all;
    }

    public int size() {
        return size;
    }

    public int get(int index) {
        return rows[index];
    }

    /** The rows themselves, {@link #size} of them. */
    public int[] array() {
        return rows;
    }

    void clear() {
        size = 0;
    }

    void add(int row) {
        if (size == rows.length) {
            rows = room.grown(rows, size * 2L);
        }
        rows[size++] = row;
    }

    private void add(int[] more, int count) {
        if (size + count > rows.length) {
            rows = room.grown(rows, Math.max(size + count, rows.length * 2L));
        }
        System.arraycopy(more, 0, rows, size, count);
        size += count;
    }
}
