package dev.penstock.snapshot.rows;

import static java.util.Objects.requireNonNull;

import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.index.RowIndex;
import dev.penstock.snapshot.memory.HeapReservation;
import dev.penstock.snapshot.work.QueryContext;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the rows of a table that pass a filter are found: by the index of a column, where a range of its codes has few rows, or by looking at all.
 *
 * @param rows how many the table has
 * @param filter which rows are wanted
 * @param by the condition whose index is used; null for a scan
 * @param touched how many rows are looked at
 */
public record AccessPath(int rows, Filter filter, Filter.@Nullable InRange by, long touched) {
    /** A row found by an index, out of order, takes about as long as so many of a scan. */
    private static final int WORTH = 64;

    public AccessPath {
        requireNonNull(filter);
    }

    public static AccessPath of(int rows, Filter filter) {
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
            return new AccessPath(rows, filter, null, rows);
        }
        return new AccessPath(rows, filter, best, filter.equals(Filter.Constant.NONE) ? 0 : least);
    }

    /** By an index that is there by now. */
    private static long count(Filter.InRange range) {
        IndexedColumn column = range.column();
        long count = column.count(range.range());
        return count < 0 && column.isAskedAgain() && column.hasIndex()
                ? column.countByIndex(range.range())
                : count;
    }

    private static List<Filter> conjuncts(Filter filter) {
        return filter instanceof Filter.All(List<Filter> parts) ? parts : List.of(filter);
    }

    /** The rows, in theirs numbers' order. */
    public RowSource source(QueryContext run) {
        if (filter instanceof Filter.Constant(boolean truth)) {
            return new RowSource.Range(truth ? rows : 0, run);
        }
        RowIndex index = by == null ? null : by.column().index();
        if (by == null || index == null) {
            return new TableScan(filter, 0, rows, run);
        }
        int start = index.ceiling(by.range().least());
        int end = index.end(by.range());
        return index.rows() == null
                ? new TableScan(filter, start, end, run)
                : new RowSource.Listed(listed(index, start, end, run), filter, run);
    }

    private RowList listed(RowIndex index, int start, int end, QueryContext run) {
        long nanos = (long) (end - start) * RowSorter.SORT_NANOS;
        return run.call(nanos, () -> listed(index, start, end, run.room()));
    }

    private RowList listed(RowIndex index, int start, int end, HeapReservation room) {
        int[] found = room.grown(new int[0], end - start);
        for (int i = 0; i < found.length; i++) {
            found[i] = index.row(start + i);
        }
        boolean several = by != null && by.range().least() != by.range().greatest();
        if (several) {
            Arrays.sort(found);
        }
        return new RowList(found, found.length, room);
    }

    /** How many rows pass. */
    public static long count(int rows, Filter filter, QueryContext run) {
        return switch (filter) {
            case Filter.Constant(boolean truth) -> truth ? rows : 0;
            case Filter.Not(Filter inner) -> rows - count(rows, inner, run);
            case Filter.InRange range when count(range) >= 0 -> range.column().count(range.range());
            case Filter.InRange _ -> new TableScan(filter, 0, rows, run).count();
            case Filter.Any(List<Filter> parts) when sum(parts) >= 0 -> sum(parts);
            case Filter.InSet _, Filter.ByRow _, Filter.All _, Filter.Any _ ->
                    of(rows, filter).source(run).count();
        };
    }

    /**
     * How many rows are in one of some ranges of a column that have no code in common; −1 where the parts are something
     * else, or the number is not known.
     */
    private static long sum(List<Filter> parts) {
        long sum = 0;
        for (int i = 0; i < parts.size(); i++) {
            if (!(parts.get(i) instanceof Filter.InRange range)) {
                return -1;
            }
            for (Filter before : parts.subList(0, i)) {
                boolean apart =
                        before instanceof Filter.InRange other
                                && other.column() == range.column()
                                && other.range().intersect(range.range()).isEmpty();
                if (!apart) {
                    return -1;
                }
            }
            long count = count(range);
            if (count < 0) {
                return -1;
            }
            sum += count;
        }
        return sum;
    }

    /** Whether counting looks at all rows. */
    public static boolean isScanned(int rows, Filter filter) {
        return switch (filter) {
            case Filter.Constant _ -> false;
            case Filter.Not(Filter inner) -> isScanned(rows, inner);
            case Filter.InRange range -> count(range) < 0;
            case Filter.Any(List<Filter> parts) when sum(parts) >= 0 -> false;
            case Filter.InSet _, Filter.ByRow _, Filter.All _, Filter.Any _ ->
                    of(rows, filter).isScan();
        };
    }

    /** Whether all rows are looked at. */
    public boolean isScan() {
        return by == null && !filter.equals(Filter.Constant.NONE);
    }

    /** About how many rows pass, without looking at any. */
    public static long estimate(int rows, Filter filter) {
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
