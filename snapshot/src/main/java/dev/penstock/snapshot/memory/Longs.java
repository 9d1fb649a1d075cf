package dev.penstock.snapshot.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An array of whole numbers outside the heap, each in as many bytes as the widest needs: 0, 1, 2, 4 or 8. What is kept
 * is the unsigned distance from the least; 0 bytes mean that all are the least. Immutable, thread-safe; the memory goes
 * when nobody can reach it any more, or by {@link #free}.
 *
 * <p>A number of any width is read as the lowest bytes of the eight from its place on, without a branch; so there is
 * room for eight behind the last.
 *
 * @param segment the distances, least significant byte first, and zeros
 * @param width bytes of each
 * @param base the least number
 * @param size how many there are
 * @param arena the arena of the segment alone; null where only the garbage collector gives its memory back
 */
public record Longs(MemorySegment segment, int width, long base, int size, @Nullable Arena arena)
        implements Permutation.Numbers {
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    public Longs {
        if (segment.byteSize() < segmentBytes(size, width)) {
            throw new IllegalArgumentException(
                    "%d numbers of %d bytes in a segment of %d"
                            .formatted(size, width, segment.byteSize()));
        }
    }

    public Longs(MemorySegment segment, int width, long base, int size) {
        this(segment, width, base, size, null);
    }

    /**
     * Returns as many bytes as {@link #get} may read, if only the last number.
     */
    private static long segmentBytes(int size, int width) {
        return (long) width * size + Long.BYTES;
    }

    /**
     * Returns the bytes that hold every number from {@code least} to {@code greatest}.
     */
    static int width(long least, long greatest) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(greatest - least);
        int bytes = (bits + Byte.SIZE - 1) / Byte.SIZE;
        // The power of two that is not less.
        return bytes == 0 ? 0 : Integer.highestOneBit(2 * bytes - 1);
    }

    /**
     * Allocates room for {@code size} numbers from {@code least} to {@code greatest}, all of them the least until
     * {@link #set}.
     */
    public static Longs allocate(SegmentAllocator memory, int size, long least, long greatest) {
        return allocate(memory, size, least, greatest, true);
    }

    /**
     * Allocates room for {@code size} numbers from {@code least} to {@code greatest}, for whoever sets each of them:
     * until then it may be anything. That may be memory of a version that has ended, which the system need not zero.
     */
    public static Longs allocateUnset(
            SegmentAllocator memory, int size, long least, long greatest) {
        return allocate(memory, size, least, greatest, false);
    }

    private static Longs allocate(
            SegmentAllocator memory, int size, long least, long greatest, boolean isZeroed) {
        int width = width(least, greatest);
        long bytes = segmentBytes(size, width);
        if (memory instanceof Memory from && from.isEnded(bytes)) {
            Arena arena = Arena.ofShared();
            MemorySegment segment = from.allocate(arena, bytes, isZeroed);
            // Behind the last number there is never anything.
            segment.set(LONG, bytes - Long.BYTES, 0);
            return new Longs(segment, width, least, size, arena);
        }
        return new Longs(memory.allocate(bytes, Long.BYTES), width, least, size);
    }

    /**
     * Gives the memory back now, where that is many bytes; used by one thread. Whoever reads a number of it afterwards
     * gets an {@link IllegalStateException}.
     */
    public void free() {
        if (arena != null && arena.scope().isAlive()) {
            arena.close();
        }
    }

    @Override
    public long get(long index) {
        return base + (segment.get(LONG, index * width) & mask(width));
    }

    /**
     * Shifts count modulo 64: the mask of 0 bytes is that of 8, all ones; but at 0 bytes there are only zeros.
     */
    private static long mask(int width) {
        return -1L >>> -(width * Byte.SIZE);
    }

    /**
     * Reads the numbers of {@code count} rows.
     */
    public void read(int[] rows, int count, long[] to) {
        for (int i = 0; i < count; i++) {
            to[i] = get(rows[i]);
        }
    }

    /**
     * Reads the numbers of {@code count} rows from one on, by a loop for each width, which takes less time than to look
     * for each.
     */
    public void readRun(int row, int count, long[] to) {
        switch (width) {
            case 0 -> Arrays.fill(to, 0, count, base);
            case Byte.BYTES -> {
                for (int i = 0; i < count; i++) {
                    to[i] =
                            base
                                    + Byte.toUnsignedLong(
                                            segment.get(ValueLayout.JAVA_BYTE, (long) row + i));
                }
            }
            case Short.BYTES -> {
                for (int i = 0; i < count; i++) {
                    to[i] = base + Short.toUnsignedLong(segment.getAtIndex(SHORT, (long) row + i));
                }
            }
            case Integer.BYTES -> {
                for (int i = 0; i < count; i++) {
                    to[i] = base + Integer.toUnsignedLong(segment.getAtIndex(INT, (long) row + i));
                }
            }
            default -> {
                MemorySegment.copy(segment, LONG, (long) row * Long.BYTES, to, 0, count);
                for (int i = 0; i < count; i++) {
                    to[i] += base;
                }
            }
        }
    }

    /**
     * Only for whoever builds it, before anyone else sees it.
     */
    @Override
    public void set(long index, long value) {
        long distance = value - base;
        switch (width) {
            case 0 -> {}
            case Byte.BYTES -> segment.set(ValueLayout.JAVA_BYTE, index, (byte) distance);
            case Short.BYTES -> segment.setAtIndex(SHORT, index, (short) distance);
            case Integer.BYTES -> segment.setAtIndex(INT, index, (int) distance);
            default -> segment.setAtIndex(LONG, index, distance);
        }
    }

    /**
     * Copies some of the numbers to others of the same width and least number; only for whoever builds these.
     */
    public void copy(int from, Longs to, int at, int count) {
        Memory.copy(
                segment, (long) from * width, to.segment, (long) at * width, (long) count * width);
    }

    /**
     * Returns how many bytes it takes outside the heap.
     */
    public long bytes() {
        return segment.byteSize();
    }

    /**
     * Returns how many there are and how wide.
     */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%,d numbers of %d bytes", size, width);
    }
}
