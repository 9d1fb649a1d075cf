package dev.penstock.snapshot.execute;

import dev.penstock.query.Window;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.rows.Filter;
import dev.penstock.snapshot.rows.RowBlock;
import dev.penstock.snapshot.rows.RowSorter;
import dev.penstock.snapshot.rows.RowSource;
import dev.penstock.snapshot.work.QueryContext;

/**
 * The way in which rows are counted, decided once: what is run, and what an explanation prints. Immutable; for one
 * thread, as filters are.
 */
sealed interface CountPlan {
    /** Counts the rows. */
    default long count(QueryContext context) {
        return switch (this) {
            case AllRows(long rows) -> rows;
            case ByCounts(_, long rows) -> rows;
            case Complement(int rows, CountPlan others) -> rows - others.count(context);
            case Read(RowPlan rows) -> rows.open(context).count();
            case Weighted weighted -> weighted.sum(context);
            case Cut(CountPlan all, Window window) -> {
                long left = Math.max(0, all.count(context) - window.offset());
                yield Math.min(window.limit(), left);
            }
        };
    }

    /** Says in words how they are counted. */
    default String explain() {
        return switch (this) {
            case AllRows _ -> "no row is looked at: the number of rows is known";
            case ByCounts(IndexedColumn column, _) ->
                    "no row is looked at: " + column.name() + " has counts of its values";
            case Complement(_, CountPlan others) -> others.explain();
            case Read(RowPlan rows) -> rows.explain();
            case Weighted(RowPlan.Composite rows) -> rows.explain();
            case Cut(CountPlan all, _) -> all.explain();
        };
    }

    /** Returns whether all rows of a table are looked at, so that several threads may share them. */
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
            case Filter.InCodes codes -> {
                long count = AccessPath.count(codes);
                yield count >= 0
                        ? new ByCounts(codes.column(), count)
                        : new Read(AccessPath.scan(rows, codes, Long.MAX_VALUE));
            }
            case Filter.ByRow _, Filter.All _, Filter.Any _ ->
                    new Read(AccessPath.of(rows, filter, Long.MAX_VALUE));
        };
    }

    /** A count of all rows, or none. */
    record AllRows(long rows) implements CountPlan {}

    /** A count that an index of a column has made. */
    record ByCounts(IndexedColumn column, long rows) implements CountPlan {}

    /** A count of all rows of a table but others. */
    record Complement(int rows, CountPlan others) implements CountPlan {}

    /** A count of rows that are read for it. */
    record Read(RowPlan rows) implements CountPlan {}

    /**
     * A count of rows of an index of several columns, each of which counts as often as it stands for a row of the
     * table.
     */
    record Weighted(RowPlan.Composite rows) implements CountPlan {
        private long sum(QueryContext context) {
            RowSource source = rows.open(context);
            Longs weights = rows.index().weights();
            return context.call(
                    RowSorter.ROW_FACTOR * source.nanos(),
                    () -> {
                        long[] sum = {0};
                        RowBlock.each(
                                source,
                                (some, count) -> {
                                    for (int i = 0; i < count; i++) {
                                        sum[0] += weights.get(some[i]);
                                    }
                                });
                        return sum[0];
                    });
        }
    }

    /** A count of the rows of a window of others. */
    record Cut(CountPlan all, Window window) implements CountPlan {}
}
