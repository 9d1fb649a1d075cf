package dev.penstock.snapshot.aggregate;

import dev.penstock.query.Column;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.index.OrderedCodes;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.rows.FilterCompiler;
import dev.penstock.snapshot.rows.RowBlocks;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A value that is made of the rows of each group. Groups are numbered from 0. Where rows have weights, each counts as
 * often as its weight says. Used by one thread.
 */
abstract class Accumulator {
    /**
     * Takes some rows in.
     *
     * @param rows their numbers
     * @param groups the group of each
     * @param count how many there are
     * @param size how many groups there are so far
     */
    abstract void add(int[] rows, int[] groups, int count, int size);

    /**
     * Takes in what another has of the same value, of rows that come after all of these.
     *
     * @param other of the same class, and not used after that
     * @param groups the group here of each of its groups
     * @param size how many groups there are here
     */
    abstract void addAll(Accumulator other, int[] groups, int size);

    /** The values of the groups under this label, when all rows are in. */
    abstract ResultColumn cells(Column label, int size);

    /** About how many bytes of heap a group takes, the answer included. */
    abstract int bytesAGroup();

    static int capacity(int length, int size) {
        return length >= size ? length : Math.max(size, length * 2);
    }

    static long weight(@Nullable Longs weights, int row) {
        return weights == null ? 1 : weights.get(row);
    }

    /** How many rows there are of each group. */
    static final class Rows extends Accumulator {
        private final @Nullable Longs weights;
        private long[] counts = new long[1];

        Rows(@Nullable Longs weights) {
            this.weights = weights;
        }

        @Override
        void add(int[] rows, int[] groups, int count, int size) {
            grow(size);
            for (int i = 0; i < count; i++) {
                counts[groups[i]] += weight(weights, rows[i]);
            }
        }

        private void grow(int size) {
            if (counts.length < size) {
                counts = Arrays.copyOf(counts, capacity(counts.length, size));
            }
        }

        @Override
        void addAll(Accumulator other, int[] groups, int size) {
            grow(size);
            long[] added = ((Rows) other).counts;
            for (int i = 0; i < Math.min(groups.length, added.length); i++) {
                counts[groups[i]] += added[i];
            }
        }

        @Override
        ResultColumn cells(Column label, int size) {
            grow(size);
            return new NumberResultColumn(label, group -> counts[group]);
        }

        @Override
        int bytesAGroup() {
            return 2 * Long.BYTES;
        }
    }

    /** Only rows that pass. */
    static final class Passing extends Accumulator {
        private final IntPredicate passes;
        private final Accumulator of;
        private int[] passingRows = new int[0];
        private int[] passingGroups = new int[0];

        Passing(IntPredicate passes, Accumulator of) {
            this.passes = passes;
            this.of = of;
        }

        @Override
        void add(int[] rows, int[] groups, int count, int size) {
            passingRows = RowBlocks.sized(passingRows, count);
            passingGroups = RowBlocks.sized(passingGroups, count);
            int passing = 0;
            for (int i = 0; i < count; i++) {
                if (passes.test(rows[i])) {
                    passingRows[passing] = rows[i];
                    passingGroups[passing++] = groups[i];
                }
            }
            of.add(passingRows, passingGroups, passing, size);
        }

        @Override
        void addAll(Accumulator other, int[] groups, int size) {
            of.addAll(((Passing) other).of, groups, size);
        }

        @Override
        int bytesAGroup() {
            return of.bytesAGroup();
        }

        @Override
        ResultColumn cells(Column label, int size) {
            return of.cells(label, size);
        }
    }

    /** The cell with the least or the greatest code. */
    static final class Extreme extends Accumulator {
        private final IndexedColumn column;
        private final OrderedCodes coding;
        private final boolean greatest;
        private long[] codes = new long[0];
        private long[] best = new long[1];
        private boolean[] known = new boolean[1];

        Extreme(IndexedColumn column, boolean greatest) {
            this.column = column;
            this.coding = column.coding();
            this.greatest = greatest;
        }

        @Override
        void add(int[] rows, int[] groups, int count, int size) {
            grow(size);
            codes = RowBlocks.sized(codes, count);
            coding.codes().read(rows, count, codes);
            boolean hasNulls = coding.hasNulls();
            long nullCode = coding.nullCode();
            for (int i = 0; i < count; i++) {
                long code = codes[i];
                if (!hasNulls || code != nullCode) {
                    add(groups[i], code);
                }
            }
        }

        private void grow(int size) {
            if (best.length < size) {
                best = Arrays.copyOf(best, capacity(best.length, size));
                known = Arrays.copyOf(known, best.length);
            }
        }

        private void add(int group, long code) {
            if (!known[group] || (greatest ? code > best[group] : code < best[group])) {
                best[group] = code;
                known[group] = true;
            }
        }

        @Override
        void addAll(Accumulator other, int[] groups, int size) {
            grow(size);
            Extreme added = (Extreme) other;
            for (int i = 0; i < Math.min(groups.length, added.best.length); i++) {
                if (added.known[i]) {
                    add(groups[i], added.best[i]);
                }
            }
        }

        @Override
        int bytesAGroup() {
            return 4 * Long.BYTES;
        }

