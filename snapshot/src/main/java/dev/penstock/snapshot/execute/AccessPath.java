package dev.penstock.snapshot.execute;

import dev.penstock.query.Window;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.index.RowIndex;
import dev.penstock.snapshot.memory.HeapReservation;
import dev.penstock.snapshot.rows.Filter;
import dev.penstock.snapshot.rows.RowList;
import dev.penstock.snapshot.rows.RowSorter;
import dev.penstock.snapshot.rows.RowSource;
import dev.penstock.snapshot.rows.TableScan;
import dev.penstock.snapshot.work.QueryContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The way in which the rows of a table that pass a filter are found: by the index of a column, where a range of its
 * codes has few rows, or by looking at all.
 *
 * @param rows how many the table has
 * @param filter which rows are wanted
 * @param by the condition whose index is used; null for a scan
 * @param touched how many rows are looked at
 */
record AccessPath(int rows, Filter filter, Filter.@Nullable InRange by, long touched)
        implements RowPlan {
    /** A row found by an index, out of order, takes about as long as so many of a scan. */
    private static final int WORTH = 64;

    /** Chooses the index of the range that leaves the fewest rows, if that is worth it. */
    static AccessPath of(int rows, Filter filter) {
        Filter.InRange best = null;
        long least = rows;
        if (rows > StoredTable.BLOCK_ROWS) {
            for (Filter part : conjuncts(filter)) {
                if (part instanceof Filter.InRange range) {
                    IndexedColumn column = range.column();
                    long count = count(range);
                    boolean worth = count <= rows / WORTH || column.isSorted();
                    if (count >= 0 && worth && count < least && column.mayHaveIndex()) {
                        best = range;
                        least = count;
                    }
                }
            }
        }
        if (best != null && !best.column().hasIndex()) {
            return scan(rows, filter);
        }
        return new AccessPath(rows, filter, best, filter.equals(Filter.Constant.NONE) ? 0 : least);
    }

    /** Returns a look at all rows. */
    static AccessPath scan(int rows, Filter filter) {
        return new AccessPath(rows, filter, null, rows);
    }

    /** Counts the rows of a range by an index that is there by now; negative where only a scan would tell. */
    static long count(Filter.InRange range) {
        IndexedColumn column = range.column();
        long count = column.count(range.range());
        return count < 0 && column.isAskedAgain() && column.hasIndex()
                ? column.countByIndex(range.range())
                : count;
    }

    private static List<Filter> conjuncts(Filter filter) {
        return filter instanceof Filter.All(List<Filter> parts) ? parts : List.of(filter);
    }

    /** Begins to read the rows, in the order of their numbers. */
    @Override
    public RowSource open(QueryContext context) {
        if (filter instanceof Filter.Constant(boolean truth)) {
            return new RowSource.Range(truth ? rows : 0, context);
        }
        RowIndex index = by == null ? null : by.column().index();
        if (by == null || index == null) {
            return new TableScan(filter, 0, rows, context);
        }
        int start = index.ceiling(by.range().least());
        int end = index.end(by.range());
        return index.rows() == null
                ? new TableScan(filter, start, end, context)
                : new RowSource.Listed(listed(index, start, end, context), filter, context);
    }

    private RowList listed(RowIndex index, int start, int end, QueryContext context) {
        long nanos = (long) (end - start) * RowSorter.SORT_NANOS;
        return context.call(nanos, () -> listed(index, start, end, context.reservation()));
    }

    private RowList listed(RowIndex index, int start, int end, HeapReservation reservation) {
        int[] found = reservation.grown(new int[0], end - start);
        for (int i = 0; i < found.length; i++) {
            found[i] = index.row(start + i);
        }
        boolean several = by != null && by.range().least() != by.range().greatest();
        if (several) {
            Arrays.sort(found);
        }
        return new RowList(found, found.length, reservation);
    }

    /** Returns whether all rows are looked at. */
    boolean isScan() {
        return by == null && !filter.equals(Filter.Constant.NONE);
    }

    @Override
    public String explain(Window window) {
        if (by != null) {
            return String.format(
                            Locale.ROOT,
                            "the index of %s is read: %,d of %,d rows",
                            by.column().name(),
                            touched,
                            rows)
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
            case Filter.InRange range -> {
                long count = range.column().count(range.range());
                yield count < 0 ? rows / 4 : count;
            }
            case Filter.InSet _, Filter.ByRow _ -> rows / 4;
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
