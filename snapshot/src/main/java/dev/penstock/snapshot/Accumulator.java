package dev.penstock.snapshot;

import dev.penstock.query.Column;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes one value of the rows of each group. Groups are numbered from 0. Where rows have weights, each counts as often as its weight says. Used by one thread.
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

    /** The values of the groups under this label, when all rows are in. */
    abstract Cells cells(Column label, int size);

    static int capacity(int length, int size) {
        return length >= size ? length : Math.max(size, length * 2);
    }

    private static long weight(@Nullable Longs weights, int row) {
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
            counts = Arrays.copyOf(counts, capacity(counts.length, size));
            for (int i = 0; i < count; i++) {
                counts[groups[i]] += weight(weights, rows[i]);
            }
        }

        @Override
        Cells cells(Column label, int size) {
            long[] all = Arrays.copyOf(counts, capacity(counts.length, size));
            return new NumberCells(label, group -> all[group]);
        }
    }

    /** Only rows that pass. */
    static final class Passing extends Accumulator {
        private final IntPredicate passes;
        private final Accumulator of;
        private final int[] passingRows = new int[Filter.BLOCK];
        private final int[] passingGroups = new int[Filter.BLOCK];

        Passing(IntPredicate passes, Accumulator of) {
            this.passes = passes;
            this.of = of;
        }

        @Override
        void add(int[] rows, int[] groups, int count, int size) {
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
        Cells cells(Column label, int size) {
            return of.cells(label, size);
        }
    }

    /** The cell with the least or the greatest code. */
    static final class Extreme extends Accumulator {
        private final IndexedColumn column;
        private final Coding coding;
        private final boolean greatest;
        private final long[] codes = new long[Filter.BLOCK];
        private long[] best = new long[1];
        private boolean[] known = new boolean[1];

        Extreme(IndexedColumn column, boolean greatest) {
            this.column = column;
            this.coding = column.coding();
            this.greatest = greatest;
        }

        @Override
        void add(int[] rows, int[] groups, int count, int size) {
            best = Arrays.copyOf(best, capacity(best.length, size));
            known = Arrays.copyOf(known, best.length);
            Gather.read(coding.codes(), rows, count, codes);
            boolean hasNulls = coding.hasNulls();
            long nullCode = coding.nullCode();
            for (int i = 0; i < count; i++) {
                long code = codes[i];
                int group = groups[i];
                if (!hasNulls || code != nullCode) {
                    if (!known[group] || (greatest ? code > best[group] : code < best[group])) {
                        best[group] = code;
                        known[group] = true;
                    }
                }
            }
        }

        @Override
        Cells cells(Column label, int size) {
            boolean[] which = Arrays.copyOf(known, capacity(known.length, size));
            long[] cells = new long[which.length];
            for (int i = 0; i < best.length; i++) {
                cells[i] = which[i] ? coding.cell(best[i]) : 0;
            }
            return ReadCells.of(label, column.reader(), cells, which);
        }
    }

    /** What a sum, and how many there were, comes to. */
    interface Total {
        @Nullable Number of(BigInteger sum, long count);
    }

    /** The sum of codes that are whole numbers, in 128 bits. */
    static final class WholeSum extends Accumulator {
        private final Coding coding;
        private final @Nullable Longs weights;
        private final Total total;
        private final long[] codes = new long[Filter.BLOCK];
        private long[] high = new long[1];
        private long[] low = new long[1];
        private long[] counts = new long[1];

        WholeSum(Coding coding, @Nullable Longs weights, Total total) {
            this.coding = coding;
            this.weights = weights;
            this.total = total;
        }

        @Override
        void add(int[] rows, int[] groups, int count, int size) {
            grow(size);
            Gather.read(coding.codes(), rows, count, codes);
            boolean hasNulls = coding.hasNulls();
            long nullCode = coding.nullCode();
            for (int i = 0; i < count; i++) {
                long code = codes[i];
                if (!hasNulls || code != nullCode) {
                    int group = groups[i];
                    long weight = weight(weights, rows[i]);
                    long added = code * weight;
                    long sum = low[group] + added;
                    // The carry out of the lower 64 bits.
                    long carry = Long.compareUnsigned(sum, added) < 0 ? 1 : 0;
                    high[group] += Math.multiplyHigh(code, weight) + carry;
                    low[group] = sum;
                    counts[group] += weight;
                }
            }
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
        Cells cells(Column label, int size) {
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
            return new NumberCells(label, group -> totals[group]);
        }
    }

    /** The sum of binary numbers, with what each addition loses added again, as streams of doubles do it. */
    static final class FloatingSum extends Accumulator {
        private final StoredColumn stored;
        private final CellReader reader;
        private final @Nullable Longs weights;
        private final boolean average;
        private double[] sums = new double[1];
        private double[] lost = new double[1];
        private double[] plain = new double[1];
        private long[] counts = new long[1];

        FloatingSum(IndexedColumn column, @Nullable Longs weights, boolean average) {
            this.weights = weights;
            this.stored = column.stored();
            this.reader = column.reader();
            this.average = average;
        }

        @Override
        void add(int[] rows, int[] groups, int count, int size) {
            grow(size);
            for (int i = 0; i < count; i++) {
                long cell = stored.cell(rows[i]);
                if (!reader.isNull(cell)) {
                    add(groups[i], reader.getDouble(cell), weight(weights, rows[i]));
                }
            }
        }

        private void add(int group, double single, long weight) {
            double value = single * weight;
            double added = value - lost[group];
            double sum = sums[group] + added;
            lost[group] = (sum - sums[group]) - added;
            sums[group] = sum;
            plain[group] += value;
            counts[group] += weight;
        }

        private void grow(int size) {
            int capacity = capacity(counts.length, size);
            if (capacity > counts.length) {
                sums = Arrays.copyOf(sums, capacity);
                lost = Arrays.copyOf(lost, capacity);
                plain = Arrays.copyOf(plain, capacity);
                counts = Arrays.copyOf(counts, capacity);
            }
        }

        @Override
        Cells cells(Column label, int size) {
            grow(size);
            return new NumberCells(
                    label, group -> counts[group] == 0 ? null : (Number) total(group));
        }

        /** Where infinities are added, what is lost of them is no number. */
        private double total(int group) {
            double sum = sums[group] - lost[group];
            double whole =
                    Double.isNaN(sum) && Double.isInfinite(plain[group]) ? plain[group] : sum;
            return average ? whole / counts[group] : whole;
        }
    }

    /** What is made of numbers that are calculated, or decimals that are not whole numbers of anything, one by one. */
    static final class Folded extends Accumulator {
        private final Conditions.RowValue value;
        private final Fold fold;
        private @Nullable Number[] folded = new Number[1];
        private long[] counts = new long[1];

        /** How two numbers become one, and what comes of all of them. */
        interface Fold {
            Number of(Number one, Number other);

            Number end(Number all, long count);
        }

        Folded(Conditions.RowValue value, Fold fold) {
            this.value = value;
            this.fold = fold;
        }

        @Override
        void add(int[] rows, int[] groups, int count, int size) {
            int capacity = capacity(counts.length, size);
            if (capacity > counts.length) {
                folded = Arrays.copyOf(folded, capacity);
                counts = Arrays.copyOf(counts, capacity);
            }
            for (int i = 0; i < count; i++) {
                if (value.of(rows[i]) instanceof Number number) {
                    int group = groups[i];
                    Number before = folded[group];
                    folded[group] = before == null ? number : fold.of(before, number);
                    counts[group]++;
                }
            }
        }

        @Override
        Cells cells(Column label, int size) {
            @Nullable Number[] ends = new Number[size];
            for (int i = 0; i < Math.min(size, folded.length); i++) {
                Number all = folded[i];
                ends[i] = all == null ? null : fold.end(all, counts[i]);
            }
            return new NumberCells(label, group -> ends[group]);
        }
    }

    /** The rows of each group for which there is a value; a {@link Rows} of those. */
    static Accumulator values(IntPredicate isNull, @Nullable Longs weights) {
        return new Passing(row -> !isNull.test(row), new Rows(weights));
    }
}
