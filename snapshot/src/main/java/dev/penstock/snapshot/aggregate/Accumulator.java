package dev.penstock.snapshot.aggregate;

import dev.penstock.query.Column;
import dev.penstock.snapshot.column.OrderedCodes;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.rows.FilterCompiler;
import dev.penstock.snapshot.rows.RowBlock;
import java.util.Arrays;
import java.util.function.BinaryOperator;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A value that is made of the rows of each group. Groups are numbered from 0. Where rows have weights, each counts as
 * often as its weight says. Used by one thread.
 */
abstract class Accumulator {
    /** A number that is made of all rows of a group, and how many these were. */
    interface Total<T> {
        @Nullable Number of(T all, long count);
    }

    private final int bytesAGroup;

    /** Groups that there is room for. */
    private int capacity;

    /**
     * @param bytesAGroup about how many bytes of heap a group takes, the answer included
     */
    Accumulator(int bytesAGroup) {
        this.bytesAGroup = bytesAGroup;
    }

    final int bytesAGroup() {
        return bytesAGroup;
    }

    /**
     * Takes some rows in.
     *
     * @param groups the group of each
     * @param size how many groups there are so far
     * @param isOneGroup whether all rows are of the same group
     */
    final void add(RowBlock rows, int[] groups, int size, boolean isOneGroup) {
        grow(size);
        if (isOneGroup) {
            addToOne(rows, groups);
        } else {
            add(rows, groups);
        }
    }

    abstract void add(RowBlock rows, int[] groups);

    /** Takes rows in that are all of one group, which takes less time where the group's value is kept at hand. */
    void addToOne(RowBlock rows, int[] groups) {
        add(rows, groups);
    }

    /**
     * Takes in what another has of the same value, of rows that come after all of these.
     *
     * @param other of the same class, and not used after that
     * @param groups the group here of each of its groups
     * @param size how many groups there are here
     */
    final void addAll(Accumulator other, int[] groups, int size) {
        grow(size);
        for (int i = 0; i < Math.min(groups.length, other.capacity); i++) {
            merge(other, i, groups[i]);
        }
    }

    /** Takes in what another has of its group {@code from}. */
    abstract void merge(Accumulator other, int from, int group);

    private void grow(int size) {
        if (size > capacity) {
            capacity = capacity(capacity, size);
            resize(capacity);
        }
    }

    /** Makes room for so many groups, which are more than before. */
    abstract void resize(int capacity);

    /** Returns the values of the groups under this label, when all rows are in. */
    final ResultColumn cells(Column label, int size) {
        grow(size);
        return result(label, size);
    }

    abstract ResultColumn result(Column label, int size);

    static int capacity(int length, int size) {
        return length >= size ? length : Math.max(size, length * 2);
    }

    /** The number of rows of each group. */
    static final class Rows extends Accumulator {
        private final @Nullable Longs weights;
        private long[] counts = {};

        Rows(@Nullable Longs weights) {
            super(2 * Long.BYTES);
            this.weights = weights;
        }

        @Override
        void add(RowBlock rows, int[] groups) {
            int count = rows.count();
            if (weights == null) {
                for (int i = 0; i < count; i++) {
                    counts[groups[i]]++;
                }
                return;
            }
            int[] each = rows.rows();
            for (int i = 0; i < count; i++) {
                counts[groups[i]] += weights.get(each[i]);
            }
        }

        @Override
        void addToOne(RowBlock rows, int[] groups) {
            if (weights == null) {
                counts[groups[0]] += rows.count();
            } else {
                add(rows, groups);
            }
        }

        @Override
        void merge(Accumulator other, int from, int group) {
            counts[group] += ((Rows) other).counts[from];
        }

        @Override
        void resize(int capacity) {
            counts = Arrays.copyOf(counts, capacity);
        }

        @Override
        ResultColumn result(Column label, int size) {
            return ResultColumn.of(label, group -> counts[group]);
        }
    }

    /** The value of another accumulator, of the rows alone that pass a condition. */
    static final class Passing extends Accumulator {
        private final IntPredicate passes;
        private final Accumulator of;
        private int[] passingRows = {};
        private int[] passingGroups = {};

        Passing(IntPredicate passes, Accumulator of) {
            super(of.bytesAGroup());
            this.passes = passes;
            this.of = of;
        }

