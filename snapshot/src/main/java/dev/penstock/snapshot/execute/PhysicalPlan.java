package dev.penstock.snapshot.execute;

import dev.penstock.query.Aggregate;
import dev.penstock.query.Plan.Item;
import dev.penstock.snapshot.aggregate.ResultColumn;
import dev.penstock.snapshot.memory.Longs;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way in which a plan's output is made of pending rows: by which index or scan these are found, in which order, and
 * what is grouped. It is decided once, by {@link Planner}, then run by {@link Execution} or printed by
 * {@link ExplainPlan}. Immutable; for one thread, as filters are.
 */
sealed interface PhysicalPlan {
    /** Says in words how the rows are found. */
    default String explain() {
        return switch (this) {
            case Rows(_, _, RowPlan rows) -> rows.explain();
            case Distinct(_, _, RowPlan rows, _) -> rows.explain();
            case Count(CountPlan count) -> count.explain();
            case Groups(_, _, _, RowPlan rows, _) -> rows.explain();
            case Known _ ->
                    "no row is looked at: counts of values, and the ends of their order, are known";
        };
    }

    /** Rows as they are. */
    record Rows(PendingRows from, List<Item> items, RowPlan rows) implements PhysicalPlan {}

    /**
     * The first of the rows that are equal in some columns.
     *
     * @param ordered whether they keep their order
     */
    record Distinct(PendingRows from, List<Item> items, RowPlan rows, boolean ordered)
            implements PhysicalPlan {}

    /** The number of rows. */
    record Count(CountPlan count) implements PhysicalPlan {}

    /**
     * Aggregates of all rows that are known without looking at any.
     *
     * @param values a column for each, of one cell
     */
    record Known(List<ResultColumn> values) implements PhysicalPlan {
        public Known {
            values = List.copyOf(values);
        }
    }

    /**
     * The aggregates of groups of rows.
     *
     * @param weights how many rows of the table each row stands for; null for one
     */
    record Groups(
            PendingRows from,
            List<Item> keys,
            List<Aggregate> values,
            RowPlan rows,
            @Nullable Longs weights)
            implements PhysicalPlan {
        /** Returns whether all rows of a table are looked at, so that several threads may share them. */
        boolean isScan() {
            return rows instanceof AccessPath path && path.isScan();
        }
    }
}
