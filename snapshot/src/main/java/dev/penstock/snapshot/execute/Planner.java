package dev.penstock.snapshot.execute;

import dev.penstock.query.Aggregate;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Item;
import dev.penstock.query.Plan.Output;
import dev.penstock.snapshot.aggregate.Accumulators;
import dev.penstock.snapshot.index.CompositeIndex;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.rows.Filter;
import dev.penstock.snapshot.work.QueryContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decisions how a plan's output is made of pending rows. Indexes that pay are built as it decides, unless the plan
 * is only explained.
 */
final class Planner {
    private Planner() {}

    /** Decides for any output. */
    static PhysicalPlan plan(Plan plan, PendingRows rows, QueryContext context) {
        return switch (plan.output()) {
            case Output.Columns(List<Item> items) ->
                    new PhysicalPlan.Rows(rows, items, rows.plan());
            case Output.Distinct(List<Item> items) -> distinct(rows, items);
            case Output.Count() -> count(rows);
            case Output.Aggregation(List<Item> keys, List<Aggregate> values) -> {
                PhysicalPlan known =
                        keys.isEmpty() ? KnownAggregates.of(plan, rows, values, context) : null;
                yield known == null ? groups(plan, rows, keys, values, context) : known;
            }
        };
    }

    /** Decides for different rows. Where rows have an order, the first of equal ones is wanted. */
    static PhysicalPlan.Distinct distinct(PendingRows rows, List<Item> items) {
        List<IndexedColumn> columns = new ArrayList<>();
        items.forEach(item -> columns.add(rows.names().column(item.column())));
        Choice choice = rows.ordered() ? null : composite(rows, columns);
        if (choice != null) {
            return new PhysicalPlan.Distinct(choice.from, items, choice.rows, false);
        }
        RowPlan found = rows.ordered() ? rows.plan() : rows.planInAnyOrder();
        return new PhysicalPlan.Distinct(rows, items, found, rows.ordered());
    }

    /** Decides for a count. A single column has its own counts. */
    static PhysicalPlan.Count count(PendingRows rows) {
        boolean several =
                rows.filter() instanceof Filter.All || rows.filter() instanceof Filter.Any;
        Choice choice = several ? composite(rows, new ArrayList<>()) : null;
        CountPlan count =
                switch (choice == null ? null : choice.rows) {
                    case null -> rows.countPlan();
                    case RowPlan.Composite composite -> new CountPlan.Weighted(composite);
                    case RowPlan other -> new CountPlan.Read(other);
                };
        return new PhysicalPlan.Count(count);
    }

    /** Decides for an aggregation. */
    static PhysicalPlan.Groups groups(
            Plan plan,
            PendingRows rows,
            List<Item> keys,
            List<Aggregate> values,
            QueryContext context) {
        List<IndexedColumn> columns = columns(plan, rows, keys, values, context);
        Choice choice = columns == null ? null : composite(rows, columns);
        return choice == null
                ? new PhysicalPlan.Groups(rows, keys, values, rows.planInAnyOrder(), null)
                : new PhysicalPlan.Groups(
                        choice.from,
                        keys,
                        values,
                        choice.rows,
                        choice.rows instanceof RowPlan.Composite(_, CompositeIndex index)
                                ? index.weights()
                                : null);
    }

    /** Returns the columns that an aggregation is made of; null where a row of an index can't stand for several. */
    private static @Nullable List<IndexedColumn> columns(
            Plan plan,
            PendingRows rows,
            List<Item> keys,
            List<Aggregate> values,
            QueryContext context) {
        Accumulators accumulators =
                new Accumulators(plan.source(), rows.names(), plan.table().name(), null, context);
        List<IndexedColumn> columns = new ArrayList<>();
        keys.forEach(key -> columns.add(rows.names().column(key.column())));
        for (Aggregate value : values) {
            List<IndexedColumn> weighed = accumulators.weighed(value);
            if (weighed == null) {
                return null;
            }
            columns.addAll(weighed);
        }
        return columns;
    }

    /**
     * An index of several columns that is read instead of a table.
     *
     * @param from the pending rows of the index, or where it is not built those of the table
     * @param rows how they are read
     */
    private record Choice(PendingRows from, RowPlan rows) {}

    /** Chooses the index of all columns that are looked at, where it can be had. */
    private static @Nullable Choice composite(PendingRows rows, List<IndexedColumn> looked) {
        if (!rows.isWhole() || !rows.filter().addTo(looked)) {
            return null;
        }
        CompositeIndex index = rows.table().composite(looked);
        Filter filter = index == null ? null : rows.filter().on(index.columns());
        if (index == null || filter == null) {
            String name = index == null ? rows.table().compositeToBuild(looked) : null;
            return name == null ? null : new Choice(rows, new RowPlan.CompositeToBuild(name));
        }
        PendingRows few =
                new PendingRows(
                        rows.names().replaced(index.columns()),
                        index.table(),
                        null,
                        filter,
                        List.of(),
                        List.of(),
                        false);
        return new Choice(few, new RowPlan.Composite(few.plan(), index));
    }
}
