package dev.penstock.snapshot.rows;

import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodeRanges;
import dev.penstock.snapshot.column.OrderedCodes;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.index.RangeSelection;
import dev.penstock.snapshot.memory.Longs;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A condition on the rows of a table, by their numbers. A block of rows is a selection bitmap: {@link #narrow} clears
 * the bits of rows that do not pass, so that whatever comes later in a conjunction looks only at rows that are left.
 * Used by one thread.
 */
public sealed interface Filter {
    /** About how long it takes to look at a cell's value; a regular expression may take longer. */
    long CELL_NANOS = 256;

    /** About how long it takes to look at the codes of a row. */
    long CODE_NANOS = 4;

    /** Returns whether a row passes. */
    boolean test(int row);

    /**
     * Clears the bits of rows that do not pass.
     *
     * @param from the row of the first bit, a multiple of {@link StoredTable#BLOCK_ROWS}
     * @param selection a bit for each row; none is set beyond the last row
     */
    void narrow(int from, long[] selection);

    /** Adds the columns whose codes are looked at; false where anything else is looked at as well. */
    default boolean addTo(List<IndexedColumn> columns) {
        return switch (this) {
            case Constant _ -> true;
            case InCodes(IndexedColumn column, _, _) -> columns.add(column);
            case ByRow _ -> false;
            case Not(Filter inner) -> inner.addTo(columns);
            case All(List<Filter> parts) -> addTo(columns, parts);
            case Any(List<Filter> parts) -> addTo(columns, parts);
        };
    }

    /** Returns about how long it takes to find out about one row. */
    default long nanos() {
        return switch (this) {
            case Constant _ -> 0;
            case InCodes(_, _, CodeRanges ranges) -> Math.min(ranges.size(), CODE_NANOS);
            case ByRow(_, long nanos) -> nanos;
            case Not(Filter inner) -> inner.nanos();
            case All(List<Filter> parts) -> nanos(parts);
            case Any(List<Filter> parts) -> nanos(parts);
        };
    }

    private static long nanos(List<Filter> parts) {
        long sum = 0;
        for (Filter part : parts) {
            sum += part.nanos();
        }
        return sum;
    }

    private static boolean addTo(List<IndexedColumn> columns, List<Filter> parts) {
        for (Filter part : parts) {
            if (!part.addTo(columns)) {
                return false;
            }
        }
        return true;
    }

    /** The same for all rows. */
    record Constant(boolean truth) implements Filter {
        public static final Constant ALL = new Constant(true);
        public static final Constant NONE = new Constant(false);

        @Override
        public boolean test(int row) {
            return truth;
        }

        @Override
        public void narrow(int from, long[] selection) {
            if (!truth) {
                java.util.Arrays.fill(selection, 0);
            }
        }
    }

    /** The condition that the code is in one of some ranges. */
    record InCodes(IndexedColumn column, Longs codes, CodeRanges ranges) implements Filter {
        @Override
        public boolean test(int row) {
            return ranges.contains(codes.get(row));
        }

        @Override
        public void narrow(int from, long[] selection) {
            if (ranges.size() <= CODE_NANOS) {
                RangeSelection.narrow(RangeSelection.of(codes, ranges), from, selection);
            } else {
                byRow(this::test, from, selection);
            }
        }
    }

    /**
     * A condition on what is in the cells of a row.
     *
     * @param nanos about how long it takes to tell
     */
    record ByRow(IntPredicate passes, long nanos) implements Filter {
        /** By cells that are decoded. */
        ByRow(IntPredicate passes) {
            this(passes, CELL_NANOS);
        }

        @Override
        public boolean test(int row) {
            return passes.test(row);
        }

        @Override
        public void narrow(int from, long[] selection) {
            byRow(passes, from, selection);
        }
    }

    /** The condition that all of some hold. */
    record All(List<Filter> parts) implements Filter {
        public All {
            parts = List.copyOf(parts);
        }

        @Override
        public boolean test(int row) {
            for (Filter part : parts) {
                if (!part.test(row)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public void narrow(int from, long[] selection) {
            for (Filter part : parts) {
                part.narrow(from, selection);
            }
        }
    }

    /** The condition that any of some holds. */
    record Any(List<Filter> parts) implements Filter {
        public Any {
            parts = List.copyOf(parts);
        }

        @Override
        public boolean test(int row) {
            for (Filter part : parts) {
                if (part.test(row)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void narrow(int from, long[] selection) {
            long[] left = selection.clone();
            long[] passing = new long[selection.length];
            for (Filter part : parts) {
                System.arraycopy(left, 0, passing, 0, left.length);
                part.narrow(from, passing);
                for (int i = 0; i < left.length; i++) {
                    left[i] &= ~passing[i];
                }
            }
            for (int i = 0; i < left.length; i++) {
                selection[i] &= ~left[i];
            }
        }
    }

    /** The complement. */
    record Not(Filter filter) implements Filter {
        @Override
        public boolean test(int row) {
            return !filter.test(row);
        }

        @Override
        public void narrow(int from, long[] selection) {
            long[] passing = selection.clone();
            filter.narrow(from, passing);
            for (int i = 0; i < selection.length; i++) {
                selection[i] &= ~passing[i];
            }
        }
    }

    /** Returns the rows that pass both. */
    static Filter and(Filter one, Filter other) {
        return and(List.of(one, other));
    }

    /** Returns the rows with some codes of a column. */
    static Filter codes(IndexedColumn column, CodeRanges ranges) {
        if (ranges.isEmpty()) {
            return Constant.NONE;
        }
        OrderedCodes coding = column.coding();
        return ranges.containsAll(coding.all())
                ? Constant.ALL
                : new InCodes(column, coding.codes(), ranges);
    }

    /** Returns the rows that pass all; what is told soonest is looked at first. */
    static Filter and(List<Filter> parts) {
        List<Filter> all = new ArrayList<>(parts.size());
        for (Filter part : parts) {
            switch (part) {
                case Constant(boolean truth) -> {
                    if (!truth) {
                        return Constant.NONE;
                    }
                }
                case All(List<Filter> more) -> more.forEach(each -> add(each, all));
                case InCodes _, ByRow _, Any _, Not _ -> add(part, all);
            }
        }
        if (all.contains(Constant.NONE)) {
            return Constant.NONE;
        }
        if (all.size() > 1) {
            all.sort(Comparator.comparingLong(Filter::nanos));
        }
        return switch (all.size()) {
            case 0 -> Constant.ALL;
            case 1 -> all.getFirst();
            default -> new All(all);
        };
    }

    /** Adds a condition; two on the codes of a column are one, which an index may serve. */
    private static void add(Filter part, List<Filter> all) {
        if (part instanceof InCodes more) {
            for (int i = 0; i < all.size(); i++) {
                if (all.get(i) instanceof InCodes known && known.column() == more.column()) {
                    all.set(i, codes(known.column(), known.ranges().intersect(more.ranges())));
                    return;
                }
            }
        }
        all.add(part);
    }

    /** Returns the rows that pass any; conditions on the codes of a column are one. */
    static Filter or(List<Filter> parts) {
        Map<IndexedColumn, List<CodeRange>> codes = new LinkedHashMap<>();
        List<Filter> others = new ArrayList<>(parts.size());
        for (Filter part : parts) {
            for (Filter each : part instanceof Any(List<Filter> more) ? more : List.of(part)) {
                switch (each) {
                    case Constant(boolean truth) -> {
                        if (truth) {
                            return Constant.ALL;
                        }
                    }
                    case InCodes(IndexedColumn column, _, CodeRanges ranges) ->
                            codes.computeIfAbsent(column, _ -> new ArrayList<>())
                                    .addAll(ranges.list());
                    case ByRow _, All _, Any _, Not _ -> others.add(each);
                }
            }
        }
        List<Filter> any = new ArrayList<>(codes.size() + others.size());
        codes.forEach((column, ranges) -> any.add(codes(column, CodeRanges.union(ranges))));
        any.addAll(others);
        if (any.contains(Constant.ALL)) {
            return Constant.ALL;
        }
        return switch (any.size()) {
            case 0 -> Constant.NONE;
            case 1 -> any.getFirst();
            default -> new Any(any);
        };
    }

    /** Returns the rows that do not pass. */
    static Filter not(Filter filter) {
        return switch (filter) {
            case Constant(boolean truth) -> truth ? Constant.NONE : Constant.ALL;
            case Not(Filter inner) -> inner;
            case InCodes(IndexedColumn column, _, CodeRanges ranges) ->
                    codes(column, ranges.complement(column.coding().all()));
            case ByRow _, All _, Any _ -> new Not(filter);
        };
    }

    /** Returns the same filter on the columns of another table; null where it looks at anything else. */
    default @Nullable Filter on(Map<IndexedColumn, IndexedColumn> others) {
        return switch (this) {
            case Constant constant -> constant;
            case InCodes(IndexedColumn column, _, CodeRanges ranges) -> {
                IndexedColumn other = others.get(column);
                yield other == null ? null : new InCodes(other, other.coding().codes(), ranges);
            }
            case ByRow _ -> null;
            case Not(Filter inner) -> {
                Filter same = inner.on(others);
                yield same == null ? null : not(same);
            }
            case All(List<Filter> parts) -> {
                List<Filter> same = on(others, parts);
                yield same == null ? null : and(same);
            }
            case Any(List<Filter> parts) -> {
                List<Filter> same = on(others, parts);
                yield same == null ? null : or(same);
            }
        };
    }

    private static @Nullable List<Filter> on(
            Map<IndexedColumn, IndexedColumn> others, List<Filter> parts) {
        List<Filter> all = new ArrayList<>();
        for (Filter part : parts) {
            Filter same = part.on(others);
            if (same == null) {
                return null;
            }
            all.add(same);
        }
        return all;
    }

    private static void byRow(IntPredicate passes, int from, long[] selection) {
        for (int i = 0; i < selection.length; i++) {
            long word = selection[i];
            for (long left = word; left != 0; left &= left - 1) {
                int bit = Long.numberOfTrailingZeros(left);
                if (!passes.test(from + i * Long.SIZE + bit)) {
                    word &= ~(1L << bit);
                }
            }
            selection[i] = word;
        }
    }
}
