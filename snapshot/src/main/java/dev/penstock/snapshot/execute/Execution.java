package dev.penstock.snapshot.execute;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Aggregate;
import dev.penstock.query.Column;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Item;
import dev.penstock.query.Plan.Order;
import dev.penstock.query.Plan.Output;
import dev.penstock.query.Table;
import dev.penstock.snapshot.aggregate.Accumulators;
import dev.penstock.snapshot.aggregate.GroupAggregation;
import dev.penstock.snapshot.aggregate.NumberResultColumn;
import dev.penstock.snapshot.aggregate.QueryResult;
import dev.penstock.snapshot.aggregate.ResultColumn;
import dev.penstock.snapshot.aggregate.RowGrouping;
import dev.penstock.snapshot.aggregate.StoredResultColumn;
import dev.penstock.snapshot.build.TableBuilder;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.index.ColumnNames;
import dev.penstock.snapshot.index.CompositeIndex;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.index.IndexedTable;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.memory.Memory;
import dev.penstock.snapshot.rows.AccessPath;
import dev.penstock.snapshot.rows.Filter;
import dev.penstock.snapshot.rows.ParallelScan;
import dev.penstock.snapshot.rows.RowBlocks;
import dev.penstock.snapshot.rows.RowList;
import dev.penstock.snapshot.rows.RowSorter;
import dev.penstock.snapshot.rows.RowSource;
import dev.penstock.snapshot.rows.SortKey;
import dev.penstock.snapshot.work.QueryContext;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers one plan, whose nested ones come first. Used by one thread. */
public final class Execution {
    private final Function<Table, IndexedTable> tables;
    private final Memory memory;
    private final QueryContext run;

    /**
     * @param tables gives what is in memory of a table that a plan names
     * @param memory what the rows that nested plans make are kept in
     * @param run asked now and then whether to go on
     */
    public Execution(Function<Table, IndexedTable> tables, Memory memory, QueryContext run) {
        this.tables = requireNonNull(tables);
        this.memory = requireNonNull(memory);
        this.run = requireNonNull(run);
    }

    /** The answer to a plan that was checked. */
    public QueryResult answer(Plan plan) {
        PendingRows rows = rows(plan, false);
        return switch (plan.output()) {
            case Output.Columns(List<Item> items) ->
                    new QueryResult(cells(plan, rows.names(), items), rows.source(run));
            case Output.Distinct(List<Item> items) -> {
                PendingRows different = different(rows, items);
                yield new QueryResult(cells(plan, different.names(), items), different.source(run));
            }
            case Output.Count() -> count(plan, rows);
            case Output.Aggregates(List<Item> keys, List<Aggregate> values) ->
                    groups(plan, rows, keys, values);
        };
    }

