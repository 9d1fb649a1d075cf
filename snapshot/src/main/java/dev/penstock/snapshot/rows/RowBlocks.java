package dev.penstock.snapshot.rows;

/**
 * A maker of arrays for blocks of rows, no longer than the blocks that there are: many sources have few rows, and
 * arrays of a whole block would be most of what they cost.
 */
public final class RowBlocks {
    /** Rows of the first block of {@link #each}. */
    private static final int FIRST = 64;

    private static final int GROWTH = 8;

    /** Rows of a block at the most: what is made of them stays in the fastest cache, and is little garbage. */
    private static final int MOST = FIRST * GROWTH;

    private RowBlocks() {}

    /** A reader of the first {@code count} of some rows. */
    public interface Reader {
        void read(int[] rows, int count);
    }

    /** Reads all that a source has. */
    public static void each(RowSource source, Reader reader) {
        int[] some = new int[FIRST];
        for (int count = source.next(some); count > 0; count = source.next(some)) {
            reader.read(some, count);
            if (count == some.length && count < MOST) {
                some = new int[MOST];
            }
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
