package dev.penstock.query;

import dev.penstock.query.Plan.Item;
import dev.penstock.query.Plan.Order;
import dev.penstock.query.Plan.Output;
import dev.penstock.query.Plan.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A description of a plan in words, without the values that it compares with. */
final class PlanDescription {
    private PlanDescription() {}

    static String of(Plan plan) {
        StringBuilder words = new StringBuilder();
        words.append(
                switch (plan.source()) {
                    case Table table -> "rows of " + table.name();
                    case Plan inner -> of(inner) + "; of these, rows";
                });
        if (!plan.filter().equals(Predicate.ALL)) {
            words.append(" where ").append(predicate(plan.filter()));
        }
        if (!plan.order().isEmpty()) {
            words.append(", sorted by ")
                    .append(join(plan.order().stream().map(PlanDescription::order).toList()));
        }
        for (Slice slice : plan.slices()) {
            words.append(
                    switch (slice) {
                        case Slice.Skip(long rows) -> ", skip " + rows;
                        case Slice.Limit(long rows) -> ", limit " + rows;
                    });
        }
        return words.append(output(plan)).toString();
    }

    /** Returns what a reader of a plan should know of its table. */
    static List<String> notes(Plan plan) {
        List<String> notes = new ArrayList<>();
        for (Source source = plan; source instanceof Plan each; source = each.source()) {
            if (!each.slices().isEmpty() && each.source().key().isEmpty()) {
                notes.add(
                        each.source() instanceof Table table
                                ? "table %s has no key: slices are not repeatable"
                                        .formatted(table.name())
                                : "the rows have no key: slices are not repeatable");
            }
        }
        return notes;
    }

    private static String order(Order order) {
        return order.column()
                + (order.descending() ? " descending" : "")
                + (order.nullsFirst() ? " nulls first" : "");
    }

    private static String output(Plan plan) {
        return switch (plan.output()) {
            case Output.Columns(List<Item> items) ->
                    items.size() == plan.source().columns().size() ? "" : ": " + items(items);
            case Output.Distinct(List<Item> items) -> ": distinct " + items(items);
            case Output.Count _ -> ": their number";
            case Output.Aggregation(List<Item> keys, List<Aggregate> values) ->
                    ": "
                            + join(values.stream().map(PlanDescription::aggregate).toList())
                            + (keys.isEmpty() ? "" : " by " + items(keys));
        };
    }

    private static String items(List<Item> items) {
        return join(
                items.stream()
                        .map(i ->
                                i.column().equals(i.label())
                                        ? i.column()
                                        : i.column() + " as " + i.label())
                        .toList());
    }

    private static String aggregate(Aggregate aggregate) {
        Expression argument = aggregate.argument();
        Predicate filter = aggregate.filter();
        return aggregate.function().name().toLowerCase(Locale.ROOT).replace('_', ' ')
                + (argument == null ? "" : " of " + expression(argument))
                + (filter == null ? "" : " where " + predicate(filter));
    }

    private static String join(List<String> parts) {
        return String.join(", ", parts);
    }

    static String predicate(Predicate predicate) {
        return switch (predicate) {
            case Predicate.And(List<Predicate> all) -> parts(all, " and ", "anything");
            case Predicate.Or(List<Predicate> any) -> parts(any, " or ", "nothing");
            case Predicate.Not(Predicate inner) -> "not (" + predicate(inner) + ")";
            case Predicate.SqlNot(Predicate inner) -> "SQL's not (" + predicate(inner) + ")";
            case Predicate.IsNull(String column) -> column + " is null";
            case Predicate.Comparison(String column, Predicate.Comparator by, Object _) ->
                    column + sign(by) + "?";
            case Predicate.In(String column, List<Object> values) ->
                    column + " in " + values.size() + " values";
            case Predicate.InSubquery(String column, Subquery subquery) ->
                    column + " in (" + of(subquery.plan()) + ")";
            case Predicate.Text(
                            String column,
                            Predicate.TextOperation operation,
                            String _,
                            boolean ignoringCase) ->
                    column
                            + " "
                            + operation.name().toLowerCase(Locale.ROOT).replace('_', ' ')
                            + " ?"
                            + (ignoringCase ? " ignoring case" : "");
            case Predicate.Matches(String column, _, _) -> column + " matches ?";
            case Predicate.Relation(Expression left, Predicate.Comparator by, Expression right) ->
                    expression(left) + sign(by) + expression(right);
        };
    }

    private static String parts(List<Predicate> parts, String between, String none) {
        return switch (parts.size()) {
            case 0 -> none;
            case 1 -> predicate(parts.getFirst());
            default ->
                    "("
                            + String.join(
                                    between,
                                    parts.stream().map(PlanDescription::predicate).toList())
                            + ")";
        };
    }

    private static String sign(Predicate.Comparator comparator) {
        return switch (comparator) {
            case EQUAL -> " = ";
            case NOT_EQUAL -> " ≠ ";
            case LESS -> " < ";
            case LESS_OR_EQUAL -> " ≤ ";
            case GREATER -> " > ";
            case GREATER_OR_EQUAL -> " ≥ ";
        };
    }

    private static String expression(Expression expression) {
        return switch (expression) {
            case Expression.ColumnValue(String column) -> column;
            case Expression.Literal _ -> "?";
            case Expression.Arithmetic(Expression.Operator operator, var left, var right) ->
                    "("
                            + expression(left)
                            + switch (operator) {
                                case PLUS -> " + ";
                                case MINUS -> " − ";
                                case TIMES -> " × ";
                            }
                            + expression(right)
                            + ")";
        };
    }
}
