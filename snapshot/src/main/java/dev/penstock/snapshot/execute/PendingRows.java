package dev.penstock.snapshot.execute;

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
import dev.penstock.snapshot.rows.Filter;
import dev.penstock.snapshot.rows.FilterCompiler;
import dev.penstock.snapshot.rows.RowList;
import dev.penstock.snapshot.rows.RowSorter;
import dev.penstock.snapshot.rows.RowSource;
import dev.penstock.snapshot.rows.SortKey;
import dev.penstock.snapshot.work.QueryContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows that a block of a plan reads, not yet fetched: of a table, or of a list, those that pass a filter, sorted and
 * cut. Immutable; for one thread, as filters are.
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
    /**
     * A row that comes by an index takes about as long as so many that are scanned, and kept only where they are among
     * the first.
     */
    private static final int ORDERED_ROW_COST = 8;

    PendingRows {
        keys = List.copyOf(keys);
        slices = List.copyOf(slices);
    }

    /** Returns all rows of a table. */
    static PendingRows of(IndexedTable table) {
        return new PendingRows(
                table.names(), table, null, Filter.Constant.ALL, List.of(), List.of(), false);
    }

    /** Returns some rows in their order. */
    PendingRows listed(RowList some, boolean isOrdered) {
        return new PendingRows(
                names, table, some, Filter.Constant.ALL, List.of(), List.of(), isOrdered);
    }

    PendingRows renamed(ColumnNames others) {
        return new PendingRows(others, table, list, filter, keys, slices, ordered);
    }

    /** Returns whether a plan's block reads these rows without their being fetched before. */
    boolean takes(Plan plan) {
        return slices.isEmpty() || (plan.filter().equals(Predicate.ALL) && plan.order().isEmpty());
    }

    /** Returns what is left of the rows by a plan's filter, in its order, cut by its slices. */
    PendingRows block(Plan plan, QueryContext context) {
        PendingRows rows = takes(plan) ? this : listed(fetched(context), ordered);
        List<SortKey> sorted = new ArrayList<>();
        for (Order order : plan.order()) {
            sorted.add(new SortKey(names.column(order.column()), order, context));
        }
        sorted.addAll(rows.keys);
        List<Slice> cuts = new ArrayList<>(rows.slices);
        cuts.addAll(plan.slices());
        Filter both =
                Filter.and(rows.filter, new FilterCompiler(names, context).filter(plan.filter()));
        boolean isOrdered = ordered || !plan.order().isEmpty();
        return new PendingRows(names, table, rows.list, both, sorted, cuts, isOrdered);
    }

    /** Returns whether they are all rows of a table that pass the filter, in whatever order. */
    boolean isWhole() {
        return list == null && slices.isEmpty();
    }

    /** Decides how the rows come in their order, at least those that the window leaves. */
    RowPlan plan() {
        Window window = Window.of(slices);
        long most = window.isLimited() ? window.offset() + window.limit() : Long.MAX_VALUE;
        most = most < 0 ? Long.MAX_VALUE : most;
        if (most == 0) {
            return new RowPlan.Nothing();
        }
        RowPlan rows = keys.isEmpty() ? unsorted(most) : sorted(window, most);
        return window.equals(Window.ALL) ? rows : new RowPlan.Cut(rows, window);
    }

    /** Decides how the rows come in any order, where it does not matter which are cut off. */
    RowPlan planInAnyOrder() {
        return slices.isEmpty() ? unsorted(Long.MAX_VALUE) : plan();
    }

    /** Decides how the rows are counted. */
    CountPlan countPlan() {
        Window window = Window.of(slices);
        CountPlan all =
                list == null
                        ? CountPlan.of(table.rows(), filter)
                        : new CountPlan.Read(unsorted(Long.MAX_VALUE));
        return window.equals(Window.ALL) ? all : new CountPlan.Cut(all, window);
    }

    private RowPlan unsorted(long most) {
        return list == null
                ? AccessPath.of(table.rows(), filter, most)
                : new RowPlan.Listed(list, filter);
    }

    private RowPlan sorted(Window window, long most) {
        if (mayReadInOrder()) {
            IndexPart part = IndexPart.of(table.rows(), filter, keys.getFirst().column());
            // Without a filter, what is skipped is not looked at.
            long read = part.left().equals(Filter.Constant.ALL) ? window.limit() : most;
            double passing = Math.max(1, AccessPath.estimate(table.rows(), filter));
            double touched = Math.min((double) part.rows(), read * (part.rows() / passing));
            if (isReadInOrder(touched, passing, most)) {
                return new RowPlan.IndexOrder(table.rows(), keys, part, touched);
            }
        }
        return new RowPlan.Sorted(unsorted(Long.MAX_VALUE), keys, most);
    }

    private boolean mayReadInOrder() {
        SortKey first = keys.getFirst();
        return list == null
                && table.rows() > StoredTable.BLOCK_ROWS
                && first.isCoded()
                && !first.hasEquals()
                && first.column().mayHaveIndex();
    }

    /**
     * Returns whether the first rows are found sooner by the index of what they are sorted by than by looking at all.
     */
    private boolean isReadInOrder(double touched, double passing, long most) {
        IndexedColumn column = keys.getFirst().column();
        CodeRange values = column.coding().values();
        double different = Math.max(1.0, (double) values.greatest() - (double) values.least() + 1);
        double rows = table.rows();
        double found = Math.min(rows, AccessPath.least(filter, column) * ORDERED_ROW_COST);
        double sorting =
                most <= RowPlan.Sorted.MOST_KEPT ? found : found + passing * ORDERED_ROW_COST * 4;
        // A group is sorted whole by the other columns.
        double groups = keys.size() > 1 ? 2 * rows / different : 0;
        return (touched + groups) * ORDERED_ROW_COST < sorting && column.hasIndex();
    }

    /** Returns the rows as a list. */
    RowList fetched(QueryContext context) {
        return fetched(plan().open(context), context);
    }

    static RowList fetched(RowSource source, QueryContext context) {
        return context.call(
                RowSorter.ROW_FACTOR * source.nanos(),
                () -> RowList.of(source, context.reservation()));
    }
}
