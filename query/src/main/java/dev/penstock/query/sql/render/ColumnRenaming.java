package dev.penstock.query.sql.render;

import dev.penstock.query.Aggregate;
import dev.penstock.query.Expression;
import dev.penstock.query.Plan.Item;
import dev.penstock.query.Plan.Order;
import dev.penstock.query.Plan.Output;
import dev.penstock.query.Predicate;
import dev.penstock.query.Subquery;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A renaming of columns, wherever parts of a plan name them. */
record ColumnRenaming(UnaryOperator<String> names) {
    /** Changes nothing, and adds every name that it meets. */
    static ColumnRenaming collecting(Set<String> met) {
        return new ColumnRenaming(name -> {
            met.add(name);
            return name;
        });
    }

    Predicate predicate(Predicate predicate) {
        return switch (predicate) {
            case Predicate.And(List<Predicate> all) ->
                    new Predicate.And(all.stream().map(this::predicate).toList());
            case Predicate.Or(List<Predicate> any) ->
                    new Predicate.Or(any.stream().map(this::predicate).toList());
            case Predicate.Not(Predicate inner) -> new Predicate.Not(predicate(inner));
            case Predicate.SqlNot(Predicate inner) -> new Predicate.SqlNot(predicate(inner));
            case Predicate.IsNull(String column) -> new Predicate.IsNull(names.apply(column));
            case Predicate.Comparison(String column, Predicate.Comparator by, Object value) ->
                    new Predicate.Comparison(names.apply(column), by, value);
            case Predicate.In(String column, List<Object> values) ->
                    new Predicate.In(names.apply(column), values);
            case Predicate.InSubquery(String column, Subquery subquery) ->
                    new Predicate.InSubquery(names.apply(column), subquery);
            case Predicate.Text(
                            String column,
                            Predicate.TextOperation operation,
                            String value,
                            boolean ignoringCase) ->
                    new Predicate.Text(names.apply(column), operation, value, ignoringCase);
            case Predicate.Matches(String column, String pattern, int flags) ->
                    new Predicate.Matches(names.apply(column), pattern, flags);
            case Predicate.Relation(Expression l, Predicate.Comparator by, Expression r) ->
                    new Predicate.Relation(expression(l), by, expression(r));
        };
    }

    Expression expression(Expression expression) {
        return switch (expression) {
            case Expression.ColumnValue(String column) ->
                    new Expression.ColumnValue(names.apply(column));
            case Expression.Literal _ -> expression;
            case Expression.Arithmetic(Expression.Operator operator, Expression l, Expression r) ->
                    new Expression.Arithmetic(operator, expression(l), expression(r));
        };
    }

    List<Order> order(List<Order> order) {
        return order.stream().map(o -> o.by(names.apply(o.column()))).toList();
    }

    Output output(Output output) {
        return switch (output) {
            case Output.Columns(List<Item> items) -> new Output.Columns(items(items));
            case Output.Distinct(List<Item> items) -> new Output.Distinct(items(items));
            case Output.Count count -> count;
            case Output.Aggregation(List<Item> keys, List<Aggregate> values) ->
                    new Output.Aggregation(items(keys), aggregates(values));
        };
    }

    private List<Item> items(List<Item> items) {
        return items.stream()
                .map(item -> new Item(names.apply(item.column()), item.label()))
                .toList();
    }

    private List<Aggregate> aggregates(List<Aggregate> aggregates) {
        List<Aggregate> named = new ArrayList<>();
        for (Aggregate each : aggregates) {
            Expression argument = each.argument();
            Predicate filter = each.filter();
            @Nullable Expression renamed = argument == null ? null : expression(argument);
            named.add(
                    new Aggregate(
                            each.function(),
                            renamed,
                            filter == null ? null : predicate(filter),
                            each.label()));
        }
        return named;
    }
}
