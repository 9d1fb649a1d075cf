package dev.penstock.snapshot.execute;

import dev.penstock.query.Aggregate;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Item;
import dev.penstock.query.Plan.Order;
import dev.penstock.query.Plan.Output;
import dev.penstock.query.Predicate;
import dev.penstock.query.Subquery;
import dev.penstock.query.Table;
import dev.penstock.snapshot.aggregate.GroupAggregation;
import dev.penstock.snapshot.aggregate.QueryResult;
import dev.penstock.snapshot.aggregate.ResultColumn;
import dev.penstock.snapshot.aggregate.RowGrouping;
import dev.penstock.snapshot.build.TableBuilder;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.index.ColumnNames;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.index.IndexedTable;
import dev.penstock.snapshot.memory.Memory;
import dev.penstock.snapshot.rows.Filter;
import dev.penstock.snapshot.rows.ParallelScan;
import dev.penstock.snapshot.rows.RowBlock;
import dev.penstock.snapshot.rows.RowList;
import dev.penstock.snapshot.rows.RowSorter;
import dev.penstock.snapshot.rows.RowSource;
import dev.penstock.snapshot.rows.SortKey;
import dev.penstock.snapshot.work.QueryContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** The execution of one plan on one version, nested plans first. Used by one thread. */
public final class Execution {
    private final Function<Table, IndexedTable> tables;
    private final Memory memory;
    private final QueryContext context;

    /**
     * @param tables gives what is in memory of a table that a plan names
     * @param memory what the rows that nested plans make are kept in
     * @param context asked now and then whether to go on
     */
    public Execution(Function<Table, IndexedTable> tables, Memory memory, QueryContext context) {
        this.tables = tables;
        this.memory = memory;
        this.context = context;
    }

    /** Returns the answer to a plan that was checked. Its subqueries are run first, each once. */
    public QueryResult answer(Plan checked) {
        Plan plan = Subquery.replaced(checked, this::withValues);
        PendingRows rows = rows(plan, false);
        return switch (Planner.plan(plan, rows, context)) {
            case PhysicalPlan.Rows(PendingRows from, List<Item> items, RowPlan found) ->
                    new QueryResult(cells(from.names(), items), found.open(context));
            case PhysicalPlan.Distinct distinct -> {
                PendingRows different = different(distinct);
                List<ResultColumn> cells = cells(different.names(), distinct.items());
                yield new QueryResult(cells, different.plan().open(context));
            }
            case PhysicalPlan.Count(CountPlan count) -> count(plan, rows, count);
            case PhysicalPlan.Groups groups -> groups(plan, rows, groups);
            case PhysicalPlan.Known(List<ResultColumn> values) ->
                    new QueryResult(values, new RowSource.Range(1, context));
        };
    }

    private Predicate.InSubquery withValues(Predicate.InSubquery in) {
        Plan plan = Subquery.replaced(in.subquery().plan(), this::withValues);
        return new Predicate.InSubquery(
                in.column(), SubqueryValues.of(plan, nested(plan, false), context));
    }

    private static List<ResultColumn> cells(ColumnNames names, List<Item> items) {
        return items.stream().map(item -> ResultColumn.of(names.column(item.column()))).toList();
    }

    /**
     * Returns the rows that a plan's output is made of.
     *
     * @param keyed whether rows that have no order are to be in that of their key
     */
    private PendingRows rows(Plan plan, boolean keyed) {
        PendingRows source =
                switch (plan.source()) {
                    case Table table -> table(table);
                    case Plan inner -> nested(inner, isOrderSeen(plan, inner, keyed));
                };
        return source.block(plan, context);
    }

    /** Returns whether a plan's answer depends on the order of the rows that it reads. */
    private static boolean isOrderSeen(Plan plan, Plan inner, boolean keyed) {
        if (plan.order().isEmpty()) {
            return keyed || !plan.slices().isEmpty();
        }
        // Different rows that are sorted by all of their columns have their order from that.
        return !(inner.output() instanceof Output.Distinct(List<Item> items))
                || !areSorted(items, plan.order());
    }

    private static boolean areSorted(List<Item> items, List<Order> by) {
        for (Item item : items) {
            if (by.stream().noneMatch(order -> order.column().equals(item.label()))) {
                return false;
            }
        }
        return true;
    }

    /** Returns all rows of a table. */
    PendingRows table(Table table) {
        return PendingRows.of(tables.apply(table));
    }

    /** Returns the answer to a nested plan, as rows of a table. */
    private PendingRows nested(Plan plan, boolean keyed) {
        PendingRows rows = rows(plan, keyed);
        return switch (plan.output()) {
            case Output.Columns(List<Item> items) -> rows.renamed(rows.names().renamed(items));
            case Output.Distinct(List<Item> items) -> {
                PendingRows firsts = different(Planner.distinct(rows, items));
                PendingRows different = firsts.renamed(firsts.names().renamed(items));
                yield keyed && !rows.ordered() ? byAll(different) : different;
            }
            case Output.Count() -> made(plan, count(plan, rows, Planner.count(rows).count()));
            case Output.Aggregation(List<Item> keys, List<Aggregate> values) -> {
                PhysicalPlan.Groups groups = Planner.groups(plan, rows, keys, values, context);
                PendingRows made = made(plan, groups(plan, rows, groups));
                yield keyed ? byAll(made) : made;
            }
        };
    }

