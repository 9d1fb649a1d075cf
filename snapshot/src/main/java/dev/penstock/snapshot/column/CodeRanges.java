package dev.penstock.snapshot.column;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A set of codes of a column, as ranges in their order of which no two meet: what a condition on one column comes to.
 * Immutable, thread-safe.
 */
public final class CodeRanges {
    public static final CodeRanges NONE = new CodeRanges(new long[0], new long[0]);

    /** More ranges than this have a bit for each code, where codes are close together. */
    private static final int FEW = 4;

    /** Codes that a bit each is spent on for each range. */
    private static final int SPREAD = 64;

    /** Distances from there on have no bits: places of bits are int. */
    private static final long FAR = Integer.MAX_VALUE - Long.SIZE;

    private static final Comparator<CodeRange> BY_LEAST =
            Comparator.comparingLong(CodeRange::least);

    private final long[] least;
    private final long[] greatest;
    private final long @Nullable [] bits;

    private CodeRanges(long[] least, long[] greatest) {
        this.least = least;
        this.greatest = greatest;
        bits = least.length > FEW ? bits(least, greatest) : null;
    }

    private static long @Nullable [] bits(long[] least, long[] greatest) {
        long distance = greatest[greatest.length - 1] - least[0];
        if (distance < 0 || distance >= Math.min((long) least.length * SPREAD, FAR)) {
            return null;
        }
        long[] bits = new long[((int) distance >>> 6) + 1];
        for (int i = 0; i < least.length; i++) {
            int last = (int) (greatest[i] - least[0]);
            for (int at = (int) (least[i] - least[0]); at <= last; at++) {
                bits[at >>> 6] |= 1L << at;
            }
        }
        return bits;
    }

    /** Returns the codes of one range. */
    public static CodeRanges of(CodeRange range) {
        return range.isEmpty()
                ? NONE
                : new CodeRanges(new long[] {range.least()}, new long[] {range.greatest()});
    }

    /** Returns these codes, in any order. */
    public static CodeRanges of(long... codes) {
        long[] sorted = codes.clone();
        Arrays.sort(sorted);
        return joined(sorted, sorted.clone(), sorted.length);
    }

    /**
     * Returns the codes of the bits that are set.
     *
     * @param first what the first bit stands for
     * @param count the number of ranges, as {@link #count(long[])} has it
     */
    public static CodeRanges ofBits(long first, long[] bits, int count) {
        if (count == 0) {
            return NONE;
        }
        long[] least = new long[count];
        long[] greatest = new long[count];
        BitSet set = BitSet.valueOf(bits);
        int start = set.nextSetBit(0);
        for (int i = 0; i < count; i++) {
            int end = set.nextClearBit(start);
            least[i] = first + start;
            greatest[i] = first + end - 1;
            start = set.nextSetBit(end);
        }
        return new CodeRanges(least, greatest);
    }

    /** Returns how many ranges there are of bits that are set. */
    public static int count(long[] bits) {
        int count = 0;
        long before = 0;
        for (long word : bits) {
            count += Long.bitCount(word & ~(word << 1 | before));
            before = word >>> (Long.SIZE - 1);
        }
        return count;
    }

    /** Returns the codes of any of several ranges. */
    public static CodeRanges union(List<CodeRange> ranges) {
        List<CodeRange> sorted = new ArrayList<>(ranges.size());
        for (CodeRange range : ranges) {
            if (!range.isEmpty()) {
                sorted.add(range);
            }
        }
        sorted.sort(BY_LEAST);
        long[] least = new long[sorted.size()];
        long[] greatest = new long[sorted.size()];
        for (int i = 0; i < least.length; i++) {
            least[i] = sorted.get(i).least();
            greatest[i] = sorted.get(i).greatest();
        }
        return joined(least, greatest, least.length);
    }

