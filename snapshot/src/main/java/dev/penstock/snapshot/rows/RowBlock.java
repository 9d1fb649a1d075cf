package dev.penstock.snapshot.rows;

import dev.penstock.snapshot.memory.Longs;

/**
 * A block of rows, which is filled from a source again and again: any rows by their numbers, or such as follow each
 * other, whose cells are read in less time and whose numbers need not be written down. Used by one thread.
 */
public final class RowBlock {
    /** Rows of the first block: many sources have few, and a whole array would be most of what they cost. */
    static final int FIRST = 64;

    /** Rows of a block at the most: what is made of them stays in the fastest cache, and is little garbage. */
    static final int MOST = 8 * FIRST;

    private int[] rows;
    private int count;
    private boolean isRun;

    /** The first row of a run. */
    private int first;

    /** Whether the numbers of a run are written down. */
    private boolean isListed;

    /** Makes an empty one. */
    public RowBlock() {
        this(new int[FIRST], 0);
    }

    /** Makes one of the first {@code count} of some rows. */
    public RowBlock(int[] rows, int count) {
        this.rows = rows;
        this.count = count;
    }

    /** Takes the next rows of a source in place of its own; returns whether there were any. */
    public boolean next(RowSource source) {
        if (count == rows.length && count < MOST) {
            rows = new int[MOST];
        }
        source.next(this);
        return count > 0;
    }

    /** Takes the next rows of a source, of which it does not tell whether they follow each other. */
    void list(RowSource source, int most) {
        isRun = false;
        count = source.next(rows, Math.min(rows.length, most));
    }

    /** Takes so many rows that follow each other. */
    void run(int from, int length) {
        isRun = true;
        isListed = false;
        first = from;
        count = length;
    }

    /** Returns how many rows there are. */
    public int count() {
        return count;
    }

    /** Returns an array whose first {@link #count} elements are the rows, until the next ones are taken. */
    public int[] rows() {
        if (isRun && !isListed) {
            rows = sized(rows, count);
            for (int i = 0; i < count; i++) {
                rows[i] = first + i;
            }
            isListed = true;
        }
        return rows;
    }

    /** Reads what a column has in all rows. */
    public void read(Longs cells, long[] to) {
        if (isRun) {
            cells.readRun(first, count, to);
        } else {
            cells.read(rows, count, to);
        }
    }

    /** A reader of the first {@code count} of some rows. */
    public interface Reader {
        void read(int[] rows, int count);
    }

    /** Reads all that a source has. */
    public static void each(RowSource source, Reader reader) {
        RowBlock block = new RowBlock();
        while (block.next(source)) {
            reader.read(block.rows(), block.count());
        }
    }

    /**
     * Returns the array, or a longer one of zeros, with room for {@code count} elements, which are a block at the most.
     */
    public static int[] sized(int[] array, int count) {
        return count <= array.length ? array : new int[longer(count)];
    }

    /** Returns the same of longs. */
    public static long[] sized(long[] array, int count) {
        return count <= array.length ? array : new long[longer(count)];
    }

    private static int longer(int count) {
        return Math.max(FIRST, count);
    }
}
