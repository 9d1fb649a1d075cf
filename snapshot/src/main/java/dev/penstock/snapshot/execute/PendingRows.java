package dev.penstock.snapshot.execute;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Order;
import dev.penstock.query.Plan.Slice;
import dev.penstock.query.Predicate;
import dev.penstock.query.Window;
import dev.penstock.snapshot.column.CodeRange;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.index.ColumnNames;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.index.IndexedTable;
import dev.penstock.snapshot.index.RowIndex;
import dev.penstock.snapshot.rows.AccessPath;
import dev.penstock.snapshot.rows.Filter;
import dev.penstock.snapshot.rows.FilterCompiler;
import dev.penstock.snapshot.rows.OrderedIndexScan;
import dev.penstock.snapshot.rows.RowList;
import dev.penstock.snapshot.rows.RowSorter;
import dev.penstock.snapshot.rows.RowSource;
import dev.penstock.snapshot.rows.SortKey;
import dev.penstock.snapshot.work.QueryContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows that a block of a plan reads, not yet fetched: of a table, or of a list, those that pass a filter, sorted and cut. Immutable; for one thread, as filters
 * are.
 *
 * @param names what their columns are called
 * @param table whose rows they are
 * @param list some of the table's rows, in an order; null for all of them in theirs
 * @param filter which of them
 * @param keys what they are sorted by; none for the order that they have
 * @param slices what is cut off
 * @param ordered whether a plan asked for their order, so that it matters which of two equal rows comes first
 */
record PendingRows(
        ColumnNames names,
        IndexedTable table,
        @Nullable RowList list,
        Filter filter,
        List<SortKey> keys,
        List<Slice> slices,
        boolean ordered) {
    /** Up to so many rows are kept while all are read; for more, all are sorted. */
    private static final int MOST_KEPT = 100_000;

    /** A row that comes by an index takes about as long as so many that are scanned, and kept only where they are among the first. */
    private static final int WALK_COST = 8;

    PendingRows {
        requireNonNull(names);
        requireNonNull(table);
        requireNonNull(filter);
        keys = List.copyOf(keys);
        slices = List.copyOf(slices);
    }

    /** All rows of a table. */
    static PendingRows of(IndexedTable table) {
        return new PendingRows(
                table.names(), table, null, Filter.Constant.ALL, List.of(), List.of(), false);
    }

    /** Some rows in their order. */
    PendingRows listed(RowList some, boolean isOrdered) {
        return new PendingRows(
                names, table, some, Filter.Constant.ALL, List.of(), List.of(), isOrdered);
    }

    PendingRows renamed(ColumnNames others) {
        return new PendingRows(others, table, list, filter, keys, slices, ordered);
    }

    /** Whether a plan's block reads these rows without their being fetched before. */
    boolean takes(Plan plan) {
        return slices.isEmpty() || (plan.filter().equals(Predicate.ALL) && plan.order().isEmpty());
    }

    /** What is left of the rows by a plan's filter, in its order, cut by its slices. */
    PendingRows block(Plan plan, QueryContext run) {
        PendingRows level = takes(plan) ? this : listed(fetched(run), ordered);
        List<SortKey> sorted = new ArrayList<>();
        for (Order order : plan.order()) {
            sorted.add(SortKey.of(names.column(order.column()), order, run));
        }
        sorted.addAll(level.keys);
        List<Slice> cuts = new ArrayList<>(level.slices);
        cuts.addAll(plan.slices());
        Filter both = Filter.and(level.filter, new FilterCompiler(names).filter(plan.filter()));
        boolean isOrdered = ordered || !plan.order().isEmpty();
        return new PendingRows(names, table, level.list, both, sorted, cuts, isOrdered);
    }

    /** Whether they are all rows of a table that pass the filter, in whatever order. */
    boolean isWhole() {
        return list == null && slices.isEmpty();
    }

    /** The rows, in their order. */
    RowSource source(QueryContext run) {
        Window window = Window.of(slices);
        return RowSource.windowed(keys.isEmpty() ? unsorted(run) : sorted(window, run), window);
    }

    /** The rows in their order, at least those that the window leaves. */
    private RowSource sorted(Window window, QueryContext run) {
        long most = window.isLimited() ? window.offset() + window.limit() : Long.MAX_VALUE;
        most = most < 0 ? Long.MAX_VALUE : most;
        if (most == 0) {
            return new RowSource.Range(0, run);
        }
        IndexedColumn column = keys.getFirst().column();
        RowIndex index = isWalked(most) ? column.index() : null;
        if (index != null) {
            int nulls = column.coding().nulls();
            return new OrderedIndexScan(keys, index, nulls, filter, run);
        }
        RowSorter order = new RowSorter(keys);
        RowList sorted;
        if (most <= MOST_KEPT) {
            sorted = order.first(unsorted(run), (int) most, run);
        } else {
            sorted = listed(unsorted(run), run);
            order.sort(sorted.array(), sorted.size(), run);
        }
        return new RowSource.Listed(sorted, Filter.Constant.ALL, run);
    }

    /** Whether the first rows are found sooner by the index of what they are sorted by than by looking at all. */
    boolean isWalked(long most) {
        if (keys.isEmpty() || list != null || table.rows() <= StoredTable.BLOCK_ROWS) {
            return false;
        }
        SortKey first = keys.getFirst();
        IndexedColumn column = first.column();
        return first.isCoded()
                && !first.hasEquals()
                && column.mayHaveIndex()
                && pays(column, most)
                && column.hasIndex();
    }

    private boolean pays(IndexedColumn column, long most) {
        long rows = table.rows();
        CodeRange values = column.coding().values();
        double different = Math.max(1.0, (double) values.greatest() - (double) values.least() + 1);
        double passing = Math.max(1, AccessPath.estimate(table.rows(), filter));
        double walked = Math.min((double) rows, (double) most * (rows / passing));
        double sorting = most <= MOST_KEPT ? (double) rows : rows + passing * WALK_COST * 4;
        // A group is sorted whole by the other columns.
        double groups = keys.size() > 1 ? 2 * rows / different : 0;
        return (walked + groups) * WALK_COST < sorting;
    }

    /** The rows in any order, where it does not matter which are cut off. */
    RowSource inAnyOrder(QueryContext run) {
        return slices.isEmpty() ? unsorted(run) : source(run);
    }

    long count(QueryContext run) {
        Window window = Window.of(slices);
        long all =
                list == null ? AccessPath.count(table.rows(), filter, run) : unsorted(run).count();
        return Math.min(window.limit(), Math.max(0, all - window.offset()));
    }

    private RowSource unsorted(QueryContext run) {
        return list == null
                ? AccessPath.of(table.rows(), filter).source(run)
                : new RowSource.Listed(list, filter, run);
    }

    /** The rows as a list. */
    RowList fetched(QueryContext run) {
        return listed(source(run), run);
    }

    private static RowList listed(RowSource source, QueryContext run) {
        return run.call(
                RowSorter.ROW_FACTOR * source.nanos(), () -> RowList.of(source, run.room()));
    }
}
