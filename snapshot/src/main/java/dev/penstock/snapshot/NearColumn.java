package dev.penstock.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Values;
import dev.penstock.query.typed.EnumField;
import dev.penstock.query.typed.Field;
import dev.penstock.query.typed.Shortcuts;
import java.util.IntSummaryStatistics;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What {@link TableShortcuts} needs of a column, within reach: counts of few codes are on the heap. Thread-safe. */
final class NearColumn {
    /** No more codes than this are counted on the heap: 16 KiB a column. */
    private static final int FEW = 4096;

    /** The code of a constant that no row has, which is greater than every code. */
    private static final long ABSENT = Long.MAX_VALUE;

    /** There is no code to compare by. */
    private static final long NO_CODE = Long.MIN_VALUE;

    private final IndexedColumn column;
    private final int rows;

    /** How many rows have a lesser code, by its distance from the least; null where there are too many codes. */
    private final int @Nullable [] below;

    private @Nullable Constants constants;

    private final long base;

    /** The greatest code that is counted. */
    private final long greatest;

    private final boolean hasNulls;

    /** Whether rows of equal values have equal codes, and no row has none: then rows in the order of codes are in that of values. */
    private final boolean isOrdered;

    private final boolean isWhole;
    private final @Nullable Longs codes;
    private @Nullable RowIndex index;

    /** The codes of an enum's constants, by ordinal. */
    private static final class Constants {
        private final EnumField<?, ?> field;
        private final long[] codes;

        Constants(EnumField<?, ?> field, long[] codes) {
            this.field = field;
            this.codes = codes;
        }
    }

    NearColumn(IndexedColumn column) {
        this.column = requireNonNull(column);
        StoredColumn stored = column.stored();
        this.rows = stored.rows();
        this.codes = stored instanceof CodedColumn coded ? coded.codes() : null;
        this.base = codes == null ? 0 : codes.base();
        this.hasNulls = stored instanceof CodedColumn coded && coded.nulls() > 0;
        this.isOrdered = codes != null && !hasNulls && !column.coding().hasEquals();
        this.isWhole =
                stored instanceof CodedColumn coded
                        && coded.meaning() instanceof Meaning.Whole
                        && (coded.column().type() == dev.penstock.query.ColumnType.INT
                                || coded.column().type() == dev.penstock.query.ColumnType.LONG);
        this.below = codes == null ? null : below(column);
        this.greatest = below == null ? 0 : base + below.length - 2;
    }

    private static int @Nullable [] below(IndexedColumn column) {
        Counts counts = column.counts();
        if (counts == null || counts.below().size() > FEW) {
            return null;
        }
        int[] below = new int[counts.below().size()];
        for (int i = 0; i < below.length; i++) {
            below[i] = (int) counts.below().get(i);
        }
        return below;
    }

    /**
     * How many rows have a value that compares so; {@link Shortcuts#UNKNOWN} where counts on the heap don't tell.
     *
     * @param value a number, or the ordinal of a constant
     */
    long count(Field<?, ?> field, Comparator comparator, long value) {
        int[] counts = below;
        long code = value;
        if (!isWhole) {
            code = code(field, comparator, value);
        }
        if (counts == null || code == NO_CODE) {
            return Shortcuts.UNKNOWN;
        }
        // The values that are less are counted before one place, those that are greater from the
        // other on.
        int first = hasNulls ? 1 : 0;
        int at = first;
        if (code > greatest) {
            at = counts.length - 1;
        } else if (code >= base + first) {
            at = (int) (code - base);
        }
        int next = code == base + at && code <= greatest ? at + 1 : at;
        int from = at;
        int to = next;
        if (comparator == Comparator.GREATER) {
            from = next;
            to = counts.length - 1;
        } else if (comparator == Comparator.GREATER_OR_EQUAL) {
            to = counts.length - 1;
        } else if (comparator == Comparator.LESS) {
            from = first;
            to = at;
        } else if (comparator == Comparator.LESS_OR_EQUAL) {
            from = first;
        }
        int count = counts[to] - counts[from];
        return comparator == Comparator.NOT_EQUAL ? rows - count : count;
    }

