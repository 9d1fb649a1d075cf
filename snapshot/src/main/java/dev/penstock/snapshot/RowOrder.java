package dev.penstock.snapshot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Sorts rows by some columns, the most significant first. Rows that are equal by all of them keep their sequence. Immutable, thread-safe.
 *
 * <p>What rows are sorted by, and their place so far, is packed in numbers of 63 bits, which are sorted; where that is too few, it is done in passes, from
 * the least significant on.
 */
final class RowOrder {
    private static final int USABLE_BITS = Long.SIZE - 1;
    private static final int MAX_PART_BITS = 32;

    private final List<SortKey> keys;
    private final List<Part> parts = new ArrayList<>();

    /** Some bits of a key. */
    private record Part(SortKey key, int shift, int bits) {
        long of(int row) {
            return (key.of(row) >>> shift) & ((1L << bits) - 1);
        }
    }

    RowOrder(List<SortKey> keys) {
        this.keys = List.copyOf(keys);
        for (SortKey key : keys) {
            int left = key.bits();
            while (left > 0) {
                int bits = Math.min(left, MAX_PART_BITS);
                left -= bits;
                parts.add(new Part(key, left, bits));
            }
        }
    }

    int compare(int one, int other) {
        for (SortKey key : keys) {
            int compared = Long.compareUnsigned(key.of(one), key.of(other));
            if (compared != 0) {
                return compared;
            }
        }
        return 0;
    }

    /** Sorts the first {@code count} of these rows. */
    void sort(int[] rows, int count, Stop stop) {
        int placeBits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(count - 1, 0));
        Room.require((long) count * (Long.BYTES + Integer.BYTES));
        long[] packed = new long[count];
        int end = parts.size();
        while (end > 0 && count > 1) {
            int start = end;
            int bits = placeBits;
            while (start > 0 && bits + parts.get(start - 1).bits() <= USABLE_BITS) {
                bits += parts.get(--start).bits();
            }
            stop.check();
            pass(parts.subList(start, end), placeBits, rows, packed);
            end = start;
        }
    }

    private static void pass(List<Part> parts, int placeBits, int[] rows, long[] packed) {
        for (int i = 0; i < packed.length; i++) {
            long key = 0;
            for (Part part : parts) {
                key = (key << part.bits()) | part.of(rows[i]);
            }
            packed[i] = (key << placeBits) | i;
        }
        Arrays.sort(packed);
        int[] before = Arrays.copyOf(rows, packed.length);
        int mask = (1 << placeBits) - 1;
        for (int i = 0; i < packed.length; i++) {
            rows[i] = before[((int) packed[i]) & mask];
        }
    }

    /** The first {@code most} rows of a source. */
    RowList first(RowSource source, int most, Stop stop) {
        int[] kept = new int[2 * most + Filter.BLOCK];
        int count = 0;
        boolean full = false;
        int[] some = new int[Filter.BLOCK];
        for (int read = source.next(some); read > 0; read = source.next(some)) {
            for (int i = 0; i < read; i++) {
                if (!full || compare(some[i], kept[most - 1]) < 0) {
                    kept[count++] = some[i];
                }
            }
            if (count >= 2 * most) {
                sort(kept, count, stop);
                count = most;
                full = true;
            }
        }
        sort(kept, count, stop);
        return new RowList(kept, Math.min(count, most));
    }
}
