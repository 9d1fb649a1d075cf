package dev.penstock.snapshot.rows;

import dev.penstock.snapshot.memory.Permutation;
import dev.penstock.snapshot.work.QueryContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A sort of rows by some columns, the most significant first. Rows that are equal by all of them keep their sequence.
 * Used by one thread.
 *
 * <p>What rows are sorted by, and their place so far, is packed in numbers of 63 bits, which are sorted; where that is
 * too few, it is done in passes, from the least significant on. Where a column has no numbers, rows are compared.
 */
public final class RowSorter {
    /** To read a row and do something with it takes about so many times as long as to read it, at the most. */
    public static final long ROW_FACTOR = 8;

    /** About how long it takes to sort one row among others. */
    public static final long SORT_NANOS = 64;

    /** Rows that are packed or put in their places between two checks, which takes a millisecond or two. */
    private static final int CHECKED_ROWS = 1 << 16;

    private static final int USABLE_BITS = Long.SIZE - 1;
    private static final int MAX_PART_BITS = 32;

    private final List<SortKey> keys;
    private final List<Part> parts = new ArrayList<>();

    /** A part of a key: some of its bits. */
    private record Part(SortKey key, int shift, int bits) {
        long of(int row) {
            return (key.of(row) >>> shift) & ((1L << bits) - 1);
        }
    }

    public RowSorter(List<SortKey> keys) {
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
            int compared = key.compare(one, other);
            if (compared != 0) {
                return compared;
            }
        }
        return 0;
    }

    /** Sorts the first {@code count} of these rows. */
    public void sort(int[] rows, int count, QueryContext context) {
        int _ =
                context.call(
                        count * SORT_NANOS,
                        () -> {
                            sortHere(rows, count, context);
                            return count;
                        });
    }

    private void sortHere(int[] rows, int count, QueryContext context) {
        if (areCoded()) {
            sortByNumbers(rows, count, context);
        } else {
            sortByComparing(rows, count, context);
        }
    }

    private boolean areCoded() {
        for (SortKey key : keys) {
            if (!key.isCoded()) {
                return false;
            }
        }
        return true;
    }

    private void sortByNumbers(int[] rows, int count, QueryContext context) {
        int placeBits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(count - 1, 0));
        int spare = count > LongSort.PIECE ? Long.BYTES : 0;
        long bytes = (long) count * (Long.BYTES + Integer.BYTES + spare);
        context.reservation().take(bytes);
        long[] packed = new long[count];
        int end = parts.size();
        while (end > 0 && count > 1) {
            int start = end;
            int bits = placeBits;
            while (start > 0 && bits + parts.get(start - 1).bits() <= USABLE_BITS) {
                bits += parts.get(--start).bits();
            }
            context.check();
            pass(parts.subList(start, end), placeBits, rows, packed, context);
            end = start;
        }
        context.reservation().giveBack(bytes);
    }

    private static void pass(
            List<Part> parts, int placeBits, int[] rows, long[] packed, QueryContext context) {
        for (int i = 0; i < packed.length; i++) {
            if (i % CHECKED_ROWS == 0) {
                context.check();
            }
            long key = 0;
            for (Part part : parts) {
                key = (key << part.bits()) | part.of(rows[i]);
            }
            packed[i] = (key << placeBits) | i;
        }
        LongSort.sort(packed, context::check);
        int[] before = Arrays.copyOf(rows, packed.length);
        int mask = (1 << placeBits) - 1;
        for (int i = 0; i < packed.length; i++) {
            if (i % CHECKED_ROWS == 0) {
                context.check();
            }
            rows[i] = before[((int) packed[i]) & mask];
        }
    }

    private void sortByComparing(int[] rows, int count, QueryContext context) {
        int[] spare = context.reservation().grown(new int[0], count);
        int[] sorted =
                Permutation.sort(
                                new Rows(rows),
                                new Rows(spare),
                                count,
                                this::compare,
                                context::check)
                        .numbers;
        System.arraycopy(sorted, 0, rows, 0, count);
        context.reservation().giveBack((long) count * Integer.BYTES);
    }

    /** The numbers of rows on the heap. */
    private static final class Rows implements Permutation.Numbers {
        private final int[] numbers;

        Rows(int[] numbers) {
            this.numbers = numbers;
        }

        @Override
        public long get(long place) {
            return numbers[(int) place];
        }

        @Override
        public void set(long place, long number) {
            numbers[(int) place] = (int) number;
        }
    }

    /** Returns the first {@code most} rows of a source. */
    public RowList first(RowSource source, int most, QueryContext context) {
        return context.call(ROW_FACTOR * source.nanos(), () -> firstHere(source, most, context));
    }

    private RowList firstHere(RowSource source, int most, QueryContext context) {
        FirstRows first = new FirstRows(most, context);
        RowBlock.each(source, first);
        return first.rows();
    }

    /** The first rows of those that were read so far, and others that may be among them. */
    private final class FirstRows implements RowBlock.Reader {
        private final int most;
        private final QueryContext context;
        private final RowList kept;

        /** Whether as many as are wanted are sorted, so that only a row before the last of them counts. */
        private boolean full;

        FirstRows(int most, QueryContext context) {
            this.most = most;
            this.context = context;
            kept = new RowList(context.reservation());
        }

        @Override
        public void read(int[] rows, int count) {
            for (int i = 0; i < count; i++) {
                if (!full || compare(rows[i], kept.get(most - 1)) < 0) {
                    kept.add(rows[i]);
                }
            }
            if (kept.size() >= 2 * most) {
                cut();
                full = true;
            }
        }

        private void cut() {
            sort(kept.array(), kept.size(), context);
            kept.truncate(most);
        }

        RowList rows() {
            cut();
            return kept;
        }
    }
}
