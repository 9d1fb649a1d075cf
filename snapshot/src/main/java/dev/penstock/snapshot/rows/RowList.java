package dev.penstock.snapshot.rows;

import dev.penstock.snapshot.memory.HeapReservation;

/** A list of row numbers. Not thread-safe while it grows. */
public final class RowList {
    private final HeapReservation reservation;
    private int[] rows;
    private int size;

    /**
     * @param reservation what it may take of the heap
     */
    public RowList(HeapReservation reservation) {
        this(new int[16], 0, reservation);
    }

    /** Returns the first {@code size} of these, which are not copied. */
    public RowList(int[] rows, int size, HeapReservation reservation) {
        this.rows = rows;
        this.size = size;
        this.reservation = reservation;
    }

    /** Returns all that a source has. */
    public static RowList of(RowSource source, HeapReservation reservation) {
        RowList all = new RowList(reservation);
        RowBlock.each(source, all::add);
        return all;
    }

    public int size() {
        return size;
    }

    public int get(int index) {
        return rows[index];
    }

    /** Returns the rows themselves, {@link #size} of them. */
    public int[] array() {
        return rows;
    }

    void clear() {
        size = 0;
    }

    /** Leaves the first {@code most} rows. */
    void truncate(int most) {
        size = Math.min(size, most);
    }

    public void add(int row) {
        if (size == rows.length) {
            rows = reservation.grown(rows, size * 2L);
        }
        rows[size++] = row;
    }

    private void add(int[] more, int count) {
        if (size + count > rows.length) {
            rows = reservation.grown(rows, Math.max(size + count, rows.length * 2L));
        }
        System.arraycopy(more, 0, rows, size, count);
        size += count;
    }
}
