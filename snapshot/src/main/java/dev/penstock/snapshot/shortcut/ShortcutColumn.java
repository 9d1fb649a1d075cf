package dev.penstock.snapshot.shortcut;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.query.ColumnType;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Values;
import dev.penstock.query.typed.field.EnumField;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.FieldCondition;
import dev.penstock.query.typed.shortcut.Shortcuts;
import dev.penstock.snapshot.column.CodeEncoding;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.index.CumulativeCounts;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.index.IndexedTable;
import dev.penstock.snapshot.index.RowIndex;
import dev.penstock.snapshot.memory.Lifetime;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The counts and numbers of a field's column that {@link TableShortcuts} looks at: those of few values are on the heap.
 * Thread-safe.
 */
final class ShortcutColumn {
    /** No more codes than this are counted on the heap: 16 KiB a column. */
    private static final int FEW = 4096;

    /** The result of {@link #firstRow} where only a plan can tell. */
    static final int UNKNOWN_ROW = -2;

    private static final int[] NONE = new int[0];

    private final Field<?, ?> field;
    private final IndexedColumn column;
    private final Lifetime lifetime;
    private final int place;
    private final int rows;

    /** How many rows have each constant of an enum, by ordinal; null for other fields. */
    private final long @Nullable [] constants;

    /**
     * How many rows have a number that is less, by its distance from the least; null where they are not whole, or too
     * far apart.
     */
    private final int @Nullable [] below;

    private final boolean isBuilding;

    /** The least and the greatest number; null where they are not whole. */
    private final @Nullable CodeRange numbers;

    private final long least;
    private final long greatest;

    /** Where the counts of numbers begin, behind that of NULL. */
    private final int first;

    /** The first numbers of other columns in the order of this one, by those columns' places. */
    private final int[] @Nullable [] ascending;

    private final int[] @Nullable [] descending;

    /** The counts by this column and one behind it, by that one's place. */
    private final @Nullable PairCounts[] pairs;

    private final IndexedTable table;
    private volatile @Nullable DistinctValues distinct;

    /**
     * @param place which of the table's columns it is
     */
    ShortcutColumn(Field<?, ?> field, IndexedTable table, int place) {
        this.field = field;
        this.table = table;
        this.place = place;
        column = table.columns().get(place);
        lifetime = table.lifetime();
        rows = table.rows();
        boolean wasBuilding = column.isBuilding();
        constants = field instanceof EnumField<?, ?> of ? constants(of, column) : null;
        below = isWhole() ? below(column) : null;
        numbers = isWhole() ? ((CodedColumn) column.stored()).values() : null;
        isBuilding = wasBuilding || column.isBuilding();
        least = below == null ? 0 : ((CodedColumn) column.stored()).codes().base();
        greatest = below == null ? 0 : least + below.length - 2;
        first = hasNulls() ? 1 : 0;
        ascending = new int[table.columns().size()][];
        descending = new int[table.columns().size()][];
        pairs = new PairCounts[table.columns().size()];
    }

    private boolean hasNulls() {
        return column.stored() instanceof CodedColumn coded && coded.nulls() > 0;
    }

    /** Returns whether its codes are its numbers. */
    private boolean isWhole() {
        return column.stored() instanceof CodedColumn coded
                && coded.encoding() instanceof CodeEncoding.Whole
                && (coded.column().type() == ColumnType.INT
                        || coded.column().type() == ColumnType.LONG);
    }

    @SuppressWarnings({
        "unchecked",
        "EnumOrdinal"
    }) // a field's constants are of its type; their ordinals stay in this JVM
    private static long @Nullable [] constants(EnumField<?, ?> field, IndexedColumn column) {
        if (!column.hasCoding()) {
            return null;
        }
        Enum<?>[] all = field.type().getEnumConstants();
        long[] counts = new long[all.length];
        Function<Object, String> text = (Function<Object, String>) (Function<?, ?>) field.text();
        for (Enum<?> each : all) {
            CodeRange equal = column.coding().codes(Comparator.EQUAL, text.apply(each));
            long count = column.count(equal);
            if (count < 0) {
                return null;
            }
            counts[each.ordinal()] = count;
        }
        return counts;
    }

    private static int @Nullable [] below(IndexedColumn column) {
        long span = column.coding().span();
        CumulativeCounts counts = span > 0 && span < FEW ? column.counts() : null;
        if (counts == null) {
            return null;
        }
        int[] below = new int[counts.below().size()];
        for (int i = 0; i < below.length; i++) {
            below[i] = (int) counts.below().get(i);
        }
        return below;
    }

    Field<?, ?> field() {
        return field;
    }

    /** Returns whether counts were being built that are not here. */
    boolean isBuilding() {
        return isBuilding;
    }

