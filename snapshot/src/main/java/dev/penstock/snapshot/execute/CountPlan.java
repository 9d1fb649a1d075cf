package dev.penstock.snapshot.execute;

import dev.penstock.query.Window;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.rows.Filter;
import dev.penstock.snapshot.rows.RowBlocks;
import dev.penstock.snapshot.rows.RowSorter;
import dev.penstock.snapshot.rows.RowSource;
import dev.penstock.snapshot.work.QueryContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way in which rows are counted, decided once: what is run, and what an explanation prints. Immutable; for one
 * thread, as filters are.
 */
sealed interface CountPlan {
    /** Counts the rows. */
    long count(QueryContext context);

    /** Says in words how they are counted. */
    String explain();

    /** Whether all rows of a table are looked at, so that several threads may share them. */
    default boolean isScan() {
        return switch (this) {
            case Read(RowPlan read) -> read instanceof AccessPath path && path.isScan();
            case Complement(_, CountPlan others) -> others.isScan();
            case AllRows _, ByCounts _, Weighted _, Cut _ -> false;
        };
    }

    /** Decides how the rows of a table that pass a filter are counted. */
    static CountPlan of(int rows, Filter filter) {
        return switch (filter) {
            case Filter.Constant(boolean truth) -> new AllRows(truth ? rows : 0);
            case Filter.Not(Filter inner) -> new Complement(rows, of(rows, inner));
            case Filter.InRange range -> {
                long count = AccessPath.count(range);
                yield count >= 0
                        ? new ByCounts(range.column(), count)
                        : new Read(AccessPath.scan(rows, range));
            }
            case Filter.Any(List<Filter> parts) -> {
                CountPlan sum = ofRanges(parts);
                yield sum == null ? new Read(AccessPath.of(rows, filter)) : sum;
            }
            case Filter.InSet _, Filter.ByRow _, Filter.All _ ->
                    new Read(AccessPath.of(rows, filter));
        };
    }

    /**
     * Decides for rows in any of some ranges of a column that have no code in common; null where they are something
     * else, or it is not known.
     */
    private static @Nullable CountPlan ofRanges(List<Filter> parts) {
        long sum = 0;
        for (int i = 0; i < parts.size(); i++) {
            if (!(parts.get(i) instanceof Filter.InRange range)) {
                return null;
            }
            for (Filter before : parts.subList(0, i)) {
                boolean apart =
                        before instanceof Filter.InRange other
                                && other.column() == range.column()
                                && other.range().intersect(range.range()).isEmpty();
                if (!apart) {
                    return null;
                }
            }
            long count = AccessPath.count(range);
            if (count < 0) {
                return null;
            }
            sum += count;
        }
        return parts.getFirst() instanceof Filter.InRange first
                ? new ByCounts(first.column(), sum)
                : null;
    }

    /** All rows, or none. */
    record AllRows(long rows) implements CountPlan {
        @Override
        public long count(QueryContext context) {
            return rows;
        }

        @Override
        public String explain() {
            return "no row is looked at: the number of rows is known";
        }
    }

    /** As many rows as an index of a column counted. */
    record ByCounts(IndexedColumn column, long rows) implements CountPlan {
        @Override
        public long count(QueryContext context) {
            return rows;
        }

        @Override
        public String explain() {
            return "no row is looked at: " + column.name() + " has counts of its values";
        }
    }

    /** All rows of a table but others. */
    record Complement(int rows, CountPlan others) implements CountPlan {
        @Override
        public long count(QueryContext context) {
            return rows - others.count(context);
        }

        @Override
        public String explain() {
            return others.explain();
        }
    }

    /** Rows that are read to be counted. */
    record Read(RowPlan rows) implements CountPlan {
        @Override
        public long count(QueryContext context) {
            return rows.open(context).count();
        }

        @Override
        public String explain() {
            return rows.explain();
        }
    }

    /** Rows of an index of several columns, each of which counts as often as it stands for a row of the table. */
    record Weighted(RowPlan.Composite rows) implements CountPlan {
        @Override
        public long count(QueryContext context) {
            RowSource source = rows.open(context);
            return context.call(RowSorter.ROW_FACTOR * source.nanos(), () -> sum(source));
        }

        private long sum(RowSource source) {
            Longs weights = rows.index().weights();
            long[] sum = {0};
            RowBlocks.each(
                    source,
                    (some, count) -> {
                        for (int i = 0; i < count; i++) {
                            sum[0] += weights.get(some[i]);
                        }
                    });
            return sum[0];
        }

        @Override
        public String explain() {
            return rows.explain();
        }
    }

    /** The rows of a window of others. */
    record Cut(CountPlan all, Window window) implements CountPlan {
        @Override
        public long count(QueryContext context) {
            long left = Math.max(0, all.count(context) - window.offset());
            return Math.min(window.limit(), left);
        }

        @Override
        public String explain() {
            return all.explain();
        }
    }
}