    /** The code of a constant. Constants are in the order of their declaration, codes in that of their texts. */
    @SuppressWarnings("ReferenceEquality") // whatever is not the same is read again
    private long code(Field<?, ?> field, Comparator comparator, long ordinal) {
        if (!(field instanceof EnumField<?, ?> constantsOf)
                || (comparator != Comparator.EQUAL && comparator != Comparator.NOT_EQUAL)) {
            return NO_CODE;
        }
        Constants known = constants;
        if (known == null || known.field != field) {
            known = read(constantsOf);
        }
        return known.codes[(int) ordinal];
    }

    private Constants read(EnumField<?, ?> field) {
        Constants read = new Constants(field, codes(field));
        constants = read;
        return read;
    }

    @SuppressWarnings({
        "unchecked",
        "EnumOrdinal"
    }) // a field's constants are of its type; their ordinals stay in this JVM
    private long[] codes(EnumField<?, ?> field) {
        Enum<?>[] all = field.type().getEnumConstants();
        long[] read = new long[all.length];
        Function<Object, String> text = (Function<Object, String>) (Function<?, ?>) field.text();
        for (Enum<?> each : all) {
            Codes equal = column.coding().codes(Comparator.EQUAL, text.apply(each));
            read[each.ordinal()] = equal.isEmpty() ? ABSENT : equal.least();
        }
        return read;
    }

    /** How many rows start with a text; {@link Shortcuts#UNKNOWN} where their order, or counts or an index, don't tell. */
    long countStarting(String text) {
        if (!column.hasCoding() || Values.hasHalfPair(text)) {
            return Shortcuts.UNKNOWN;
        }
        long count = column.count(column.coding().startingWith(text.getBytes(UTF_8)));
        return count < 0 ? Shortcuts.UNKNOWN : count;
    }

    /** Whether its rows can be had in their order, and its values are ints that are never null. */
    boolean hasInts() {
        return isWhole && !hasNulls;
    }

    /**
     * Statistics of another column over a part of the rows in the order of this one.
     *
     * @return null where counts on the heap and an index don't tell
     */
    @Nullable IntSummaryStatistics statistics(
            NearColumn of, boolean descending, long skip, long limit) {
        RowIndex index = isOrdered ? index() : null;
        int[] counts = below;
        Longs values = of.codes;
        if (index == null || values == null || !of.hasInts()) {
            return null;
        }
        IntSummaryStatistics statistics = new IntSummaryStatistics();
        if (skip >= rows) {
            return statistics;
        }
        int from = (int) skip;
        int to = (int) Math.min(rows, from + Math.min(limit, rows));
        if (!descending) {
            add(index, values, from, to, statistics);
            return statistics;
        }
        if (counts == null) {
            return null;
        }
        // The groups of equal codes from the last to the first; within a group, rows are in the
        // order of the key.
        int group = group(counts, rows - 1 - from);
        int place = from;
        while (place < to) {
            int start = rows - counts[group + 1];
            int first = counts[group] + place - start;
            int end = Math.min(counts[group + 1], first + to - place);
            add(index, values, first, end, statistics);
            place += end - first;
            group--;
        }
        return statistics;
    }

    private @Nullable RowIndex index() {
        RowIndex known = index;
        return known != null ? known : readIndex();
    }

    private @Nullable RowIndex readIndex() {
        RowIndex read = column.index();
        index = read;
        return read;
    }

    private static void add(
            RowIndex index, Longs values, int from, int to, IntSummaryStatistics statistics) {
        for (int place = from; place < to; place++) {
            statistics.accept((int) values.get(index.row(place)));
        }
    }

    /** The group that has a place: the last whose start is not behind it. */
    private static int group(int[] counts, int place) {
        int low = 0;
        int high = counts.length - 1;
        while (low + 1 < high) {
            int middle = (low + high) >>> 1;
            if (counts[middle] <= place) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
