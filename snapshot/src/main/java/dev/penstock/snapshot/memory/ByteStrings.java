package dev.penstock.snapshot.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * An array of strings of bytes, one after the other outside the heap. Where one begins is kept as a distance from the
 * beginning of its block of 64. Immutable, thread-safe.
 *
 * @param bytes all of them
 * @param blocks where each block begins
 * @param within how far from there each string begins; at the end, where the last one ends
 * @param size how many there are
 */
public record ByteStrings(MemorySegment bytes, Longs blocks, Longs within, int size) {
    static final int BLOCK_BITS = 6;

    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong SEGMENT_LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /**
     * Returns where one begins; that of {@code size} is where all end.
     */
    public long start(int index) {
        return blocks.get(index >>> BLOCK_BITS) + within.get(index);
    }

    public int length(int index) {
        return (int) (start(index + 1) - start(index));
    }

    /**
     * Copies one to {@code to} from {@code at}; gives its length.
     */
    public int copy(int index, byte[] to, int at) {
        long start = start(index);
        int length = (int) (start(index + 1) - start);
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, start, to, at, length);
        return length;
    }

    /**
     * Compares one with {@code length} bytes of {@code other}, unsigned.
     */
    public int compare(int index, byte[] other, int length) {
        long start = start(index);
        int own = (int) (start(index + 1) - start);
        int common = Math.min(own, length);
        int i = 0;
        for (; i + Long.BYTES <= common; i += Long.BYTES) {
            long a = bytes.get(SEGMENT_LONG, start + i);
            long b = (long) LONG.get(other, i);
            if (a != b) {
                return Long.compareUnsigned(a, b);
            }
        }
        for (; i < common; i++) {
            int difference =
                    Byte.compareUnsigned(bytes.get(ValueLayout.JAVA_BYTE, start + i), other[i]);
            if (difference != 0) {
                return difference;
            }
        }
        return Integer.compare(own, length);
    }

    /**
     * Compares two of them, unsigned.
     */
    public int compare(int one, int other) {
        long a = start(one);
        long b = start(other);
        long aEnd = start(one + 1);
        long bEnd = start(other + 1);
        long different = MemorySegment.mismatch(bytes, a, aEnd, bytes, b, bEnd);
        if (different < 0) {
            return 0;
        }
        if (a + different == aEnd || b + different == bEnd) {
            return Long.compare(aEnd - a, bEnd - b);
        }
        return Byte.compareUnsigned(
                bytes.get(ValueLayout.JAVA_BYTE, a + different),
                bytes.get(ValueLayout.JAVA_BYTE, b + different));
    }

    /**
     * Returns how many bytes it takes outside the heap.
     */
    public long memory() {
        return bytes.byteSize() + blocks.bytes() + within.bytes();
    }
}
