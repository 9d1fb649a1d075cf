package dev.penstock.snapshot.aggregate;

import dev.penstock.query.Column;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.memory.Longs;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The sum of binary numbers, with what each addition loses added again, as streams of doubles do it. */
final class FloatingSum extends Accumulator {
    private final StoredColumn stored;
    private final CellReader reader;
    private final @Nullable Longs weights;
    private final boolean average;
    private double[] sums = {};
    private double[] lost = {};
    private double[] plain = {};
    private long[] counts = {};

    FloatingSum(IndexedColumn column, @Nullable Longs weights, boolean average) {
        super(8 * Long.BYTES);
        this.weights = weights;
        this.stored = column.stored();
        this.reader = column.reader();
        this.average = average;
    }

    @Override
    void add(int[] rows, int[] groups, int count) {
        for (int i = 0; i < count; i++) {
            long cell = stored.cell(rows[i]);
            if (!reader.isNull(cell)) {
                add(groups[i], reader.getDouble(cell), weight(weights, rows[i]));
            }
        }
    }

    private void add(int group, double single, long weight) {
        double value = single * weight;
        add(group, value);
        plain[group] += value;
        counts[group] += weight;
    }

    private void add(int group, double value) {
        double added = value - lost[group];
        double sum = sums[group] + added;
        lost[group] = (sum - sums[group]) - added;
        sums[group] = sum;
    }

    @Override
    void merge(Accumulator other, int from, int group) {
        FloatingSum added = (FloatingSum) other;
        add(group, added.sums[from]);
        add(group, -added.lost[from]);
        plain[group] += added.plain[from];
        counts[group] += added.counts[from];
    }

    @Override
    void resize(int capacity) {
        sums = Arrays.copyOf(sums, capacity);
        lost = Arrays.copyOf(lost, capacity);
        plain = Arrays.copyOf(plain, capacity);
        counts = Arrays.copyOf(counts, capacity);
    }

    @Override
    ResultColumn result(Column label, int size) {
        return ResultColumn.of(label, group -> counts[group] == 0 ? null : (Number) total(group));
    }

    /** Returns where infinities are added, what is lost of them is no number. */
    private double total(int group) {
        double sum = sums[group] - lost[group];
        double whole = Double.isNaN(sum) && Double.isInfinite(plain[group]) ? plain[group] : sum;
        return average ? whole / counts[group] : whole;
    }
}