    /** In the order of all columns, which is that of the key for rows that are all different. */
    private PendingRows byAll(PendingRows rows) {
        List<SortKey> keys = new ArrayList<>();
        for (IndexedColumn column : rows.names().columns()) {
            keys.add(new SortKey(column, new Order("", false, false), context));
        }
        RowList sorted = rows.fetched(context);
        new RowSorter(keys).sort(sorted.array(), sorted.size(), context);
        return rows.listed(sorted, false);
    }

    private PendingRows made(Plan plan, QueryResult answer) {
        Table table = new Table(null, plan.table().name(), plan.columns(), List.of(), false);
        long nanos = answer.rows().nanos() * plan.columns().size() * Filter.CELL_NANOS;
        return PendingRows.of(
                new IndexedTable(
                        context.call(nanos, () -> built(table, answer)), memory.forIndexes()));
    }

    private StoredTable built(Table table, QueryResult answer) {
        try (TableBuilder builder = new TableBuilder(table, memory);
                ResultCursor cursor = new ResultCursor(table.columns(), _ -> answer)) {
            return builder.addAll(cursor).build();
        }
    }

    /** Returns the first of the rows that are equal in some columns. */
    private PendingRows different(PhysicalPlan.Distinct distinct) {
        PendingRows from = distinct.from();
        RowGrouping grouping = GroupAggregation.grouping(from.names(), distinct.items(), context);
        RowSource source = distinct.rows().open(context);
        RowList firsts =
                context.call(
                        RowSorter.ROW_FACTOR * source.nanos(),
                        () -> {
                            RowBlock block = new RowBlock();
                            while (block.next(source)) {
                                int[] _ = grouping.assign(block);
                            }
                            return grouping.firsts();
                        });
        return from.listed(firsts, distinct.ordered());
    }

    private QueryResult count(Plan plan, PendingRows rows, CountPlan count) {
        List<RowSource> parts = count.isScan() ? parts(plan, rows) : List.of();
        Long counted =
                parts.isEmpty()
                        ? count.count(context)
                        : ParallelScan.each(parts, RowSource::count, context).stream()
                                .mapToLong(Long::longValue)
                                .sum();
        return new QueryResult(
                List.of(ResultColumn.of(plan.columns().getFirst(), _ -> counted)),
                new RowSource.Range(1, context));
    }

    private QueryResult groups(Plan plan, PendingRows rows, PhysicalPlan.Groups groups) {
        Supplier<GroupAggregation> aggregation =
                () ->
                        new GroupAggregation(
                                plan,
                                groups.keys(),
                                groups.values(),
                                groups.from().names(),
                                groups.weights(),
                                context);
        List<RowSource> parts = groups.isScan() ? parts(plan, rows) : List.of();
        if (!parts.isEmpty()) {
            return context.call(Long.MAX_VALUE, () -> together(plan, parts, aggregation));
        }
        RowSource source = groups.rows().open(context);
        int columns = groups.keys().size() + groups.values().size();
        return context.call(
                RowSorter.ROW_FACTOR * columns * source.nanos(),
                () -> {
                    GroupAggregation all = aggregation.get();
                    all.add(source);
                    return all.answer(plan, context);
                });
    }

    /** Returns what several threads make of the parts of a scan. */
    private QueryResult together(
            Plan plan, List<RowSource> parts, Supplier<GroupAggregation> groups) {
        List<GroupAggregation> each =
                ParallelScan.each(
                        parts,
                        part -> {
                            GroupAggregation some = groups.get();
                            some.add(part);
                            return some;
                        },
                        context);
        GroupAggregation all = each.getFirst();
        each.subList(1, each.size()).forEach(all::addAll);
        return all.answer(plan, context);
    }

    /** Returns the parts of a scan for several threads; none where one does it all. */
    private List<RowSource> parts(Plan plan, PendingRows rows) {
        int all = rows.table().rows();
        boolean isShared = context.isParallel() && ParallelScan.count(all) > 1;
        if (!isShared || !rows.isWhole() || !isOfTable(plan)) {
            return List.of();
        }
        boolean isOfCodes = rows.filter().addTo(new ArrayList<>());
        Supplier<Filter> filter = isOfCodes ? rows::filter : () -> rows(plan, false).filter();
        return ParallelScan.of(all, filter, ParallelScan.count(all), context);
    }

    /** Returns whether all blocks of a plan read rows of its table. */
    private static boolean isOfTable(Plan plan) {
        return switch (plan.source()) {
            case Table _ -> true;
            case Plan inner -> inner.output() instanceof Output.Columns && isOfTable(inner);
        };
    }
}
