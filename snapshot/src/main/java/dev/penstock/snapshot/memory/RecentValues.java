package dev.penstock.snapshot.memory;

import org.jspecify.annotations.Nullable;

/**
 * The objects that were made of a column's codes most recently: rows that have the same price or the same date share
 * the object. A code has one place, so that another one may put it out. Used by one thread.
 */
public final class RecentValues {
    private static final int BITS = 6;

    /** By the golden ratio, so that codes of any distance are spread. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private final long[] codes = new long[1 << BITS];
    private final @Nullable Object[] values = new Object[1 << BITS];

    private static int slot(long code) {
        return (int) ((code * SPREAD) >>> (Long.SIZE - BITS));
    }

    /** Returns the object of a code; null where it is not kept. */
    public @Nullable Object get(long code) {
        int slot = slot(code);
        return codes[slot] == code ? values[slot] : null;
    }

    /** Keeps the object of a code. */
    public void put(long code, Object value) {
        int slot = slot(code);
        codes[slot] = code;
        values[slot] = value;
    }
}