        @Override
        void add(RowBlock rows, int[] groups) {
            int count = rows.count();
            int[] each = rows.rows();
            passingRows = RowBlock.sized(passingRows, count);
            passingGroups = RowBlock.sized(passingGroups, count);
            int passing = 0;
            for (int i = 0; i < count; i++) {
                if (passes.test(each[i])) {
                    passingRows[passing] = each[i];
                    passingGroups[passing++] = groups[i];
                }
            }
            of.add(new RowBlock(passingRows, passing), passingGroups);
        }

        @Override
        void merge(Accumulator other, int from, int group) {
            of.merge(((Passing) other).of, from, group);
        }

        @Override
        void resize(int capacity) {
            of.grow(capacity);
        }

        @Override
        ResultColumn result(Column label, int size) {
            return of.result(label, size);
        }
    }

    /** The cell with the least or the greatest code. */
    static final class Extreme extends Accumulator {
        private final IndexedColumn column;
        private final OrderedCodes coding;
        private final boolean greatest;
        private long[] codes = {};
        private long[] best = {};
        private boolean[] known = {};

        Extreme(IndexedColumn column, boolean greatest) {
            super(4 * Long.BYTES);
            this.column = column;
            this.coding = column.coding();
            this.greatest = greatest;
        }

        @Override
        void add(RowBlock rows, int[] groups) {
            int count = rows.count();
            codes = RowBlock.sized(codes, count);
            rows.read(coding.codes(), codes);
            boolean hasNulls = coding.hasNulls();
            long nullCode = coding.nullCode();
            for (int i = 0; i < count; i++) {
                long code = codes[i];
                if (!hasNulls || code != nullCode) {
                    add(groups[i], code);
                }
            }
        }

        private void add(int group, long code) {
            if (!known[group] || (greatest ? code > best[group] : code < best[group])) {
                best[group] = code;
                known[group] = true;
            }
        }

        @Override
        void merge(Accumulator other, int from, int group) {
            Extreme added = (Extreme) other;
            if (added.known[from]) {
                add(group, added.best[from]);
            }
        }

        @Override
        void resize(int capacity) {
            best = Arrays.copyOf(best, capacity);
            known = Arrays.copyOf(known, capacity);
        }

        @Override
        ResultColumn result(Column label, int size) {
            return new ResultColumn(
                    column.reader(), group -> coding.cellOf(best[group]), group -> known[group]);
        }
    }

    /** A value that is made, one by one, of numbers that are calculated, or decimals without a common scale. */
    static final class Folded extends Accumulator {
        private final FilterCompiler.RowValue value;
        private final BinaryOperator<Number> fold;
        private final Total<Number> total;
        private @Nullable Number[] folded = {};
        private long[] counts = {};

        /**
         * @param value null, or a number
         * @param fold makes one number of two
         */
        Folded(FilterCompiler.RowValue value, BinaryOperator<Number> fold, Total<Number> total) {
            super(16 * Long.BYTES);
            this.value = value;
            this.fold = fold;
            this.total = total;
        }

        @Override
        void add(RowBlock rows, int[] groups) {
            int[] each = rows.rows();
            for (int i = 0; i < rows.count(); i++) {
                add(groups[i], (Number) value.of(each[i]), 1);
            }
        }

        private void add(int group, @Nullable Number number, long count) {
            if (number != null) {
                Number before = folded[group];
                folded[group] = before == null ? number : fold.apply(before, number);
                counts[group] += count;
            }
        }

        @Override
        void merge(Accumulator other, int from, int group) {
            Folded added = (Folded) other;
            add(group, added.folded[from], added.counts[from]);
        }

        @Override
        void resize(int capacity) {
            folded = Arrays.copyOf(folded, capacity);
            counts = Arrays.copyOf(counts, capacity);
        }

        @Override
        ResultColumn result(Column label, int size) {
            @Nullable Number[] totals = new Number[size];
            for (int i = 0; i < size; i++) {
                Number all = folded[i];
                totals[i] = all == null ? null : total.of(all, counts[i]);
            }
            return ResultColumn.of(label, group -> totals[group]);
        }
    }

    /** Returns the rows of each group for which there is a value; a {@link Rows} of those. */
    static Accumulator values(IntPredicate isNull, @Nullable Longs weights) {
        return new Passing(row -> !isNull.test(row), new Rows(weights));
    }
}
