package dev.penstock.query;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The values that {@link Predicate.InSubquery} looks a cell up in: a {@link Plan} of one column. Engines are given
 * plans only; whoever makes a plan of something else, such as a stream, replaces it before.
 */
public interface Subquery {
    /** Returns the plan whose answer the values are. */
    Plan plan();

    /** Returns the same values as a set: without an order that cuts nothing off, and without making rows distinct. */
    static Plan asSet(Plan plan) {
        List<Plan.Order> order = plan.slices().isEmpty() ? List.of() : plan.order();
        Plan.Output output =
                plan.output() instanceof Plan.Output.Distinct(List<Plan.Item> items)
                        ? new Plan.Output.Columns(items)
                        : plan.output();
        return new Plan(plan.source(), plan.filter(), order, plan.slices(), output);
    }

    /** Hands over each condition on a subquery in a condition; not those in the subqueries themselves. */
    static void each(Predicate predicate, Consumer<Predicate.InSubquery> taker) {
        switch (predicate) {
            case Predicate.And(List<Predicate> all) -> all.forEach(part -> each(part, taker));
            case Predicate.Or(List<Predicate> any) -> any.forEach(part -> each(part, taker));
            case Predicate.Not(Predicate inner) -> each(inner, taker);
            case Predicate.SqlNot(Predicate inner) -> each(inner, taker);
            case Predicate.InSubquery in -> taker.accept(in);
            case Predicate.Comparison _,
                    Predicate.In _,
                    Predicate.IsNull _,
                    Predicate.Text _,
                    Predicate.Matches _,
                    Predicate.Relation _ -> {}
        }
    }

    /** Hands over each condition on a subquery in a plan and the plans that it reads. */
    static void each(Plan plan, Consumer<Predicate.InSubquery> taker) {
        each(plan.filter(), taker);
        if (plan.output() instanceof Plan.Output.Aggregation(_, List<Aggregate> values)) {
            for (Aggregate value : values) {
                Predicate filter = value.filter();
                if (filter != null) {
                    each(filter, taker);
                }
            }
        }
        if (plan.source() instanceof Plan inner) {
            each(inner, taker);
        }
    }

    /** Returns whether a plan has a condition on a subquery. */
    static boolean isIn(Plan plan) {
        if (isIn(plan.filter())) {
            return true;
        }
        if (plan.output() instanceof Plan.Output.Aggregation(_, List<Aggregate> values)) {
            for (Aggregate value : values) {
                Predicate filter = value.filter();
                if (filter != null && isIn(filter)) {
                    return true;
                }
            }
        }
        return plan.source() instanceof Plan inner && isIn(inner);
    }

    /** Returns whether a condition is one on a subquery, or has one in it. */
    static boolean isIn(Predicate predicate) {
        return switch (predicate) {
            case Predicate.And(List<Predicate> all) -> isInAny(all);
            case Predicate.Or(List<Predicate> any) -> isInAny(any);
            case Predicate.Not(Predicate inner) -> isIn(inner);
            case Predicate.SqlNot(Predicate inner) -> isIn(inner);
            case Predicate.InSubquery _ -> true;
            case Predicate.Comparison _,
                    Predicate.In _,
                    Predicate.IsNull _,
                    Predicate.Text _,
                    Predicate.Matches _,
                    Predicate.Relation _ ->
                    false;
        };
    }

    private static boolean isInAny(List<Predicate> parts) {
        // By places: every plan is asked, and an iterator would be most of what that takes.
        for (int i = 0; i < parts.size(); i++) {
            if (isIn(parts.get(i))) {
                return true;
            }
        }
        return false;
    }

    /** Returns every table that a plan reads, those of its subqueries too. */
    static List<Table> tables(Plan plan) {
        List<Table> tables = new ArrayList<>();
        tables.add(plan.table());
        each(plan, in -> tables.addAll(tables(in.subquery().plan())));
        return tables;
    }

    /** Returns a plan with others in place of its conditions on subqueries; the very same where it has none. */
    static Plan replaced(Plan plan, Function<Predicate.InSubquery, Predicate> others) {
        if (!isIn(plan)) {
            return plan;
        }
        return new Plan(
                plan.source() instanceof Plan inner ? replaced(inner, others) : plan.source(),
                replaced(plan.filter(), others),
                plan.order(),
                plan.slices(),
                plan.output() instanceof Plan.Output.Aggregation(var keys, var values)
                        ? new Plan.Output.Aggregation(keys, replaced(values, others))
                        : plan.output());
    }

    private static List<Aggregate> replaced(
            List<Aggregate> values, Function<Predicate.InSubquery, Predicate> others) {
        List<Aggregate> all = new ArrayList<>(values.size());
        for (Aggregate each : values) {
            Predicate filter = each.filter();
            all.add(
                    filter == null
                            ? each
                            : new Aggregate(
                                    each.function(),
                                    each.argument(),
                                    replaced(filter, others),
                                    each.label()));
        }
        return all;
    }

    private static Predicate replaced(
            Predicate predicate, Function<Predicate.InSubquery, Predicate> others) {
        return switch (predicate) {
            case Predicate.And(List<Predicate> all) ->
                    new Predicate.And(all.stream().map(part -> replaced(part, others)).toList());
            case Predicate.Or(List<Predicate> any) ->
                    new Predicate.Or(any.stream().map(part -> replaced(part, others)).toList());
            case Predicate.Not(Predicate inner) -> new Predicate.Not(replaced(inner, others));
            case Predicate.SqlNot(Predicate inner) -> new Predicate.SqlNot(replaced(inner, others));
            case Predicate.InSubquery in -> others.apply(in);
            case Predicate.Comparison _,
                    Predicate.In _,
                    Predicate.IsNull _,
                    Predicate.Text _,
                    Predicate.Matches _,
                    Predicate.Relation _ ->
                    predicate;
        };
    }
}