    /** Joins ranges that meet. The arrays are the result's from then on; the first of them is in order. */
    private static CodeRanges joined(long[] least, long[] greatest, int count) {
        if (count == 0) {
            return NONE;
        }
        int last = 0;
        for (int i = 1; i < count; i++) {
            boolean meets = greatest[last] == Long.MAX_VALUE || least[i] <= greatest[last] + 1;
            if (meets) {
                greatest[last] = Math.max(greatest[last], greatest[i]);
            } else {
                last++;
                least[last] = least[i];
                greatest[last] = greatest[i];
            }
        }
        return last + 1 == least.length
                ? new CodeRanges(least, greatest)
                : new CodeRanges(Arrays.copyOf(least, last + 1), Arrays.copyOf(greatest, last + 1));
    }

    /** Returns how many ranges there are. */
    public int size() {
        return least.length;
    }

    public boolean isEmpty() {
        return least.length == 0;
    }

    /** Returns how many codes there are. */
    public long codes() {
        long codes = 0;
        for (int i = 0; i < least.length; i++) {
            codes += greatest[i] - least[i] + 1;
        }
        return codes;
    }

    /** Returns how many bytes of heap it takes. */
    public long bytes() {
        return (2L * least.length + (bits == null ? 0 : bits.length)) * Long.BYTES;
    }

    /** Returns a range, by its place from 0 on. */
    public CodeRange get(int place) {
        return new CodeRange(least[place], greatest[place]);
    }

    /** Returns the ranges in their order. */
    public List<CodeRange> list() {
        CodeRange[] all = new CodeRange[least.length];
        Arrays.setAll(all, this::get);
        return List.of(all);
    }

    public boolean contains(long code) {
        if (least.length == 1) {
            return least[0] <= code && code <= greatest[0];
        }
        if (bits != null) {
            long at = code - least[0];
            return Long.compareUnsigned(at, (long) bits.length << 6) < 0
                    && ((bits[(int) at >>> 6] >>> at) & 1) != 0;
        }
        int place = Arrays.binarySearch(least, code);
        return place >= 0 || (place < -1 && code <= greatest[-place - 2]);
    }

    /** Returns whether all codes of a range are here. */
    public boolean containsAll(CodeRange range) {
        for (int i = 0; i < least.length; i++) {
            if (least[i] <= range.least() && range.greatest() <= greatest[i]) {
                return true;
            }
        }
        return range.isEmpty();
    }

    /** Returns the codes that are here and there. */
    public CodeRanges intersect(CodeRanges other) {
        int count = 0;
        long[] from = new long[least.length + other.least.length];
        long[] to = new long[from.length];
        int here = 0;
        int there = 0;
        while (here < least.length && there < other.least.length) {
            long low = Math.max(least[here], other.least[there]);
            long high = Math.min(greatest[here], other.greatest[there]);
            if (low <= high) {
                from[count] = low;
                to[count++] = high;
            }
            if (greatest[here] < other.greatest[there]) {
                here++;
            } else {
                there++;
            }
        }
        return joined(from, to, count);
    }

    /** Returns the codes of a range that are not here; all that are here are of that range. */
    public CodeRanges complement(CodeRange domain) {
        if (domain.isEmpty() || isEmpty()) {
            return of(domain);
        }
        int count = 0;
        long[] from = new long[least.length + 1];
        long[] to = new long[from.length];
        long next = domain.least();
        boolean isPast = false;
        for (int i = 0; i < least.length; i++) {
            if (next < least[i]) {
                from[count] = next;
                to[count++] = least[i] - 1;
            }
            isPast = greatest[i] >= domain.greatest();
            next = isPast ? next : greatest[i] + 1;
        }
        if (!isPast) {
            from[count] = next;
            to[count++] = domain.greatest();
        }
        return joined(from, to, count);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CodeRanges ranges
                && Arrays.equals(least, ranges.least)
                && Arrays.equals(greatest, ranges.greatest);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(least) + Arrays.hashCode(greatest);
    }

    /** Returns the ranges, for people. */
    @Override
    public String toString() {
        return list().toString();
    }
}
