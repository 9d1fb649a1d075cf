package dev.penstock.snapshot.execute;

import dev.penstock.query.Aggregate;
import dev.penstock.query.Expression;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import java.util.LinkedHashSet;
import java.util.Set;

/** A collector of the names of the columns that a plan uses of its own source. Used by one thread. */
public final class ColumnUse {
    private final Set<String> names = new LinkedHashSet<>();

    private ColumnUse() {}

    /** Returns the columns of a condition. */
    public static Set<String> of(Predicate predicate) {
        ColumnUse use = new ColumnUse();
        use.add(predicate);
        return use.names;
    }

    /** Returns the columns of a plan: of its filter and order, and of what it gives. */
    static Set<String> of(Plan plan) {
        ColumnUse use = new ColumnUse();
        use.add(plan.filter());
        plan.order().forEach(order -> use.names.add(order.column()));
        plan.items().forEach(item -> use.names.add(item.column()));
        if (plan.output() instanceof Plan.Output.Aggregation aggregation) {
            aggregation.values().forEach(use::add);
        }
        return use.names;
    }

    private void add(Aggregate aggregate) {
        if (aggregate.argument() != null) {
            add(aggregate.argument());
        }
        if (aggregate.filter() != null) {
            add(aggregate.filter());
        }
    }

    private void add(Predicate predicate) {
        switch (predicate) {
            case Predicate.And and -> and.all().forEach(this::add);
            case Predicate.Or or -> or.any().forEach(this::add);
            case Predicate.Not not -> add(not.predicate());
            case Predicate.SqlNot not -> add(not.predicate());
            case Predicate.IsNull isNull -> names.add(isNull.column());
            case Predicate.Comparison comparison -> names.add(comparison.column());
            case Predicate.In in -> names.add(in.column());
            case Predicate.InSubquery in -> names.add(in.column());
            case Predicate.Text text -> names.add(text.column());
            case Predicate.Matches matches -> names.add(matches.column());
            case Predicate.Relation relation -> {
                add(relation.left());
                add(relation.right());
            }
        }
    }

    private void add(Expression expression) {
        switch (expression) {
            case Expression.ColumnValue value -> names.add(value.column());
            case Expression.Literal _ -> {}
            case Expression.Arithmetic arithmetic -> {
                add(arithmetic.left());
                add(arithmetic.right());
            }
        }
    }
}