    /**
     * Returns how many rows have a constant that compares so; {@link Shortcuts#UNKNOWN} where counts on the heap don't
     * tell.
     */
    long countConstant(Comparator comparator, int ordinal) {
        long[] counts = constants;
        // Constants are in the order of their declaration, and the column in that of its texts.
        if (counts == null
                || (comparator != Comparator.EQUAL && comparator != Comparator.NOT_EQUAL)) {
            return Shortcuts.UNKNOWN;
        }
        long equal = counts[ordinal];
        return comparator == Comparator.EQUAL ? equal : rows - equal;
    }

    /**
     * Returns how many rows have a number that compares so; {@link Shortcuts#UNKNOWN} where counts on the heap don't
     * tell.
     */
    long countNumber(Comparator comparator, long value) {
        return switch (comparator) {
            case EQUAL -> countBetween(value, value);
            case NOT_EQUAL -> {
                long equal = countBetween(value, value);
                yield equal == Shortcuts.UNKNOWN ? equal : rows - equal;
            }
            case LESS -> value == Long.MIN_VALUE ? 0 : countBetween(Long.MIN_VALUE, value - 1);
            case LESS_OR_EQUAL -> countBetween(Long.MIN_VALUE, value);
            case GREATER -> value == Long.MAX_VALUE ? 0 : countBetween(value + 1, Long.MAX_VALUE);
            case GREATER_OR_EQUAL -> countBetween(value, Long.MAX_VALUE);
        };
    }

    /**
     * Returns how many rows have a number of a range; {@link Shortcuts#UNKNOWN} where counts on the heap don't tell.
     */
    long countBetween(long from, long to) {
        int[] counts = below;
        if (counts == null) {
            return Shortcuts.UNKNOWN;
        }
        long low = Math.max(from, least + first);
        long high = Math.min(to, greatest);
        return low > high ? 0 : counts[(int) (high - least) + 1] - counts[(int) (low - least)];
    }

    /**
     * Returns how many rows pass a condition on this column and one on another; {@link Shortcuts#UNKNOWN} where an
     * index of both does not tell, or there is none yet.
     */
    long countWith(FieldCondition<?> own, ShortcutColumn other, FieldCondition<?> its) {
        if (other.place < place) {
            // There are counts for one of both orders.
            return other.countWith(its, this, own);
        }
        PairCounts counts = pairs[other.place];
        if (counts == null) {
            counts = pairCounts(other);
        }
        return counts == null ? Shortcuts.UNKNOWN : counts.count(own, its);
    }

    /** Returns the counts by both columns, which are kept once there is an index of them; until then null. */
    private @Nullable PairCounts pairCounts(ShortcutColumn other) {
        if (place == other.place || !lifetime.acquire()) {
            return null;
        }
        try {
            PairCounts made = PairCounts.of(table, column, other.column);
            // Whoever finds them without a lock finds them filled.
            VarHandle.releaseFence();
            pairs[other.place] = made;
            return made;
        } finally {
            lifetime.release();
        }
    }

    /** Returns the different values in their order; null where they are many, or only a plan can tell. */
    @Nullable List<?> distinct() {
        DistinctValues known = distinct;
        if (known == null && lifetime.acquire()) {
            try {
                known = DistinctValues.of(field, column);
                distinct = known;
            } finally {
                lifetime.release();
            }
        }
        return known == null ? null : known.values();
    }

    /**
     * Returns the first row that has a number, negative where there is none; {@link #UNKNOWN_ROW} where only a plan can
     * tell.
     */
    int firstRow(long number) {
        return row(number, false);
    }

    /**
     * @param mustBeOnly whether {@link #UNKNOWN_ROW} is the result, too, where several rows have the number
     */
    private int row(long number, boolean mustBeOnly) {
        CodeRange range = numbers;
        if (range == null) {
            return UNKNOWN_ROW;
        }
        if (!range.contains(number)) {
            return -1;
        }
        RowIndex index = column.knownOrder();
        if (index == null) {
            return UNKNOWN_ROW;
        }
        // Numbers that were counted up have few gaps.
        long distance = number - range.least();
        int place = distance < 0 || distance >= rows ? rows - 1 : (int) distance;
        boolean isThere =
                index.code(place) == number && (place == 0 || index.code(place - 1) < number);
        int found = isThere ? place : index.ceiling(number);
        if (index.code(found) != number) {
            return -1;
        }
        return mustBeOnly && found + 1 < rows && index.code(found + 1) == number
                ? UNKNOWN_ROW
                : index.row(found);
    }

    /**
     * Returns the rows that have one of some numbers, in the order of these; null where only a plan can tell, and where
     * a number has several rows.
     *
     * @param wanted in ascending order
     */
    int @Nullable [] rows(long[] wanted) {
        int[] found = new int[wanted.length];
        int count = 0;
        for (int i = 0; i < wanted.length; i++) {
            long number = wanted[i];
            int row = i > 0 && wanted[i - 1] == number ? -1 : row(number, true);
            if (row == UNKNOWN_ROW) {
                return null;
            }
            if (row >= 0) {
                found[count++] = row;
            }
        }
        return count == found.length ? found : Arrays.copyOf(found, count);
    }

