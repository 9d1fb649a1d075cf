package dev.penstock.snapshot;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Reads the numbers of many rows at once, so that their width is looked at only once. */
final class Gather {
    private Gather() {}

    /** Writes the numbers of the first {@code count} rows. */
    static void read(Longs from, int[] rows, int count, long[] to) {
        MemorySegment segment = from.segment();
        long base = from.base();
        switch (from.width()) {
            case 0 -> java.util.Arrays.fill(to, 0, count, base);
            case Byte.BYTES -> {
                for (int i = 0; i < count; i++) {
                    to[i] = base + Byte.toUnsignedInt(segment.get(ValueLayout.JAVA_BYTE, rows[i]));
                }
            }
            case Short.BYTES -> {
                for (int i = 0; i < count; i++) {
                    short distance = segment.getAtIndex(ValueLayout.JAVA_SHORT, rows[i]);
                    to[i] = base + Short.toUnsignedInt(distance);
                }
            }
            case Integer.BYTES -> {
                for (int i = 0; i < count; i++) {
                    int distance = segment.getAtIndex(ValueLayout.JAVA_INT, rows[i]);
                    to[i] = base + Integer.toUnsignedLong(distance);
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    to[i] = base + segment.getAtIndex(ValueLayout.JAVA_LONG, rows[i]);
                }
            }
        }
    }
}
