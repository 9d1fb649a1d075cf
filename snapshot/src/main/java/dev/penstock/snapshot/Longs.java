package dev.penstock.snapshot;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.Locale;

/**
 * Whole numbers outside the heap, each in as many bytes as the widest needs: 0, 1, 2, 4 or 8. What is kept is the unsigned distance
 * from the least; 0 bytes mean that all are the least. Immutable, thread-safe; the memory goes when nobody can reach it any more.
 *
 * @param segment the distances, in the machine's byte order
 * @param width bytes of each
 * @param base the least number
 * @param size how many there are
 */
record Longs(MemorySegment segment, int width, long base, int size) {
    Longs {
        requireNonNull(segment);
        if (segment.byteSize() < (long) width * size) {
            throw new IllegalArgumentException(
                    "%d numbers of %d bytes in a segment of %d"
                            .formatted(size, width, segment.byteSize()));
        }
    }

    /** The bytes that hold every number from {@code least} to {@code greatest}. */
    static int width(long least, long greatest) {
        long distance = greatest - least;
        if (distance == 0) {
            return 0;
        }
        if (distance >>> Byte.SIZE == 0) {
            return Byte.BYTES;
        }
        if (distance >>> Short.SIZE == 0) {
            return Short.BYTES;
        }
        return distance >>> Integer.SIZE == 0 ? Integer.BYTES : Long.BYTES;
    }

    /** Room for {@code size} numbers from {@code least} to {@code greatest}, all of them the least until {@link #set}. */
    static Longs allocate(SegmentAllocator memory, int size, long least, long greatest) {
        int width = width(least, greatest);
        return new Longs(memory.allocate((long) width * size, Long.BYTES), width, least, size);
    }

    long get(long index) {
        return switch (width) {
            case 0 -> base;
            case Byte.BYTES -> base + Byte.toUnsignedInt(segment.get(ValueLayout.JAVA_BYTE, index));
            case Short.BYTES ->
                    base + Short.toUnsignedInt(segment.getAtIndex(ValueLayout.JAVA_SHORT, index));
            case Integer.BYTES ->
                    base + Integer.toUnsignedLong(segment.getAtIndex(ValueLayout.JAVA_INT, index));
            default -> base + segment.getAtIndex(ValueLayout.JAVA_LONG, index);
        };
    }

    /** Only for whoever builds it, before anyone else sees it. */
    void set(long index, long value) {
        long distance = value - base;
        switch (width) {
            case 0 -> {}
            case Byte.BYTES -> segment.set(ValueLayout.JAVA_BYTE, index, (byte) distance);
            case Short.BYTES -> segment.setAtIndex(ValueLayout.JAVA_SHORT, index, (short) distance);
            case Integer.BYTES -> segment.setAtIndex(ValueLayout.JAVA_INT, index, (int) distance);
            default -> segment.setAtIndex(ValueLayout.JAVA_LONG, index, distance);
        }
    }

    /** Bytes outside the heap. */
    long bytes() {
        return segment.byteSize();
    }

    /** How many there are and how wide. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%,d numbers of %d bytes", size, width);
    }
}