    /**
     * Returns the least or the greatest number; {@link Shortcuts#NO_NUMBER} where there is none, and
     * {@link Shortcuts#UNKNOWN_NUMBER} where only a plan can tell.
     */
    long extreme(boolean greatest) {
        CodeRange range = numbers;
        if (range == null) {
            return Shortcuts.UNKNOWN_NUMBER;
        }
        return range.isEmpty() ? Shortcuts.NO_NUMBER : greatest ? range.greatest() : range.least();
    }

    /**
     * Returns how many rows start with a text; {@link Shortcuts#UNKNOWN} where their order, or counts or an index,
     * don't tell.
     */
    long countStarting(String text) {
        if (!column.stored().column().type().isTextual()
                || Values.hasHalfPair(text)
                || !lifetime.acquire()) {
            return Shortcuts.UNKNOWN;
        }
        try {
            long count =
                    column.hasCoding()
                            ? column.count(column.coding().startingWith(text.getBytes(UTF_8)))
                            : -1;
            return count < 0 ? Shortcuts.UNKNOWN : count;
        } finally {
            lifetime.release();
        }
    }

    /**
     * Returns statistics of another column over a part of the rows in the order of this one: of the first rows by
     * numbers that are arranged on the heap, else by the index.
     *
     * <p>All of it is one method on purpose, so that it is too large for the compiler to take into the stream's own
     * code (325 bytes of bytecode are the most). With these loops that would be too large itself to be taken into the
     * caller's, and then the stream would have to be made.
     *
     * @return null where only a plan can tell, or more than {@link #FEW} rows behind the first are asked for
     */
    @Nullable IntSummaryStatistics statistics(
            ShortcutColumn of, boolean descends, long skip, long limit) {
        int[] numbers = (descends ? descending : ascending)[of.place];
        if (numbers == null) {
            numbers = arrange(of, descends);
        }
        int start = (int) Math.min(skip, rows);
        int end = (int) Math.min(start + Math.min(limit, rows), rows);
        int min = Integer.MAX_VALUE;
        int max = Integer.MIN_VALUE;
        long sum = 0;
        if (end <= numbers.length) {
            for (int place = start; place < end; place++) {
                int number = numbers[place];
                min = Math.min(min, number);
                max = Math.max(max, number);
                sum += number;
            }
            return new IntSummaryStatistics(end - start, min, max, sum);
        }
        if (end - start > FEW || !lifetime.acquire()) {
            return null;
        }
        try {
            RowIndex index = order(of);
            if (index == null) {
                return null;
            }
            StoredColumn values = of.column.stored();
            int place = start;
            while (place < end) {
                int first = place;
                int last = end;
                if (descends) {
                    // Groups of equal codes come from the last to the first, and within a group
                    // the rows in the order of the key.
                    long code = index.code(rows - 1 - place);
                    int next = index.end(CodeRange.of(code, code));
                    first = index.ceiling(code) + place - (rows - next);
                    last = Math.min(next, first + end - place);
                }
                place += last - first;
                for (int i = first; i < last; i++) {
                    int number = (int) values.cell(index.row(i));
                    min = Math.min(min, number);
                    max = Math.max(max, number);
                    sum += number;
                }
            }
            return new IntSummaryStatistics(end - start, min, max, sum);
        } finally {
            lifetime.release();
        }
    }

    /**
     * This column's order, if its values and those of another tell the statistics without a plan, and there is memory
     * for it; else null.
     */
    private @Nullable RowIndex order(ShortcutColumn of) {
        boolean isOrdered =
                column.stored() instanceof CodedColumn
                        && !hasNulls()
                        && !column.coding().hasEquals();
        boolean isInts =
                of.isWhole()
                        && of.column.stored().column().type() == ColumnType.INT
                        && !of.hasNulls();
        return isOrdered && isInts ? column.index() : null;
    }

    /**
     * Returns the first numbers of another column in this one's order; none without. Whoever comes at the same time
     * makes the same.
     */
    private int[] arrange(ShortcutColumn of, boolean descends) {
        if (!lifetime.acquire()) {
            return NONE;
        }
        try {
            return arranged(of, descends);
        } finally {
            lifetime.release();
        }
    }

    private int[] arranged(ShortcutColumn of, boolean descends) {
        RowIndex index = order(of);
        if (index == null) {
            return NONE;
        }
        int[] numbers = new int[Math.min(rows, FEW)];
        int end = rows;
        for (int place = 0; place < numbers.length; end = rows - place) {
            int row = descends ? index.ceiling(index.code(end - 1)) : place;
            for (; row < end && place < numbers.length; row++) {
                numbers[place++] = (int) of.column.stored().cell(index.row(row));
            }
        }
        // Whoever finds them without a lock finds them filled.
        VarHandle.releaseFence();
        (descends ? descending : ascending)[of.place] = numbers;
        return numbers;
    }
}
