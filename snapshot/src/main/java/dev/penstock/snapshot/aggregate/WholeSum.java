package dev.penstock.snapshot.aggregate;

import dev.penstock.query.Column;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.OrderedCodes;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.rows.RowBlock;
import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The sum of codes that are whole numbers: in 128 bits, or in 64 where codes are so narrow that no sum overflows. */
final class WholeSum extends Accumulator {
    private final OrderedCodes coding;
    private final @Nullable Longs weights;
    private final Total<BigInteger> total;

    /** Whether codes have 32 bits: a table's rows, fewer than 2<sup>31</sup>, have a sum of 63. */
    private final boolean isNarrow;

    private long[] codes = {};

    /** The upper halves of sums; zeros where codes are narrow. */
    private long[] high = {};

    private long[] low = {};
    private long[] counts = {};

    WholeSum(OrderedCodes coding, @Nullable Longs weights, Total<BigInteger> total) {
        super(12 * Long.BYTES);
        this.coding = coding;
        this.weights = weights;
        this.total = total;
        CodeRange values = coding.values();
        isNarrow =
                values.isEmpty()
                        || (values.least() >= Integer.MIN_VALUE
                                && values.greatest() <= Integer.MAX_VALUE);
    }

    @Override
    void add(RowBlock rows, int[] groups) {
        read(rows);
        int count = rows.count();
        if (weights != null) {
            addWeighted(rows, groups, weights);
        } else if (isNarrow && !coding.hasNulls()) {
            for (int i = 0; i < count; i++) {
                int group = groups[i];
                low[group] += codes[i];
                counts[group]++;
            }
        } else {
            for (int i = 0; i < count; i++) {
                if (!isNull(codes[i])) {
                    add(groups[i], codes[i] >> (Long.SIZE - 1), codes[i]);
                    counts[groups[i]]++;
                }
            }
        }
    }

    @Override
    void addToOne(RowBlock rows, int[] groups) {
        if (weights != null || !isNarrow || coding.hasNulls()) {
            add(rows, groups);
            return;
        }
        read(rows);
        long sum = 0;
        for (int i = 0; i < rows.count(); i++) {
            sum += codes[i];
        }
        low[groups[0]] += sum;
        counts[groups[0]] += rows.count();
    }

    private void addWeighted(RowBlock rows, int[] groups, Longs weights) {
        int[] each = rows.rows();
        for (int i = 0; i < rows.count(); i++) {
            if (!isNull(codes[i])) {
                long weight = weights.get(each[i]);
                add(groups[i], Math.multiplyHigh(codes[i], weight), codes[i] * weight);
                counts[groups[i]] += weight;
            }
        }
    }

    private boolean isNull(long code) {
        return coding.hasNulls() && code == coding.nullCode();
    }

    private void read(RowBlock rows) {
        codes = RowBlock.sized(codes, rows.count());
        rows.read(coding.codes(), codes);
    }

    private void add(int group, long addedHigh, long addedLow) {
        long sum = low[group] + addedLow;
        if (!isNarrow) {
            // The carry out of the lower 64 bits.
            long carry = Long.compareUnsigned(sum, addedLow) < 0 ? 1 : 0;
            high[group] += addedHigh + carry;
        }
        low[group] = sum;
    }

    @Override
    void merge(Accumulator other, int from, int group) {
        WholeSum added = (WholeSum) other;
        add(group, added.high[from], added.low[from]);
        counts[group] += added.counts[from];
    }

    @Override
    void resize(int capacity) {
        high = Arrays.copyOf(high, capacity);
        low = Arrays.copyOf(low, capacity);
        counts = Arrays.copyOf(counts, capacity);
    }

    @Override
    ResultColumn result(Column label, int size) {
        @Nullable Number[] totals = new Number[size];
        for (int i = 0; i < size; i++) {
            if (counts[i] > 0) {
                totals[i] = total.of(sum(i), counts[i]);
            }
        }
        return ResultColumn.of(label, group -> totals[group]);
    }

    private BigInteger sum(int group) {
        if (isNarrow) {
            return BigInteger.valueOf(low[group]);
        }
        return BigInteger.valueOf(high[group])
                .shiftLeft(Long.SIZE)
                .add(new BigInteger(Long.toUnsignedString(low[group])));
    }
}