        @Override
        ResultColumn cells(Column label, int size) {
            grow(size);
            long[] cells = new long[size];
            for (int i = 0; i < size; i++) {
                cells[i] = known[i] ? coding.cell(best[i]) : 0;
            }
            return StoredResultColumn.of(label, column.reader(), cells, known);
        }
    }

    /** What a sum, and how many there were, comes to. */
    interface Total {
        @Nullable Number of(BigInteger sum, long count);
    }

    /** The sum of codes that are whole numbers, in 128 bits. */
    static final class WholeSum extends Accumulator {
        private final OrderedCodes coding;
        private final @Nullable Longs weights;
        private final Total total;
        private long[] codes = new long[0];
        private long[] high = new long[1];
        private long[] low = new long[1];
        private long[] counts = new long[1];

        WholeSum(OrderedCodes coding, @Nullable Longs weights, Total total) {
            this.coding = coding;
            this.weights = weights;
            this.total = total;
        }

        @Override
        void add(int[] rows, int[] groups, int count, int size) {
            grow(size);
            codes = RowBlocks.sized(codes, count);
            coding.codes().read(rows, count, codes);
            boolean hasNulls = coding.hasNulls();
            long nullCode = coding.nullCode();
            for (int i = 0; i < count; i++) {
                long code = codes[i];
                if (!hasNulls || code != nullCode) {
                    int group = groups[i];
                    long weight = weight(weights, rows[i]);
                    add(group, Math.multiplyHigh(code, weight), code * weight);
                    counts[group] += weight;
                }
            }
        }

        private void add(int group, long addedHigh, long addedLow) {
            long sum = low[group] + addedLow;
            // The carry out of the lower 64 bits.
            long carry = Long.compareUnsigned(sum, addedLow) < 0 ? 1 : 0;
            high[group] += addedHigh + carry;
            low[group] = sum;
        }

        @Override
        void addAll(Accumulator other, int[] groups, int size) {
            grow(size);
            WholeSum added = (WholeSum) other;
            for (int i = 0; i < Math.min(groups.length, added.counts.length); i++) {
                add(groups[i], added.high[i], added.low[i]);
                counts[groups[i]] += added.counts[i];
            }
        }

        @Override
        int bytesAGroup() {
            return 12 * Long.BYTES;
        }

        private void grow(int size) {
            int capacity = capacity(counts.length, size);
            if (capacity > counts.length) {
                high = Arrays.copyOf(high, capacity);
                low = Arrays.copyOf(low, capacity);
                counts = Arrays.copyOf(counts, capacity);
            }
        }

        @Override
        ResultColumn cells(Column label, int size) {
            grow(size);
            @Nullable Number[] totals = new Number[size];
            for (int i = 0; i < size; i++) {
                if (counts[i] > 0) {
                    BigInteger sum =
                            BigInteger.valueOf(high[i])
                                    .shiftLeft(Long.SIZE)
                                    .add(new BigInteger(Long.toUnsignedString(low[i])));
                    totals[i] = total.of(sum, counts[i]);
                }
            }
            return new NumberResultColumn(label, group -> totals[group]);
        }
    }

    /** What is made of numbers that are calculated, or decimals that are not whole numbers of anything, one by one. */
    static final class Folded extends Accumulator {
        private final FilterCompiler.RowValue value;
        private final Fold fold;
        private @Nullable Number[] folded = new Number[1];
        private long[] counts = new long[1];

        /** How two numbers become one, and what comes of all of them. */
        interface Fold {
            Number of(Number one, Number other);

            Number end(Number all, long count);
        }

        Folded(FilterCompiler.RowValue value, Fold fold) {
            this.value = value;
            this.fold = fold;
        }

        @Override
        void add(int[] rows, int[] groups, int count, int size) {
            grow(size);
            for (int i = 0; i < count; i++) {
                if (value.of(rows[i]) instanceof Number number) {
                    add(groups[i], number, 1);
                }
            }
        }

        private void grow(int size) {
            int capacity = capacity(counts.length, size);
            if (capacity > counts.length) {
                folded = Arrays.copyOf(folded, capacity);
                counts = Arrays.copyOf(counts, capacity);
            }
        }

        private void add(int group, Number number, long count) {
            Number before = folded[group];
            folded[group] = before == null ? number : fold.of(before, number);
            counts[group] += count;
        }

        @Override
        void addAll(Accumulator other, int[] groups, int size) {
            grow(size);
            Folded added = (Folded) other;
            for (int i = 0; i < Math.min(groups.length, added.counts.length); i++) {
                Number number = added.folded[i];
                if (number != null) {
                    add(groups[i], number, added.counts[i]);
                }
            }
        }

        @Override
        int bytesAGroup() {
            return 16 * Long.BYTES;
        }

        @Override
        ResultColumn cells(Column label, int size) {
            @Nullable Number[] ends = new Number[size];
            for (int i = 0; i < Math.min(size, folded.length); i++) {
                Number all = folded[i];
                ends[i] = all == null ? null : fold.end(all, counts[i]);
            }
            return new NumberResultColumn(label, group -> ends[group]);
        }
    }

    /** The rows of each group for which there is a value; a {@link Rows} of those. */
    static Accumulator values(IntPredicate isNull, @Nullable Longs weights) {
        return new Passing(row -> !isNull.test(row), new Rows(weights));
    }
}
