package dev.penstock.snapshot.aggregate;

import dev.penstock.query.Aggregate;
import dev.penstock.query.Column;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Item;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.index.ColumnNames;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.memory.Longs;
import dev.penstock.snapshot.rows.RowBlock;
import dev.penstock.snapshot.rows.RowList;
import dev.penstock.snapshot.rows.RowSource;
import dev.penstock.snapshot.work.QueryContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows in groups, with the values that are made of each: what a plan's aggregation comes to. Used by one thread. */
public final class GroupAggregation {
    private final ColumnNames names;
    private final List<Item> keys;
    private final List<Accumulator> values;
    private final RowGrouping grouping;
    private final QueryContext context;
    private final int bytesAGroup;

    /** Zeros: the group of each row of a block where there is no key. */
    private int[] only = new int[0];

    /** How many groups' bytes were reserved. */
    private int paid;

    /**
     * @param plan whose output is aggregates
     * @param names the columns that it speaks of
     * @param weights how often each row counts; null for once
     * @param context of the query, which counts what it takes of the heap
     */
    public GroupAggregation(
            Plan plan,
            List<Item> keys,
            List<Aggregate> values,
            ColumnNames names,
            @Nullable Longs weights,
            QueryContext context) {
        this.names = names;
        this.keys = keys;
        this.context = context;
        Accumulators aggregation =
                new Accumulators(plan.source(), names, plan.table().name(), weights, context);
        this.values = values.stream().map(aggregation::accumulator).toList();
        grouping = grouping(names, keys, context);
        bytesAGroup =
                keys.size() * Long.BYTES
                        + this.values.stream().mapToInt(Accumulator::bytesAGroup).sum();
    }

    public static RowGrouping grouping(ColumnNames names, List<Item> items, QueryContext context) {
        List<IndexedColumn> columns = new ArrayList<>();
        items.forEach(item -> columns.add(names.column(item.column())));
        return new RowGrouping(columns, context);
    }

    /** Returns how many groups there are; without a key there is one, even of no rows. */
    private int size() {
        return keys.isEmpty() ? 1 : grouping.size();
    }

    /** Reserves bytes for the groups that there are by now, and for as many again. */
    private void pay() {
        if (size() > paid) {
            int more = Accumulator.capacity(paid, size());
            context.reservation().take((long) (more - paid) * bytesAGroup);
            paid = more;
        }
    }

    /** Takes rows in. */
    public void add(RowSource rows) {
        RowBlock block = new RowBlock();
        while (block.next(rows)) {
            add(block);
        }
    }

    private void add(RowBlock rows) {
        if (keys.isEmpty()) {
            only = RowBlock.sized(only, rows.count());
        }
        int[] groups = keys.isEmpty() ? only : grouping.assign(rows);
        pay();
        boolean isOneGroup = keys.isEmpty() || grouping.isOneGroup();
        for (Accumulator value : values) {
            value.add(rows, groups, size(), isOneGroup);
        }
    }

    /** Takes in the groups of rows that come after all of these. */
    public void addAll(GroupAggregation other) {
        int[] here = keys.isEmpty() ? new int[1] : grouping.addAll(other.grouping);
        pay();
        for (int i = 0; i < values.size(); i++) {
            context.check();
            values.get(i).addAll(other.values.get(i), here, size());
        }
    }

    /** Returns a row for each group. */
    public QueryResult answer(Plan plan, QueryContext context) {
        List<Column> labels = plan.columns();
        List<ResultColumn> cells = new ArrayList<>();
        keys.forEach(key -> cells.add(firstCells(names.column(key.column()))));
        for (int i = 0; i < values.size(); i++) {
            cells.add(values.get(i).cells(labels.get(keys.size() + i), size()));
        }
        return new QueryResult(cells, new RowSource.Range(size(), context));
    }

    /** Returns the keys of the groups, each of which is that of any of its rows. */
    private ResultColumn firstCells(IndexedColumn column) {
        RowList firsts = grouping.firsts();
        StoredColumn stored = column.stored();
        return new ResultColumn(column.reader(), group -> stored.cell(firsts.get(group)), null);
    }
}
