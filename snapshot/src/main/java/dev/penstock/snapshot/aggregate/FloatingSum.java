package dev.penstock.snapshot.aggregate;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.KeyCodec;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.rows.RowBlock;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The sum of binary numbers, with what each addition loses added again, as parallel streams of doubles do it. */
final class FloatingSum extends Accumulator {
    /** Numbers of one group are added by so many sums in turn, since each addition waits for the last. */
    private static final int LANES = 6;

    /** Fewer numbers are added one by one. */
    private static final int SHORT = 4 * LANES;

    private final CodedColumn coded;
    private final CellReader reader;
    private final @Nullable Longs weights;
    private final boolean average;
    private long[] cells = {};

    /** The groups of cells that are not NULL. */
    private int[] kept = {};

    private double[] sums = {};

    /** The rounding errors of the sums, by which they are too large. */
    private double[] lost = {};

    private long[] counts = {};

    FloatingSum(CodedColumn coded, CellReader reader, @Nullable Longs weights, boolean average) {
        super(7 * Long.BYTES);
        this.weights = weights;
        this.coded = coded;
        this.reader = reader;
        this.average = average;
    }

    @Override
    void add(RowBlock rows, int[] groups) {
        read(rows);
        if (weights != null) {
            addWeighted(rows, groups, weights);
            return;
        }
        int count = rows.count();
        int[] of = groups;
        if (coded.hasNulls()) {
            count = dropNulls(groups, count);
            of = kept;
        }
        toBits(count);
        int next = 0;
        while (next < count) {
            int group = of[next];
            if (next + SHORT <= count && of[next + SHORT - 1] == group) {
                int start = next;
                while (next < count && of[next] == group) {
                    next++;
                }
                addRun(start, next, group);
            } else {
                add(group, number(next++));
                counts[group]++;
            }
        }
    }

    @Override
    void addToOne(RowBlock rows, int[] groups) {
        if (weights != null || coded.hasNulls()) {
            add(rows, groups);
            return;
        }
        read(rows);
        toBits(rows.count());
        addRun(0, rows.count(), groups[0]);
    }

    private void addWeighted(RowBlock rows, int[] groups, Longs weights) {
        int[] each = rows.rows();
        for (int i = 0; i < rows.count(); i++) {
            if (!reader.isNull(cells[i])) {
                long weight = weights.get(each[i]);
                add(groups[i], reader.getDouble(cells[i]) * weight);
                counts[groups[i]] += weight;
            }
        }
    }

    /** Keeps the cells that are not NULL, and the groups of these; returns how many there are. */
    private int dropNulls(int[] groups, int count) {
        kept = RowBlock.sized(kept, count);
        long nullCode = coded.nullCode();
        int left = 0;
        for (int i = 0; i < count; i++) {
            cells[left] = cells[i];
            kept[left] = groups[i];
            left += cells[i] == nullCode ? 0 : 1;
        }
        return left;
    }

    /** Adds the numbers from one to before another, which are of one group. */
    private void addRun(int start, int end, int group) {
        int next = start;
        if (end - start >= SHORT) {
            int whole = end - (end - start) % LANES;
            next = addLanes(start, whole, group) ? whole : start;
        }
        double sum = sums[group];
        double tooMuch = lost[group];
        for (int i = next; i < end; i++) {
            double added = number(i) - tooMuch;
            double more = sum + added;
            tooMuch = lost(sum, added, more);
            sum = more;
        }
        sums[group] = sum;
        lost[group] = tooMuch;
        counts[group] += end - start;
    }

    /**
     * Adds numbers of a group by several sums, which are added to the group's then; returns false, and adds nothing,
     * where one becomes infinite or no number by that.
     */
    private boolean addLanes(int start, int end, int group) {
        double sum0 = 0;
        double sum1 = 0;
        double sum2 = 0;
        double sum3 = 0;
        double sum4 = 0;
        double sum5 = 0;
        double lost0 = 0;
        double lost1 = 0;
        double lost2 = 0;
        double lost3 = 0;
        double lost4 = 0;
        double lost5 = 0;
        for (int i = start; i < end; i += LANES) {
            double added0 = number(i) - lost0;
            double added1 = number(i + 1) - lost1;
            double added2 = number(i + 2) - lost2;
            double added3 = number(i + 3) - lost3;
            double added4 = number(i + 4) - lost4;
            double added5 = number(i + 5) - lost5;
            double next0 = sum0 + added0;
            double next1 = sum1 + added1;
            double next2 = sum2 + added2;
            double next3 = sum3 + added3;
            double next4 = sum4 + added4;
            double next5 = sum5 + added5;
            lost0 = (next0 - sum0) - added0;
            lost1 = (next1 - sum1) - added1;
            lost2 = (next2 - sum2) - added2;
            lost3 = (next3 - sum3) - added3;
            lost4 = (next4 - sum4) - added4;
            lost5 = (next5 - sum5) - added5;
            sum0 = next0;
            sum1 = next1;
            sum2 = next2;
            sum3 = next3;
            sum4 = next4;
            sum5 = next5;
        }
        // In the order in which they are added.
        if (!Double.isFinite(sums[group] + sum0 + sum1 + sum2 + sum3 + sum4 + sum5)) {
            return false;
        }
        add(group, sum0, lost0);
        add(group, sum1, lost1);
        add(group, sum2, lost2);
        add(group, sum3, lost3);
        add(group, sum4, lost4);
        add(group, sum5, lost5);
        return true;
    }

    private void read(RowBlock rows) {
        cells = RowBlock.sized(cells, rows.count());
        rows.read(coded.codes(), cells);
    }

    /** Makes the cells of numbers the bits of these, as doubles; none of them is NULL. */
    private void toBits(int count) {
        if (coded.column().type() == ColumnType.DOUBLE) {
            for (int i = 0; i < count; i++) {
                cells[i] = KeyCodec.sortable(cells[i]);
            }
        } else {
            for (int i = 0; i < count; i++) {
                cells[i] = Double.doubleToRawLongBits(reader.getDouble(cells[i]));
            }
        }
    }

    /** Returns the number of a cell that {@link #toBits} has made bits. */
    private double number(int i) {
        return Double.longBitsToDouble(cells[i]);
    }

    private void add(int group, double value) {
        double sum = sums[group];
        double added = value - lost[group];
        double next = sum + added;
        lost[group] = lost(sum, added, next);
        sums[group] = next;
    }

    private void add(int group, double sum, double tooMuch) {
        add(group, sum);
        add(group, -tooMuch);
    }

    /** Returns by how much a sum is too large; of an infinite one by nothing, or the next one would be no number. */
    private static double lost(double sum, double added, double next) {
        return Double.isFinite(next) ? (next - sum) - added : 0;
    }

    @Override
    void merge(Accumulator other, int from, int group) {
        FloatingSum added = (FloatingSum) other;
        add(group, added.sums[from], added.lost[from]);
        counts[group] += added.counts[from];
    }

    @Override
    void resize(int capacity) {
        sums = Arrays.copyOf(sums, capacity);
        lost = Arrays.copyOf(lost, capacity);
        counts = Arrays.copyOf(counts, capacity);
    }

    @Override
    ResultColumn result(Column label, int size) {
        return ResultColumn.of(label, group -> counts[group] == 0 ? null : (Number) total(group));
    }

    private double total(int group) {
        double sum = sums[group] - lost[group];
        return average ? sum / counts[group] : sum;
    }
}
