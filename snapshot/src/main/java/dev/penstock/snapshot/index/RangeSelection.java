package dev.penstock.snapshot.index;

import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodeRanges;
import dev.penstock.snapshot.memory.Longs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A selection of the rows whose codes are in a range, a word of 64 rows at a time.
 *
 * <p>Codes of one, two or four bytes are compared 8, 4 or 2 at once, as lanes of a long, without a branch. A lane of
 * {@code x} is not less than one of {@code y}, both unsigned, where its highest bit is set in
 * {@code x & ~y | ~(x ^ y) & ((x | high) - (y & ~high))}: where the highest bits differ, that of {@code x} decides;
 * where they are the same, the difference of the others, which can't borrow from the next lane, because it starts with
 * a bit set above them (H. S. Warren, Hacker's Delight, 2nd edition, 2-18).
 */
public final class RangeSelection {
    private static final ValueLayout.OfLong LANES =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Else the lanes of codes of more than a byte would not be in the order of the rows. */
    private static final boolean LITTLE = ByteOrder.nativeOrder().equals(ByteOrder.LITTLE_ENDIAN);

    private final Longs codes;
    private final MemorySegment segment;
    private final int laneBits;
    private final long least;
    private final long greatest;

    /** The highest bit of each lane, and the bounds in each lane. */
    private final long high;

    private final long from;
    private final long to;

    public RangeSelection(Longs codes, CodeRange range) {
        this.codes = codes;
        segment = codes.segment();
        laneBits = LITTLE && codes.width() < Long.BYTES ? codes.width() * Byte.SIZE : 0;
        least = range.least() - codes.base();
        greatest = range.greatest() - codes.base();
        high = spread(1L << (laneBits - 1));
        from = spread(least);
        to = spread(greatest);
    }

    private long spread(long lane) {
        return switch (laneBits) {
            case Byte.SIZE -> lane * 0x0101010101010101L;
            case Short.SIZE -> lane * 0x0001000100010001L;
            case Integer.SIZE -> lane * 0x0000000100000001L;
            default -> 0;
        };
    }

    /** Clears the bits of rows whose code is not in the range. */
    public void narrow(int first, long[] selection) {
        for (int i = 0; i < selection.length; i++) {
            if (selection[i] != 0) {
                selection[i] &= word(first + i * Long.SIZE);
            }
        }
    }

    /** Returns the selections of several ranges. */
    public static RangeSelection[] of(Longs codes, CodeRanges ranges) {
        RangeSelection[] all = new RangeSelection[ranges.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = new RangeSelection(codes, ranges.get(i));
        }
        return all;
    }

    /** Clears the bits of rows whose code is in none of several ranges. */
    public static void narrow(RangeSelection[] any, int first, long[] selection) {
        if (any.length == 1) {
            any[0].narrow(first, selection);
            return;
        }
        for (int i = 0; i < selection.length; i++) {
            long word = 0;
            for (int j = 0; j < any.length && selection[i] != 0; j++) {
                word |= any[j].word(first + i * Long.SIZE);
            }
            selection[i] &= word;
        }
    }

    private long word(int start) {
        if (codes.size() - start < Long.SIZE) {
            return single(start, codes.size());
        }
        return switch (laneBits) {
            case Byte.SIZE -> bytes(start);
            case Short.SIZE -> shorts(start);
            case Integer.SIZE -> ints(start);
            default -> single(start, start + Long.SIZE);
        };
    }

    private long single(int start, int end) {
        long word = 0;
        for (int row = start; row < end; row++) {
            long distance = codes.get(row) - codes.base();
            boolean in =
                    Long.compareUnsigned(distance, least) >= 0
                            && Long.compareUnsigned(distance, greatest) <= 0;
            word |= (in ? 1L : 0) << (row - start);
        }
        return word;
    }

    /** Of the {@code i}-th long from some byte on, the highest bit of each lane whose code is in the range. */
    private long in(long start, int i) {
        return lanesIn(segment.get(LANES, start + (long) i * Long.BYTES), from, to, high);
    }

    private static long lanesIn(long lanes, long from, long to, long high) {
        long notLess = (lanes & ~from) | (~(lanes ^ from) & ((lanes | high) - (from & ~high)));
        long notMore = (to & ~lanes) | (~(to ^ lanes) & ((to | high) - (lanes & ~high)));
        return notLess & notMore & high;
    }

    // The multiplications bring the bit of lane i to the i-th of the highest places: no two
    // products of a bit meet at one place, so that nothing is carried.

    private long bytes(int start) {
        long word = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            long in = in(start, i);
            word |= (((in >>> 7) * 0x0102040810204080L) >>> 56) << (i * 8);
        }
        return word;
    }

    private long shorts(int start) {
        long word = 0;
        for (int i = 0; i < 16; i++) {
            long in = in((long) start * Short.BYTES, i);
            word |= (((in >>> 15) * 0x1000200040008000L) >>> 60) << (i * 4);
        }
        return word;
    }

    private long ints(int start) {
        long word = 0;
        for (int i = 0; i < 32; i++) {
            long in = in((long) start * Integer.BYTES, i);
            word |= (((in >>> 31) & 1) | (in >>> 62)) << (i * 2);
        }
        return word;
    }

    /** Returns how many rows from {@code start} to before {@code end} have a code in the range. */
    public long count(int start, int end) {
        int lanes = laneBits == 0 ? 1 : Long.SIZE / laneBits;
        int first = Math.min(end, (start + lanes - 1) / lanes * lanes);
        int last = Math.max(first, end / lanes * lanes);
        long startByte = (long) first * codes.width();
        long endByte = (long) last * codes.width();
        long inLanes =
                switch (laneBits) {
                    case Byte.SIZE, Short.SIZE ->
                            inLanes(segment, startByte, endByte, from, to, high);
                    case Integer.SIZE ->
                            last
                                    - first
                                    - outside(
                                            segment,
                                            startByte,
                                            endByte,
                                            (int) least,
                                            (int) (greatest - least));
                    default -> singly(first, last);
                };
        return singly(start, first) + inLanes + singly(last, end);
    }

    private long singly(int start, int end) {
        long count = 0;
        for (int row = start; row < end; row += Long.SIZE) {
            count += Long.bitCount(single(row, Math.min(end, row + Long.SIZE)));
        }
        return count;
    }

    // The compiler does several rounds of these loops at once, which it does not where they count
    // anything but bytes, or read fields.

    private static long inLanes(
            MemorySegment segment, long start, long end, long from, long to, long high) {
        long count = 0;
        for (long at = start; at < end; at += Long.BYTES) {
            long lanes = segment.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
            count += Long.bitCount(lanesIn(lanes, from, to, high));
        }
        return count;
    }

    /** Returns the borrow of {@code range - distance}, both unsigned, is 1 for what is below the range or above it. */
    private static int outside(MemorySegment segment, long start, long end, int least, int range) {
        int count = 0;
        for (long at = start; at < end; at += Integer.BYTES) {
            int distance = segment.get(ValueLayout.JAVA_INT_UNALIGNED, at) - least;
            count += ((~range & distance) | ((~range | distance) & (range - distance))) >>> 31;
        }
        return count;
    }
}
