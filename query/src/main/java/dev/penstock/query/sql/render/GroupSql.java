package dev.penstock.query.sql.render;

import dev.penstock.query.Aggregate;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Expression;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Item;
import dev.penstock.query.Plan.Output;
import dev.penstock.query.Predicate;
import dev.penstock.query.Table;
import dev.penstock.query.sql.statement.Capability;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.Literals;
import dev.penstock.query.sql.statement.SqlBuilder;
import dev.penstock.query.sql.statement.SqlColumn;
import dev.penstock.query.sql.statement.SqlTable;
import dev.penstock.query.sql.statement.SqlTemplate;
import dev.penstock.query.sql.statement.WideColumns;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A writer of what a plan makes of many rows: their number, distinct ones, or aggregates by group. */
final class GroupSql {
    private static final String COUNT = "COUNT(%s)%f";

    private final SqlTable scope;
    private final Dialect dialect;
    private final Literals literals;
    private final SqlBuilder sql;
    private final PlanSql plans;
    private final boolean isNested;

    /**
     * @param isNested whether the rows are what a nested SELECT gives
     */
    GroupSql(
            SqlTable scope,
            Dialect dialect,
            Literals literals,
            SqlBuilder sql,
            PlanSql plans,
            boolean isNested) {
        this.scope = scope;
        this.dialect = dialect;
        this.literals = literals;
        this.sql = sql;
        this.plans = plans;
        this.isNested = isNested;
    }

