package dev.penstock.snapshot.column;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Strings of at most 16 bytes that occur often in the texts of a column, so that these can be kept as codes of two
 * bytes, and each be read by itself. Every single byte is among them. Immutable, thread-safe.
 *
 * <p>After F. Gargiulo and R. Venturini, "OnPair: Short Strings Compression for Fast Random Access" (2025): see
 * {@link TokenTrainer}.
 *
 * @param bytes 16 bytes a token, zeros after its end
 * @param lengths a byte a token
 * @param size how many there are
 */
public record Tokens(MemorySegment bytes, MemorySegment lengths, int size) {
    /** Bytes of the longest token. */
    public static final int LONGEST = 16;

    /** Bytes of a code. */
    public static final int CODE = Short.BYTES;

    /** How many there may be. */
    static final int MOST = 1 << 16;

    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    static Tokens of(SegmentAllocator memory, byte[] bytes, byte[] lengths, int size) {
        MemorySegment all = memory.allocate((long) size * LONGEST, Long.BYTES);
        MemorySegment.copy(bytes, 0, all, ValueLayout.JAVA_BYTE, 0, size * LONGEST);
        MemorySegment each = memory.allocate(size, Long.BYTES);
        MemorySegment.copy(lengths, 0, each, ValueLayout.JAVA_BYTE, 0, size);
        return new Tokens(all, each, size);
    }

    /** Returns how many bytes of room {@link #decode} needs for so many bytes of codes. */
    static long mostBytes(int codeBytes) {
        return (long) codeBytes / CODE * LONGEST + LONGEST;
    }

    /** Returns how long the text of some codes is; {@link #decode} needs {@link #LONGEST} bytes more. */
    long length(MemorySegment codes, long start, long end) {
        long length = 0;
        for (long at = start; at < end; at += CODE) {
            int code = Short.toUnsignedInt(codes.get(ValueLayout.JAVA_SHORT_UNALIGNED, at));
            length += lengths.get(ValueLayout.JAVA_BYTE, code);
        }
        return length;
    }

    /** Writes the text of some codes, and bytes of no meaning after it; gives its length. */
    int decode(MemorySegment codes, long start, long end, byte[] to) {
        return decode(codes, start, end, to, Integer.MAX_VALUE);
    }

    /** Returns the same of no more codes than make {@code enough} bytes or more. */
    int decode(MemorySegment codes, long start, long end, byte[] to, int enough) {
        int length = 0;
        for (long at = start; at < end && length < enough; at += CODE) {
            int code = Short.toUnsignedInt(codes.get(ValueLayout.JAVA_SHORT_UNALIGNED, at));
            long token = (long) code * LONGEST;
            LONG.set(to, length, bytes.get(ValueLayout.JAVA_LONG, token));
            LONG.set(to, length + Long.BYTES, bytes.get(ValueLayout.JAVA_LONG, token + Long.BYTES));
            length += lengths.get(ValueLayout.JAVA_BYTE, code);
        }
        return length;
    }

    /** Returns how many bytes it takes outside the heap. */
    long memory() {
        return bytes.byteSize() + lengths.byteSize();
    }
}
