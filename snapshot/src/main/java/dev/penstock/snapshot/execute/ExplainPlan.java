package dev.penstock.snapshot.execute;

import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Item;
import dev.penstock.query.Plan.Output;
import dev.penstock.query.Predicate;
import dev.penstock.query.Subquery;
import dev.penstock.query.TruthTest;
import dev.penstock.snapshot.aggregate.GroupAggregation;
import dev.penstock.snapshot.aggregate.RowGrouping;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.rows.Filter;
import dev.penstock.snapshot.rows.SubqueryFilter;
import dev.penstock.snapshot.work.IndexesToBuild;
import dev.penstock.snapshot.work.QueryContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/**
 * The explanation of a plan: its physical plan in words, as far as it is known before a row is read, and which indexes
 * would be built. Used once.
 */
public final class ExplainPlan {
    private final Execution execution;
    private final QueryContext context = new QueryContext();
    private final IndexesToBuild indexes = new IndexesToBuild();

    public ExplainPlan(Execution execution) {
        this.execution = execution;
    }

    /** Returns how the rows are found, and what is built before; nothing is built here. */
    public List<String> notes(Plan plan) {
        List<String> notes = new ArrayList<>();
        Subquery.each(
                plan,
                in -> {
                    Plan subquery = in.subquery().plan();
                    new ExplainPlan(execution)
                            .notes(subquery)
                            .forEach(note ->
                                    notes.add("the values for " + in.column() + ": " + note));
                });
        boolean isAssumed = !notes.isEmpty();
        Plan assumed =
                Subquery.replaced(
                        plan,
                        in ->
                                new Predicate.InSubquery(
                                        in.column(), new AssumedValues(in.subquery().plan())));
        notes.addAll(indexes.noted(() -> found(assumed)));
        notes.addAll(indexes.notes());
        if (isAssumed) {
            notes.add("where the values are few, an index finds the rows that have them");
        }
        return notes;
    }

    /** The values of a subquery that is not run. */
    private record AssumedValues(Plan plan) implements SubqueryFilter {
        @Override
        public Filter filter(IndexedColumn column) {
            return new Filter.ByRow(_ -> true, Filter.CODE_NANOS);
        }

        @Override
        public Filter tested(IndexedColumn column, TruthTest test, Supplier<Filter> made) {
            return made.get();
        }
    }

    private List<String> found(Plan plan) {
        List<Plan> blocks = blocks(plan);
        PendingRows rows = execution.table(plan.table());
        int next = 0;
        Plan last = blocks.getFirst();
        while (next < blocks.size() && rows.takes(blocks.get(next))) {
            last = blocks.get(next++);
            rows = rows.block(last, context);
            if (!(last.output() instanceof Output.Columns(List<Item> items))) {
                break;
            }
            rows = rows.renamed(rows.names().renamed(items));
        }
        PhysicalPlan physical = Planner.plan(last, rows, context);
        prepare(last, rows, physical);
        List<String> notes = new ArrayList<>();
        notes.add(physical.explain());
        if (next < blocks.size()) {
            notes.add("the rows that come of that are read by the rest of the plan");
        }
        return notes;
    }

    /** Returns the plan and those that it reads, the innermost first. */
    private static List<Plan> blocks(Plan plan) {
        List<Plan> blocks = new ArrayList<>();
        blocks.add(plan);
        while (blocks.getLast().source() instanceof Plan inner) {
            blocks.add(inner);
        }
        Collections.reverse(blocks);
        return blocks;
    }

    /** Makes what holds the groups, for what it asks of the columns; no row is put in. */
    private void prepare(Plan plan, PendingRows rows, PhysicalPlan physical) {
        switch (physical) {
            case PhysicalPlan.Groups groups when groups.weights() == null -> {
                GroupAggregation _ =
                        new GroupAggregation(
                                plan, groups.keys(), groups.values(), rows.names(), null, context);
            }
            case PhysicalPlan.Distinct distinct -> {
                RowGrouping _ = GroupAggregation.grouping(rows.names(), distinct.items(), context);
            }
            case PhysicalPlan.Groups _,
                    PhysicalPlan.Rows _,
                    PhysicalPlan.Count _,
                    PhysicalPlan.Known _ -> {}
        }
    }
}
