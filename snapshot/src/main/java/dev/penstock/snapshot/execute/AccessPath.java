package dev.penstock.snapshot.execute;

import dev.penstock.query.Window;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.CodeRanges;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.index.RowIndex;
import dev.penstock.snapshot.rows.Filter;
import dev.penstock.snapshot.rows.IndexedRows;
import dev.penstock.snapshot.rows.RowSource;
import dev.penstock.snapshot.rows.TableScan;
import dev.penstock.snapshot.work.QueryContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The way in which the rows of a table that pass a filter are found: by the indexes of columns, where ranges of their
 * codes have few rows, or by looking at all.
 *
 * @param rows how many the table has
 * @param filter which rows are wanted
 * @param by conditions of which each row passes one at least, and whose indexes are used; none for a scan
 * @param touched how many rows are looked at
 * @param wanted how many of the first are
 */
record AccessPath(int rows, Filter filter, List<Filter.InCodes> by, long touched, long wanted)
        implements RowPlan {
    /** A row found by an index, out of order, takes about as long as so many of a scan of one range. */
    private static final int WORTH = 64;

    /** A scan ends after so many times as many rows as it should need to find those that are wanted. */
    private static final int PATIENCE = 4;

    AccessPath {
        by = List.copyOf(by);
    }

    /** Conditions of which each row passes one at least, and how many rows pass them, together at the most. */
    private record Indexes(List<Filter.InCodes> by, long touched) {
        boolean isSorted() {
            return by.size() == 1 && by.getFirst().column().isSorted();
        }

        boolean haveIndex() {
            for (Filter.InCodes each : by) {
                if (!each.column().hasIndex()) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Chooses the indexes that leave the fewest rows, if that is worth it. */
    static AccessPath of(int rows, Filter filter, long wanted) {
        // Few rows are soon looked at: an index serves where they are in its order as they are.
        boolean areFew = rows <= StoredTable.BLOCK_ROWS;
        Indexes best = null;
        for (Filter part : conjuncts(filter)) {
            Indexes found = areFew && !isSorted(part) ? null : indexes(part);
            if (found != null
                    && found.touched < (best == null ? rows : best.touched)
                    && (found.touched <= rows / WORTH * Math.max(1, part.nanos())
                            || found.isSorted())) {
                best = found;
            }
        }
        if (best == null || !best.haveIndex()) {
            return scan(rows, filter, wanted);
        }
        return new AccessPath(rows, filter, best.by, best.touched, wanted);
    }

    private static boolean isSorted(Filter part) {
        return part instanceof Filter.InCodes codes
                && codes.ranges().size() <= Filter.CODE_NANOS
                && codes.column().isSorted();
    }

    /** Returns a look at all rows. */
    static AccessPath scan(int rows, Filter filter, long wanted) {
        long touched = filter.equals(Filter.Constant.NONE) ? 0 : rows;
        return new AccessPath(rows, filter, List.of(), touched, wanted);
    }

    /** Returns the indexes that have all rows which pass; null where only a scan would tell. */
    private static @Nullable Indexes indexes(Filter part) {
        return switch (part) {
            case Filter.InCodes codes -> {
                long count = codes.column().mayHaveIndex() ? count(codes) : -1;
                yield count < 0 ? null : new Indexes(List.of(codes), count);
            }
            case Filter.All(List<Filter> parts) -> {
                Indexes best = null;
                for (Filter each : parts) {
                    Indexes found = indexes(each);
                    boolean isLess =
                            best == null || (found != null && found.touched < best.touched);
                    best = isLess ? found : best;
                }
                yield best;
            }
            case Filter.Any(List<Filter> parts) -> {
                List<Filter.InCodes> all = new ArrayList<>();
                long touched = 0;
                for (Filter each : parts) {
                    Indexes found = indexes(each);
                    if (found == null) {
                        yield null;
                    }
                    all.addAll(found.by);
                    touched += found.touched;
                }
                yield new Indexes(all, touched);
            }
            case Filter.Constant _, Filter.ByRow _, Filter.Not _ -> null;
        };
    }

    /** Counts the rows with some codes by an index that is there by now; negative where only a scan would tell. */
    static long count(Filter.InCodes codes) {
        long known = known(codes);
        IndexedColumn column = codes.column();
        if (known >= 0 || !column.isAskedAgain() || !column.hasIndex()) {
            return known;
        }
        long sum = 0;
        for (CodeRange range : codes.ranges().list()) {
            sum += column.countByIndex(range);
        }
        return sum;
    }

    /** Counts the same by an index that is there for something else. */
    static long known(Filter.InCodes codes) {
        long sum = 0;
        for (int i = 0; i < codes.ranges().size(); i++) {
            long count = codes.column().count(codes.ranges().get(i));
            if (count < 0) {
                return count;
            }
            sum += count;
        }
        return sum;
    }

    /**
     * Returns the fewest rows that the index of another column would leave, as far as that is known; infinitely many
     * where it is not.
     */
    static double least(Filter filter, IndexedColumn except) {
        double least = Double.POSITIVE_INFINITY;
        for (Filter part : conjuncts(filter)) {
            if (part instanceof Filter.InCodes codes
                    && codes.column() != except
                    && codes.column().mayHaveIndex()) {
                long count = known(codes);
                least = count < 0 ? least : Math.min(least, (double) count);
            }
        }
        return least;
    }

    static List<Filter> conjuncts(Filter filter) {
        return filter instanceof Filter.All(List<Filter> parts) ? parts : List.of(filter);
    }

    /** Begins to read the rows, in the order of their numbers. */
    @Override
    public RowSource open(QueryContext context) {
        if (filter instanceof Filter.Constant(boolean truth)) {
            return new RowSource.Range(truth ? rows : 0, context);
        }
        List<IndexedRows.Places> places = new ArrayList<>();
        for (Filter.InCodes codes : by) {
            RowIndex index = codes.column().index();
            if (index == null) {
                return new TableScan(filter, 0, rows, context);
            }
            places.add(new IndexedRows.Places(index, codes.ranges()));
        }
        if (places.isEmpty()) {
            return new TableScan(filter, 0, rows, context);
        }
        RowIndex only = places.getFirst().index();
        CodeRanges ranges = places.getFirst().ranges();
        if (only.rows() == null
                && places.size() == 1
                && (ranges.size() == 1 || touched > rows / WORTH)) {
            CodeRange last = ranges.get(ranges.size() - 1);
            return new TableScan(
                    filter, only.ceiling(ranges.get(0).least()), only.end(last), context);
        }
        Filter left = isExact() ? Filter.Constant.ALL : filter;
        IndexedRows indexed = new IndexedRows(places, (int) touched, rows, context);
        int tried = tried();
        if (tried == 0) {
            return new RowSource.Listed(indexed.from(0), left, context);
        }
        return new RowSource.Joined(
                new TableScan(filter, 0, tried, context),
                () -> new RowSource.Listed(indexed.from(tried), left, context));
    }

    /** Returns whether every row that the indexes have passes. */
    private boolean isExact() {
        return filter instanceof Filter.InCodes
                || (filter instanceof Filter.Any(List<Filter> parts)
                        && parts.stream().allMatch(part -> part instanceof Filter.InCodes));
    }

    /** Returns how many rows are scanned before the index is read: there the few that are wanted should be. */
    private int tried() {
        if (wanted >= touched) {
            return 0;
        }
        long needed = wanted * rows / touched * PATIENCE + StoredTable.BLOCK_ROWS;
        return needed < touched * IndexedRows.ROW_NANOS && needed < rows
                ? (int) (needed - needed % StoredTable.BLOCK_ROWS)
                : 0;
    }

    /** Returns whether all rows are looked at. */
    boolean isScan() {
        return by.isEmpty() && !filter.equals(Filter.Constant.NONE);
    }

    @Override
    public String explain(Window window) {
        if (!by.isEmpty()) {
            List<String> names =
                    by.stream().map(codes -> codes.column().name()).distinct().toList();
            String read =
                    names.size() == 1
                            ? "the index of %s is read: %,d of %,d rows"
                            : "the indexes of %s are read: up to %,d of %,d rows";
            return String.format(Locale.ROOT, read, String.join(", ", names), touched, rows)
                    + untilEnough(window);
        }
        if (filter instanceof Filter.Constant(boolean truth)) {
            // What is left out at the beginning is not looked at.
            long left = Math.max(0, (truth ? rows : 0) - window.offset());
            return String.format(Locale.ROOT, "%,d rows are read", Math.min(window.limit(), left));
        }
        String scan = String.format(Locale.ROOT, "a scan of %,d rows", rows);
        String why = isShortOfMemory() ? ", since there is no memory for an index" : "";
        return scan + why + untilEnough(window);
    }

    private static String untilEnough(Window window) {
        return window.isLimited() ? ", or until there are enough" : "";
    }

    private boolean isShortOfMemory() {
        List<IndexedColumn> columns = new ArrayList<>();
        filter.addTo(columns);
        return columns.stream().anyMatch(column -> !column.mayHaveIndex());
    }

    /** Returns about how many rows pass, without looking at any. */
    static long estimate(int rows, Filter filter) {
        return switch (filter) {
            case Filter.Constant(boolean truth) -> truth ? rows : 0;
            case Filter.Not(Filter inner) -> rows - estimate(rows, inner);
            case Filter.InCodes codes -> {
                long count = known(codes);
                yield count < 0 ? rows / 4 : count;
            }
            case Filter.ByRow _ -> rows / 4;
            case Filter.All(List<Filter> parts) -> {
                double share = 1;
                for (Filter part : parts) {
                    share *= (double) estimate(rows, part) / Math.max(rows, 1);
                }
                yield (long) (share * rows);
            }
            case Filter.Any(List<Filter> parts) -> {
                long sum = 0;
                for (Filter part : parts) {
                    sum += estimate(rows, part);
                }
                yield Math.min(sum, rows);
            }
        };
    }
}
