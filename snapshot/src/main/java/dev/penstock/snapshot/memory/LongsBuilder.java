package dev.penstock.snapshot.memory;

import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whole numbers that become {@link Longs} when all are there; until then in chunks, each as narrow as it can be. Not
 * thread-safe.
 */
public final class LongsBuilder {
    private static final int CHUNK_BITS = 11;
    private static final int CHUNK = 1 << CHUNK_BITS;

    private final SegmentAllocator scratch;
    private final List<Longs> chunks = new ArrayList<>();
    private long[] open = new long[32];
    private int size;
    private long last;
    private long least = Long.MAX_VALUE;
    private long greatest = Long.MIN_VALUE;

    public LongsBuilder(SegmentAllocator scratch) {
        this.scratch = scratch;
    }

    public void add(long value) {
        least = Math.min(least, value);
        greatest = Math.max(greatest, value);
        last = value;
        append(value);
    }

    /** A place that is none of the values, such as that of a NULL. */
    public void addNothing() {
        append(last);
    }

    private void append(long value) {
        int place = size & (CHUNK - 1);
        if (place == open.length) {
            open = Arrays.copyOf(open, place * 2);
        }
        open[place] = value;
        size++;
        if (place == CHUNK - 1) {
            chunks.add(closed());
        }
    }

    private Longs closed() {
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        for (long value : open) {
            low = Math.min(low, value);
            high = Math.max(high, value);
        }
        Longs chunk = Longs.allocate(scratch, CHUNK, low, high);
        for (int i = 0; i < CHUNK; i++) {
            chunk.set(i, open[i]);
        }
        return chunk;
    }

    public int size() {
        return size;
    }

    /** Returns whether there is any value. */
    public boolean isEmpty() {
        return least > greatest;
    }

    /** Returns the least value; 0 without any. */
    public long least() {
        return isEmpty() ? 0 : least;
    }

    /** Returns the greatest value; 0 without any. */
    public long greatest() {
        return isEmpty() ? 0 : greatest;
    }

    public long get(int index) {
        int chunk = index >>> CHUNK_BITS;
        int place = index & (CHUNK - 1);
        return chunk < chunks.size() ? chunks.get(chunk).get(place) : open[place];
    }

    /**
     * Returns all of them, in an order.
     *
     * @param order gives which of them comes at a place; null for the one in which they were added
     * @param value what becomes of each; what {@link #addNothing} left is for it to replace
     * @param low the least that becomes
     * @param high the greatest that becomes
     */
    public Longs build(
            SegmentAllocator memory, @Nullable Longs order, Values value, long low, long high) {
        Longs all = Longs.allocate(memory, size, low, high);
        if (all.width() == 0) {
            return all;
        }
        for (int i = 0; i < size; i++) {
            int from = order == null ? i : (int) order.get(i);
            all.set(i, value.of(from, get(from)));
        }
        return all;
    }

    /** A function of a value and its place. */
    public interface Values {
        long of(int index, long value);
    }
}