    private static List<ResultColumn> cells(Plan plan, ColumnNames names, List<Item> items) {
        List<Column> labels = plan.columns();
        List<ResultColumn> cells = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            cells.add(StoredResultColumn.of(labels.get(i), names.column(items.get(i).column())));
        }
        return cells;
    }

    /**
     * The rows that a plan's output is made of.
     *
     * @param keyed whether rows that have no order are to be in that of their key
     */
    private PendingRows rows(Plan plan, boolean keyed) {
        boolean sorts = !plan.order().isEmpty() || !plan.slices().isEmpty();
        PendingRows source =
                switch (plan.source()) {
                    case Table table -> table(table);
                    case Plan inner -> nested(inner, keyed || sorts);
                };
        return source.block(plan, run);
    }

    /** All rows of a table. */
    PendingRows table(Table table) {
        return PendingRows.of(tables.apply(table));
    }

    /** The answer to a nested plan, as rows of a table. */
    private PendingRows nested(Plan plan, boolean keyed) {
        PendingRows rows = rows(plan, keyed);
        return switch (plan.output()) {
            case Output.Columns(List<Item> items) -> rows.renamed(rows.names().renamed(items));
            case Output.Distinct(List<Item> items) -> {
                PendingRows firsts = different(rows, items);
                PendingRows different = firsts.renamed(firsts.names().renamed(items));
                yield keyed && !rows.ordered() ? byAll(different) : different;
            }
            case Output.Count() -> made(plan, count(plan, rows));
            case Output.Aggregates(List<Item> keys, List<Aggregate> values) -> {
                PendingRows made = made(plan, groups(plan, rows, keys, values));
                yield keyed ? byAll(made) : made;
            }
        };
    }

    /** In the order of all columns, which is that of the key for rows that are all different. */
    private PendingRows byAll(PendingRows level) {
        List<SortKey> keys = new ArrayList<>();
        for (IndexedColumn column : level.names().columns()) {
            keys.add(SortKey.of(column, new Order("", false, false), run));
        }
        RowList sorted = level.fetched(run);
        new RowSorter(keys).sort(sorted.array(), sorted.size(), run);
        return level.listed(sorted, false);
    }

    private PendingRows made(Plan plan, QueryResult answer) {
        Table table = new Table(null, plan.table().name(), plan.columns(), List.of(), false);
        long nanos = answer.rows().nanos() * plan.columns().size() * Filter.CELL_NANOS;
        return PendingRows.of(
                new IndexedTable(run.call(nanos, () -> built(table, answer)), memory.forIndexes()));
    }

    private StoredTable built(Table table, QueryResult answer) {
        try (TableBuilder builder = new TableBuilder(table, memory);
                ResultCursor cursor = new ResultCursor(table.columns(), _ -> answer)) {
            return builder.addAll(cursor).build();
        }
    }

    /**
     * Rows that stand for all of a level's.
     *
     * @param rows the level's own, or those of an index of several columns
     * @param weights how many each stands for; null for one
     */
    record Weighed(PendingRows rows, @Nullable Longs weights) {}

    /** By the index of all columns that are looked at, where there is one. */
    private static Weighed weighed(PendingRows rows, List<IndexedColumn> looked) {
        Weighed single = new Weighed(rows, null);
        if (!rows.isWhole() || !rows.filter().addTo(looked)) {
            return single;
        }
        CompositeIndex summary = rows.table().summary(List.copyOf(new LinkedHashSet<>(looked)));
        Filter filter = summary == null ? null : rows.filter().on(summary.columns());
        if (summary == null || filter == null) {
            return single;
        }
        PendingRows few =
                new PendingRows(
                        rows.names().replaced(summary.columns()),
                        summary.table(),
                        null,
                        filter,
                        List.of(),
                        List.of(),
                        false);
        return new Weighed(few, summary.weights());
    }

    /** The first of the rows that are equal in these columns. */
    private PendingRows different(PendingRows rows, List<Item> items) {
        PendingRows few = weighedDistinct(rows, items).rows();
        RowGrouping grouping = GroupAggregation.grouping(few.names(), items, run.room());
        RowSource source = rows.ordered() ? few.source(run) : few.inAnyOrder(run);
        RowList firsts =
                run.call(
                        RowSorter.ROW_FACTOR * source.nanos(),
                        () -> {
                            RowBlocks.each(source, grouping::assign);
                            return grouping.firsts();
                        });
        return few.listed(firsts, rows.ordered());
    }

    private QueryResult count(Plan plan, PendingRows rows) {
        Weighed weighed = weighedCount(rows);
        Longs weights = weighed.weights();
        Long count =
                weights == null
                        ? counted(plan, rows)
                        : sum(weighed.rows().source(run), weights, run);
        return new QueryResult(
                List.of(new NumberResultColumn(plan.columns().getFirst(), _ -> count)),
                new RowSource.Range(1, run));
    }

    private long counted(Plan plan, PendingRows rows) {
        int all = rows.table().rows();
        List<RowSource> parts =
                run.isParallel() && ParallelScan.count(all) > 1
                        ? parts(plan, rows, AccessPath.isScanned(all, rows.filter()))
                        : List.of();
        return parts.isEmpty()
                ? rows.count(run)
                : ParallelScan.each(parts, RowSource::count, run).stream()
                        .mapToLong(Long::longValue)
                        .sum();
    }

    /** What different rows are found among. Where rows have an order, the first of equal ones is wanted. */
    static Weighed weighedDistinct(PendingRows rows, List<Item> items) {
        List<IndexedColumn> looked = new ArrayList<>();
        items.forEach(item -> looked.add(rows.names().column(item.column())));
        return rows.ordered() ? new Weighed(rows, null) : weighed(rows, looked);
    }

    /** What a count is made of. A single column has its own counts. */
    static Weighed weighedCount(PendingRows rows) {
        boolean several =
                rows.filter() instanceof Filter.All || rows.filter() instanceof Filter.Any;
        return several ? weighed(rows, new ArrayList<>()) : new Weighed(rows, null);
    }

    private static long sum(RowSource rows, Longs weights, QueryContext run) {
        return run.call(RowSorter.ROW_FACTOR * rows.nanos(), () -> sum(rows, weights));
    }

    private static long sum(RowSource rows, Longs weights) {
        long[] sum = {0};
        RowBlocks.each(
                rows,
                (some, count) -> {
                    for (int i = 0; i < count; i++) {
                        sum[0] += weights.get(some[i]);
                    }
                });
        return sum[0];
    }

    private QueryResult groups(
            Plan plan, PendingRows rows, List<Item> keys, List<Aggregate> values) {
        Weighed weighed = weighed(plan, rows, keys, values);
        ColumnNames names = weighed.rows().names();
        Supplier<GroupAggregation> groups =
                () ->
                        new GroupAggregation(
                                plan, keys, values, names, weighed.weights(), run.room());
        List<RowSource> parts =
                run.isParallel()
                                && weighed.weights() == null
                                && ParallelScan.count(rows.table().rows()) > 1
                        ? parts(
                                plan,
                                rows,
                                AccessPath.of(rows.table().rows(), rows.filter()).isScan())
                        : List.of();
        if (parts.isEmpty()) {
            RowSource source = weighed.rows().inAnyOrder(run);
            return run.call(
                    RowSorter.ROW_FACTOR * (keys.size() + values.size()) * source.nanos(),
                    () -> {
                        GroupAggregation all = groups.get();
                        all.add(source);
                        return all.answer(plan, run);
                    });
        }
        return run.call(Long.MAX_VALUE, () -> together(plan, parts, groups));
    }

    /** What several threads make of the parts of a scan. */
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
                        run);
        GroupAggregation all = each.getFirst();
        each.subList(1, each.size()).forEach(all::addAll);
        return all.answer(plan, run);
    }

    /** The parts of a scan for several threads; none where one does it all. */
    private List<RowSource> parts(Plan plan, PendingRows rows, boolean scans) {
        if (!scans || !rows.isWhole() || !isOfTable(plan)) {
            return List.of();
        }
        boolean shared = rows.filter().addTo(new ArrayList<>());
        Supplier<Filter> filter = shared ? rows::filter : () -> rows(plan, false).filter();
        int count = rows.table().rows();
        return ParallelScan.of(count, filter, ParallelScan.count(count), run);
    }

    /** Whether all blocks of a plan read rows of its table. */
    private static boolean isOfTable(Plan plan) {
        return switch (plan.source()) {
            case Table _ -> true;
            case Plan inner -> inner.output() instanceof Output.Columns && isOfTable(inner);
        };
    }

    /** What an aggregation is made of. */
    static Weighed weighed(Plan plan, PendingRows rows, List<Item> keys, List<Aggregate> values) {
        Accumulators aggregation =
                new Accumulators(plan.source(), rows.names(), plan.table().name(), null);
        List<IndexedColumn> looked = new ArrayList<>();
        keys.forEach(key -> looked.add(rows.names().column(key.column())));
        for (Aggregate value : values) {
            List<IndexedColumn> columns = aggregation.weighed(value);
            if (columns == null) {
                return new Weighed(rows, null);
            }
            looked.addAll(columns);
        }
        return weighed(rows, looked);
    }
}
