package dev.penstock.snapshot.memory;

import dev.penstock.query.QueryException;

/** A maker of arrays that are used again for one cell after the other, whatever their lengths. */
public final class Buffers {
    /** The array without room, for those who make one when they need it. */
    public static final byte[] NONE = {};

    /** Bytes of the first array. */
    public static final int FIRST = 64;

    /** The longest array that every JVM makes. */
    static final int LONGEST = Integer.MAX_VALUE - 8;

    private Buffers() {}

    /** Returns an array for short cells. */
    public static byte[] first() {
        return new byte[FIRST];
    }

    /**
     * Returns the array, or a longer one of zeros, with room for {@code wanted} bytes.
     *
     * @throws QueryException of kind {@code ROW_TOO_WIDE} if no array has so many
     */
    public static byte[] withRoom(byte[] array, long wanted) {
        return wanted <= array.length ? array : new byte[longer(wanted)];
    }

    /** Returns so many bytes, and half as many again where an array can have them. */
    public static int longer(long wanted) {
        if (wanted > LONGEST) {
            throw new QueryException(
                    QueryException.Kind.ROW_TOO_WIDE,
                    ("a cell takes %,d bytes in memory, and an array has %,d at the most; leave its"
                                    + " table to the database")
                            .formatted(wanted, LONGEST));
        }
        return (int) Math.min(wanted + wanted / 2, LONGEST);
    }
}
