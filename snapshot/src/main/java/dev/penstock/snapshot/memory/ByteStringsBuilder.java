package dev.penstock.snapshot.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Strings of bytes that become {@link ByteStrings} when all are there. Not thread-safe. */
public final class ByteStringsBuilder {
    private static final int CHUNK_BITS = 15;
    public static final int CHUNK = 1 << CHUNK_BITS;

    private final SegmentAllocator scratch;
    private final List<MemorySegment> chunks = new ArrayList<>();
    private final LongsBuilder ends;
    private byte[] buffer = Buffers.first();
    private long end;

    public ByteStringsBuilder(SegmentAllocator scratch) {
        this.scratch = scratch;
        ends = new LongsBuilder(scratch);
    }

    public void add(byte[] from, int offset, int length) {
        int done = 0;
        while (done < length) {
            int place = (int) (end & (CHUNK - 1));
            if (place == 0) {
                chunks.add(scratch.allocate(CHUNK, Long.BYTES));
            }
            int part = Math.min(length - done, CHUNK - place);
            MemorySegment.copy(
                    from, offset + done, chunks.getLast(), ValueLayout.JAVA_BYTE, place, part);
            done += part;
            end += part;
        }
        ends.add(end);
    }

    public int size() {
        return ends.size();
    }

    /** Returns how many bytes all strings have. */
    public long total() {
        return end;
    }

    public int length(int index) {
        return (int) (ends.get(index) - start(index));
    }

    private long start(int index) {
        return index == 0 ? 0 : ends.get(index - 1);
    }

    /**
     * Returns an array that begins with one of them; valid until the next call.
     *
     * @param more room behind it, in bytes
     */
    public byte[] read(int index, int more) {
        long start = start(index);
        int length = (int) (ends.get(index) - start);
        buffer = Buffers.withRoom(buffer, (long) length + more);
        int done = 0;
        while (done < length) {
            long from = start + done;
            int place = (int) (from & (CHUNK - 1));
            int part = Math.min(length - done, CHUNK - place);
            MemorySegment.copy(
                    chunks.get((int) (from >>> CHUNK_BITS)),
                    ValueLayout.JAVA_BYTE,
                    place,
                    buffer,
                    done,
                    part);
            done += part;
        }
        return buffer;
    }

    /** Returns whether one is these bytes. */
    boolean equals(int index, byte[] other, int offset, int length) {
        return length(index) == length
                && Arrays.equals(read(index, 0), 0, length, other, offset, offset + length);
    }

    /**
     * Returns all of them, in an order.
     *
     * @param order gives which of them comes at a place; null for the one in which they were added
     */
    public ByteStrings build(SegmentAllocator memory, @Nullable Longs order) {
        int size = size();
        Longs blocks = Longs.allocate(memory, (size >>> ByteStrings.BLOCK_BITS) + 1, 0, end);
        Longs within = Longs.allocate(memory, size + 1, 0, longestBlock(order));
        MemorySegment bytes = memory.allocate(end, Long.BYTES);
        long at = 0;
        long block = 0;
        for (int i = 0; i <= size; i++) {
            if (i % (1 << ByteStrings.BLOCK_BITS) == 0) {
                block = at;
                blocks.set(i >>> ByteStrings.BLOCK_BITS, block);
            }
            within.set(i, at - block);
            if (i < size) {
                int from = order == null ? i : (int) order.get(i);
                int length = length(from);
                MemorySegment.copy(read(from, 0), 0, bytes, ValueLayout.JAVA_BYTE, at, length);
                at += length;
            }
        }
        return new ByteStrings(bytes, blocks, within, size);
    }

    private long longestBlock(@Nullable Longs order) {
        long longest = 0;
        long sum = 0;
        for (int i = 0; i < size(); i++) {
            if (i % (1 << ByteStrings.BLOCK_BITS) == 0) {
                sum = 0;
            }
            sum += length(order == null ? i : (int) order.get(i));
            longest = Math.max(longest, sum);
        }
        return longest;
    }
}
