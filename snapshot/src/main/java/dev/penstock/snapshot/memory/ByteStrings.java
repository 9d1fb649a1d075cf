package dev.penstock.snapshot.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
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
    /** A block has two to the power of this many strings. */
    public static final int BLOCK_BITS = 6;

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
        return copy(start(index), start(index + 1), to, at);
    }

    /** Returns a copy of one. */
    public byte[] get(int index) {
        byte[] copy = new byte[length(index)];
        copy(index, copy, 0);
        return copy;
    }

    /** Copies the one that begins and ends there likewise. */
    public int copy(long start, long end, byte[] to, int at) {
        int length = (int) (end - start);
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

    /** A receiver of strings in their order. */
    public interface Receiver {
        /** Takes {@code count} strings from a place on. */
        void run(int from, int count);

        /** Takes another string. */
        void one(byte[] string);
    }

    /** Strings in their order; given twice, they are the same. */
    public interface Parts {
        void each(Receiver receiver);
    }

    /** Returns runs of these strings and others between them. */
    public ByteStrings patched(Parts parts, SegmentAllocator memory) {
        Layout layout = new Layout();
        parts.each(layout);
        layout.end();
        Longs blocksNow = Longs.allocate(memory, (layout.size >>> BLOCK_BITS) + 1, 0, layout.bytes);
        Longs withinNow = Longs.allocate(memory, layout.size + 1, 0, layout.longest);
        Copy copy = new Copy(memory.allocate(layout.bytes, Long.BYTES), blocksNow, withinNow);
        parts.each(copy);
        copy.begin();
        return new ByteStrings(copy.target, blocksNow, withinNow, layout.size);
    }

    /** The size of an array before it is made. */
    private final class Layout implements Receiver {
        private int size;
        private long bytes;
        private long block;
        private long longest;

        @Override
        public void run(int from, int count) {
            long start = start(from);
            for (int i = from; i < from + count; i++) {
                long end = start(i + 1);
                add(end - start);
                start = end;
            }
        }

        @Override
        public void one(byte[] string) {
            add(string.length);
        }

        private void add(long length) {
            if (size % (1 << BLOCK_BITS) == 0) {
                end();
            }
            size++;
            bytes += length;
        }

        private void end() {
            longest = Math.max(longest, bytes - block);
            block = bytes;
        }
    }

    /** The array that is made. */
    private final class Copy implements Receiver {
        private final MemorySegment target;
        private final Longs blocksNow;
        private final Longs withinNow;
        private int size;
        private long at;
        private long block;

        Copy(MemorySegment target, Longs blocksNow, Longs withinNow) {
            this.target = target;
            this.blocksNow = blocksNow;
            this.withinNow = withinNow;
        }

        @Override
        public void run(int from, int count) {
            long start = start(from);
            long first = start;
            long place = at;
            for (int i = from; i < from + count; i++) {
                begin();
                long end = start(i + 1);
                at += end - start;
                start = end;
                size++;
            }
            Memory.copy(bytes, first, target, place, start - first);
        }

        @Override
        public void one(byte[] string) {
            begin();
            MemorySegment.copy(string, 0, target, ValueLayout.JAVA_BYTE, at, string.length);
            at += string.length;
            size++;
        }

        /** Notes where the next string begins, or behind the last, where that ends. */
        private void begin() {
            if (size % (1 << BLOCK_BITS) == 0) {
                block = at;
                blocksNow.set(size >>> BLOCK_BITS, block);
            }
            withinNow.set(size, at - block);
        }
    }
}
