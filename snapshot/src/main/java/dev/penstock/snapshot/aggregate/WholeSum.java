package dev.penstock.snapshot.aggregate;

import dev.penstock.query.Column;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.OrderedCodes;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.rows.RowBlock;
import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The sum of codes that are whole numbers: in 128 bits, or in 64 where no table has as many rows as that would take. */
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
        if (isPlain()) {
            for (int i = 0; i < count; i++) {
                int group = groups[i];
                low[group] += codes[i];
                counts[group]++;
            }
            return;
        }
        int[] each = weights == null ? NONE : rows.rows();
        boolean hasNulls = coding.hasNulls();
        long nullCode = coding.nullCode();
        for (int i = 0; i < count; i++) {
            long code = codes[i];
            if (!hasNulls || code != nullCode) {
                int group = groups[i];
                long weight = weight(weights, each, i);
                add(group, Math.multiplyHigh(code, weight), code * weight);
                counts[group] += weight;
            }
        }
    }

    @Override
    void addToOne(RowBlock rows, int[] groups) {
        if (!isPlain()) {
            add(rows, groups);
            return;
        }
        read(rows);
        int group = groups[0];
        int count = rows.count();
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += codes[i];
        }
        low[group] += sum;
        counts[group] += count;
    }

    private void read(RowBlock rows) {
        codes = RowBlock.sized(codes, rows.count());
        rows.read(coding.codes(), codes);
    }

    /** Returns whether sums are those of the codes as they are. */
    private boolean isPlain() {
        return isNarrow && weights == null && !coding.hasNulls();
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
