package dev.penstock.snapshot.shortcut;

import dev.penstock.query.Values;
import dev.penstock.query.typed.field.FieldCondition;
import dev.penstock.query.typed.shortcut.Shortcuts;
import dev.penstock.snapshot.column.CodeEncoding;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.index.CompositeIndex;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.index.IndexedTable;
import dev.penstock.snapshot.memory.Longs;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of rows that have codes of two columns, added up in both directions (a summed-area table), so that those
 * of two ranges of codes are counted by four of them. On the heap. Immutable, thread-safe.
 */
final class PairCounts {
    /** No more numbers than this are kept: 16 KiB. */
    private static final int MOST = 4096;

    private static final int[] NONE = new int[0];

    /** The counts of columns that are never counted together. */
    private static final PairCounts NOTHING = new PairCounts(null, null, NONE);

    private final @Nullable CodedColumn one;
    private final @Nullable CodedColumn other;

    /**
     * The number of rows with lesser codes of both, by the place of the first one's, and then of the second one's;
     * empty where there are too many.
     */
    private final int[] below;

    private PairCounts(@Nullable CodedColumn one, @Nullable CodedColumn other, int[] below) {
        this.one = one;
        this.other = other;
        this.below = below;
    }

    /** Returns those of two columns of a table; null where there is no index of both yet. */
    static @Nullable PairCounts of(IndexedTable table, IndexedColumn one, IndexedColumn other) {
        List<IndexedColumn> both = List.of(one, other);
        if (!table.mayHaveComposite(both)) {
            return NOTHING;
        }
        CompositeIndex index = table.knownComposite(both);
        if (index == null) {
            return null;
        }
        CodedColumn first = (CodedColumn) one.stored();
        CodedColumn second = (CodedColumn) other.stored();
        long size = (first.span() + 1) * (second.span() + 1);
        int[] below = size > MOST ? NONE : below(index, one, other, (int) size);
        return new PairCounts(first, second, below);
    }

    private static int[] below(
            CompositeIndex index, IndexedColumn one, IndexedColumn other, int size) {
        Longs first = codes(index, one);
        Longs second = codes(index, other);
        // Line 0 and place 0 of each line are 0: there is no lesser code.
        int width = (int) other.coding().span() + 1;
        int[] sums = new int[size];
        for (int i = 0; i < first.size(); i++) {
            int line = (int) (first.get(i) - first.base()) + 1;
            int place = (int) (second.get(i) - second.base()) + 1;
            sums[line * width + place] += (int) index.weights().get(i);
        }
        // Added up from line to line, and then along each line.
        for (int i = width; i < size; i++) {
            sums[i] += sums[i - width];
        }
        for (int i = 1; i < size; i++) {
            sums[i] += i % width == 0 ? 0 : sums[i - 1];
        }
        return sums;
    }

    private static Longs codes(CompositeIndex index, IndexedColumn column) {
        return Objects.requireNonNull(index.columns().get(column)).coding().codes();
    }

    /**
     * Returns how many rows pass a condition on the first column and one on the second; {@link Shortcuts#UNKNOWN} where
     * there are too many codes.
     */
    long count(FieldCondition<?> first, FieldCondition<?> second) {
        if (one == null || other == null || below.length == 0) {
            return Shortcuts.UNKNOWN;
        }
        CodeRange rows = range(one, first);
        CodeRange columns = range(other, second);
        if (rows.isEmpty() || columns.isEmpty()) {
            return 0;
        }
        int width = (int) other.span() + 1;
        int top = place(one, rows.least()) * width;
        int bottom = (place(one, rows.greatest()) + 1) * width;
        int left = place(other, columns.least());
        int right = place(other, columns.greatest()) + 1;
        long within = (long) below[bottom + right] - below[bottom + left];
        return within - below[top + right] + below[top + left];
    }

    private static int place(CodedColumn codes, long code) {
        return (int) (code - codes.codes().base());
    }

    private static CodeRange range(CodedColumn codes, FieldCondition<?> condition) {
        return switch (condition) {
            case FieldCondition.Comparison<?, ?> compared -> compared(codes, compared);
            case FieldCondition.Range<?, ?> range ->
                    compared(codes, range.above()).intersect(compared(codes, range.below()));
            case FieldCondition.Present<?> _,
                    FieldCondition.Prefix<?> _,
                    FieldCondition.Among<?, ?> _ ->
                    throw new IllegalArgumentException("a range of codes is wanted: " + condition);
        };
    }

    private static <V> CodeRange compared(
            CodedColumn codes, FieldCondition.Comparison<?, V> compared) {
        Object value = compared.field().planValue(compared.value());
        boolean isWhole = value instanceof Integer || value instanceof Long;
        // A whole number may be one that the column can not have: it lies outside of its codes.
        Object fitting =
                isWhole && codes.encoding() instanceof CodeEncoding.Whole
                        ? (Object) ((Number) value).longValue()
                        : Values.fit(codes.column(), value);
        return codes.codes(compared.comparator(), fitting);
    }
}