    /** Returns the columns of the answer, as a SELECT around it knows them. */
    SqlTable answer(Plan plan) {
        List<Column> columns = plan.columns();
        List<Item> keys = plan.items();
        List<SqlColumn> sources = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            sources.add(
                    i < keys.size()
                            ? dialect.made(scope.column(keys.get(i).column()), column)
                            : value(plan, i - keys.size(), column));
        }
        String rank = PlanNormalizer.rank(plan);
        if (rank != null) {
            Column column = new Column(rank, ColumnType.LONG, "bigint", false, 20);
            columns = Stream.concat(columns.stream(), Stream.of(column)).toList();
            sources.add(dialect.number(column, dialect.column(rank)));
        }
        Table table = new Table(null, plan.table().name(), columns, List.of(), true);
        return new SqlTable(table, scope.name(), sources);
    }

    private SqlColumn value(Plan plan, int index, Column column) {
        if (plan.output() instanceof Output.Aggregation(_, List<Aggregate> values)) {
            Aggregate aggregate = values.get(index);
            boolean extreme =
                    switch (aggregate.function()) {
                        case MIN, MAX -> true;
                        case COUNT, COUNT_VALUES, SUM, AVERAGE -> false;
                    };
            if (extreme && aggregate.argument() instanceof Expression.ColumnValue(String source)) {
                return dialect.made(scope.column(source), column);
            }
        }
        return dialect.number(column, dialect.column(column.name()));
    }

    /** Everything up to FROM. As a subquery it gives names, else the values of the answer. */
    void select(Plan plan, boolean nested) {
        List<Item> keys = plan.items();
        List<SqlColumn> answer = answer(plan).columns();
        boolean withBinary = SqlTemplate.hasBinary(answer, WideColumns.NONE);
        sql.add(isDistinct(plan) ? "SELECT DISTINCT " : "SELECT ");
        for (int i = 0; i < answer.size(); i++) {
            SqlColumn column = answer.get(i);
            int index = i;
            Runnable body =
                    i < keys.size()
                            ? () -> sql.add(dialect.keyed(scope.column(keys.get(index).column())))
                            : () -> value(plan, index - keys.size());
            sql.add(i == 0 ? "" : ", ");
            if (nested) {
                body.run();
                sql.add(" AS ").add(dialect.quote(column.column().name()));
            } else {
                String value = dialect.value(column);
                String answered = dialect.answer(value, column.column().type(), withBinary);
                sql.wrap(answered.replace(column.name(), "%s"), body);
            }
        }
    }

    /** Returns whether groups without values are no more than distinct rows, because every key compares as it is. */
    private boolean isDistinct(Plan plan) {
        return plan.output() instanceof Output.Distinct(List<Item> items)
                && PlanNormalizer.rank(plan) == null
                && items.stream()
                        .allMatch(item -> {
                            SqlColumn column = scope.column(item.column());
                            return dialect.groups(column).equals(List.of(column.name()));
                        });
    }

    private void value(Plan plan, int index) {
        switch (plan.output()) {
            case Output.Count _ -> sql.add("COUNT(*)");
            case Output.Aggregation(_, List<Aggregate> values) -> aggregate(values.get(index));
            case Output.Columns _, Output.Distinct _ ->
                    sql.add(
                            "MIN("
                                    + dialect.column(String.valueOf(PlanNormalizer.rank(plan)))
                                    + ")");
        }
    }

    void groupBy(Plan plan) {
        if (isDistinct(plan)) {
            return;
        }
        Set<String> expressions = new LinkedHashSet<>();
        for (Item key : plan.items()) {
            expressions.addAll(dialect.groups(scope.column(key.column())));
        }
        sql.add(expressions.isEmpty() ? "" : " GROUP BY " + String.join(", ", expressions));
    }

    private void aggregate(Aggregate aggregate) {
        ExpressionSql expressions = new ExpressionSql(scope, dialect, literals, sql);
        Expression argument = aggregate.argument();
        if (argument == null) {
            filtered(COUNT, aggregate, () -> sql.add(aggregate.filter() == null ? "*" : "1"));
            return;
        }
        ColumnType type = argument.type(scope.table());
        if (type.isFloating() && argument instanceof Expression.Arithmetic) {
            throw ExpressionSql.inexact();
        }
        Runnable body = () -> expressions.write(argument);
        switch (aggregate.function()) {
            case COUNT -> {}
            case COUNT_VALUES -> filtered(COUNT, aggregate, body);
            case SUM ->
                    filtered(
                            dialect.sum(type, digits(expressions, argument, type)),
                            aggregate,
                            body);
            case AVERAGE -> average(aggregate, type, digits(expressions, argument, type), body);
            case MIN, MAX -> extreme(aggregate, argument, body);
        }
    }

    private static int digits(ExpressionSql expressions, Expression argument, ColumnType type) {
        return type == ColumnType.DECIMAL ? expressions.digits(argument).all() : 20;
    }

    /**
     * The sum is exact and rounded once, as is the number of values; so the average is what Java's division of doubles
     * gives.
     */
    private void average(Aggregate aggregate, ColumnType type, int digits, Runnable body) {
        if (type.isFloating()) {
            filtered(dialect.floatingAverage(), aggregate, body);
            return;
        }
        sql.add("(");
        String sum = dialect.sum(type == ColumnType.INT ? type : ColumnType.DECIMAL, digits);
        sql.wrap(dialect.toDouble(), () -> filtered(sum, aggregate, body));
        sql.add(" / ");
        filtered(COUNT, aggregate, body);
        sql.add(")");
    }

    private void extreme(Aggregate aggregate, Expression argument, Runnable body) {
        boolean least = aggregate.function() == Aggregate.Function.MIN;
        String function = least ? "MIN(%s)%f" : "MAX(%s)%f";
        if (!(argument instanceof Expression.ColumnValue(String name))) {
            filtered(function, aggregate, body);
            return;
        }
        SqlColumn column = scope.column(name);
        Dialect.Extreme extreme = dialect.extreme(column, least);
        Runnable plain =
                () ->
                        sql.wrap(
                                extreme.restored(),
                                () ->
                                        filtered(
                                                extreme.function().isEmpty()
                                                        ? function
                                                        : extreme.function(),
                                                aggregate,
                                                () -> sql.add(extreme.argument())));
        String negative = dialect.negativeZero(column);
        if (negative == null || negative.equals("FALSE")) {
            plain.run();
            return;
        }
        zeros(aggregate, column, negative, least, plain);
    }

    /** Where the database takes −0.0 for equal to 0.0, an extreme of zero is looked at again. */
    private void zeros(
            Aggregate aggregate, SqlColumn column, String negative, boolean least, Runnable plain) {
        sql.add("CASE WHEN ");
        plain.run();
        sql.add(" = 0 AND ");
        filtered(
                COUNT,
                aggregate,
                () ->
                        sql.add("CASE WHEN " + column.name() + " = 0 AND ")
                                .add((least ? "" : "NOT ") + negative + " THEN 1 END"));
        sql.add(" > 0 THEN ")
                .add(least ? dialect.negativeZeroLiteral(column.column().type()) : "0e0")
                .add(" ELSE ");
        plain.run();
        sql.add(" END");
    }

    /**
     * In the function, {@code %s} stands for what it is of, and {@code %f} for the place of a filter. Counts have no
     * such place: H2 counts every row of {@code COUNT(*) FILTER (WHERE FALSE)}.
     */
    private void filtered(String function, Aggregate aggregate, Runnable body) {
        boolean clause = dialect.has(Capability.FILTERED_AGGREGATES) && !function.equals(COUNT);
        int from = 0;
        for (int at = function.indexOf('%'); at >= 0; at = function.indexOf('%', from)) {
            sql.add(function.substring(from, at));
            if (function.charAt(at + 1) == 's') {
                argument(clause ? null : aggregate.filter(), body);
            } else if (aggregate.filter() != null && clause) {
                condition(" FILTER (WHERE %s)", aggregate.filter());
            }
            from = at + 2;
        }
        sql.add(function.substring(from));
    }

    private void argument(@Nullable Predicate filter, Runnable body) {
        if (filter == null) {
            body.run();
            return;
        }
        condition("CASE WHEN %s THEN ", filter);
        body.run();
        String otherwise = dialect.noArgument();
        int from = 0;
        for (int at = otherwise.indexOf("%s"); at >= 0; at = otherwise.indexOf("%s", from)) {
            sql.add(otherwise.substring(from, at));
            body.run();
            from = at + 2;
        }
        sql.add(otherwise.substring(from)).add(" END");
    }

    private void condition(String template, Predicate filter) {
        sql.wrap(
                template,
                () ->
                        new PredicateSql(scope, dialect, literals, sql, plans, isNested)
                                .write(filter));
    }
}
