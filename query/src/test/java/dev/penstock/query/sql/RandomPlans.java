package dev.penstock.query.sql;

import dev.penstock.query.Aggregate;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Expression;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Item;
import dev.penstock.query.Plan.Output;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Source;
import dev.penstock.query.Table;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Plans over one table, of every kind and nesting, with values that mostly occur in its rows. */
final class RandomPlans {
    private static final List<Comparator> COMPARATORS = List.of(Comparator.values());
    private static final List<Expression.Operator> OPERATORS =
            List.of(Expression.Operator.values());

    /** Rows to skip up to the end of a small table or of a large one. */
    private static final List<Integer> FAR = List.of(50, 59, 4_090, 4_990, 99_980);

    private final Random random;
    private final Table table;
    private final List<Object[]> rows;

    RandomPlans(Random random, Table table, List<Object[]> rows) {
        this.random = random;
        this.table = table;
        this.rows = rows;
    }

    Plan plan() {
        return plan(Plan.of(table));
    }

    /** Goes on from a plan that gives rows. */
    Plan plan(Plan start) {
        Plan plan = start;
        int steps = random.nextInt(6);
        boolean made = false;
        for (int i = 0; i < steps; i++) {
            switch (random.nextInt(made ? 8 : 10)) {
                case 0, 1, 2 -> plan = plan.where(predicate(named(plan), 3));
                case 3, 4 -> plan = plan.orderBy(order(named(plan)));
                case 5 -> plan = plan.skip(random.nextInt(3) == 0 ? pick(FAR) : random.nextInt(12));
                case 6, 7 -> plan = plan.limit(random.nextInt(40));
                case 8 -> {
                    plan = plan.distinct(items(named(plan), 1));
                    made = true;
                }
                default -> {
                    plan = plan.aggregate(items(named(plan), 0), aggregates(named(plan)));
                    made = true;
                }
            }
        }
        return made || random.nextBoolean() ? plan : plan.select(items(plan.source(), 1));
    }

    /** Returns a condition on rows of the table. */
    Predicate predicate() {
        return predicate(table, 2);
    }

    /** Whose columns the plan's methods name. */
    private static Source named(Plan plan) {
        return plan.output() instanceof Output.Columns ? plan.source() : plan;
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private List<Plan.Order> order(Source source) {
        List<Plan.Order> order = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            order.add(
                    new Plan.Order(
                            pick(source.columns()).name(),
                            random.nextBoolean(),
                            random.nextBoolean()));
        }
        return order;
    }

    private List<Item> items(Source source, int least) {
        List<Item> items = new ArrayList<>();
        for (int i = least + random.nextInt(3); i > 0; i--) {
            String name = pick(source.columns()).name();
            items.add(new Item(name, random.nextBoolean() ? "x " + i : "y\"`" + i));
        }
        return items;
    }

    private List<Aggregate> aggregates(Source source) {
        List<Aggregate> aggregates = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            Aggregate aggregate = aggregate(source, "v" + i);
            aggregates.add(
                    random.nextInt(3) == 0 ? aggregate.where(predicate(source, 1)) : aggregate);
        }
        return aggregates;
    }

    private Aggregate aggregate(Source source, String label) {
        Aggregate.Function function = pick(List.of(Aggregate.Function.values()));
        Column column = pick(source.columns());
        boolean number = column.type().isNumeric();
        return switch (function) {
            case COUNT -> Aggregate.count(label);
            case SUM, AVERAGE -> {
                if (!number) {
                    yield Aggregate.of(Aggregate.Function.COUNT_VALUES, column.name(), label);
                }
                yield column.type().isFloating() || random.nextBoolean()
                        ? Aggregate.of(function, column.name(), label)
                        : new Aggregate(function, expression(source, column, 1), null, label);
            }
            case COUNT_VALUES, MIN, MAX -> Aggregate.of(function, column.name(), label);
        };
    }

    private Expression expression(Source source, Column start, int depth) {
        Expression expression = new Expression.ColumnValue(start.name());
        if (start.type().isFloating() || !start.type().isNumeric() || depth == 0) {
            return expression;
        }
        List<Column> exact =
                source.columns().stream()
                        .filter(c -> c.type().isNumeric() && !c.type().isFloating())
                        .toList();
        Expression other =
                switch (random.nextInt(3)) {
                    case 0 -> new Expression.Literal(random.nextInt(5) - 2);
                    case 1 -> new Expression.Literal(pick(List.of(7L, new BigDecimal("0.125"))));
                    default -> expression(source, pick(exact), depth - 1);
                };
        return new Expression.Arithmetic(pick(OPERATORS), expression, other);
    }

    private Predicate predicate(Source source, int depth) {
        Column column = pick(source.columns());
        String name = column.name();
        return switch (random.nextInt(depth > 0 ? 19 : 7)) {
            case 0 -> new Predicate.IsNull(name);
            case 1 ->
                    new Predicate.In(
                            name,
                            Stream.generate(() -> value(column))
                                    .limit(
                                            random.nextInt(10) == 0
                                                    ? 64 + random.nextInt(3)
                                                    : random.nextInt(10))
                                    .toList());
            case 2 -> text(source);
            case 3 -> relation(source, column);
            case 17, 18 -> subquery(column);
            case 7, 8 -> new Predicate.Not(predicate(source, depth - 1));
            case 12, 13 -> new Predicate.SqlNot(predicate(source, depth - 1));
            case 9 -> new Predicate.And(several(source, depth));
            case 10 -> new Predicate.Or(several(source, depth));
            case 14, 15 -> ofOneColumn(name, column);
            case 16 -> new Predicate.Or(List.of(values(name, column), values(source)));
            default -> new Predicate.Comparison(name, pick(COMPARATORS), value(column));
        };
    }

    /** A look-up in the values of a plan of the table; of binary numbers only the JVM makes one. */
    private Predicate subquery(Column column) {
        List<Column> same =
                table.columns().stream()
                        .filter(c -> c.type() == column.type() && !c.type().isFloating())
                        .toList();
        if (same.isEmpty()) {
            return new Predicate.IsNull(column.name());
        }
        Plan plan = Plan.of(table);
        if (random.nextBoolean()) {
            plan = plan.where(predicate(table, 1));
        }
        List<Item> items = List.of(new Item(pick(same).name(), "v"));
        plan =
                switch (random.nextInt(5)) {
                    case 0 -> plan.orderBy(order(table)).limit(random.nextInt(40)).select(items);
                    case 1 -> plan.distinct(items);
                    case 2 -> plan.distinct(items).skip(random.nextInt(4)).limit(5);
                    default -> plan.select(items);
                };
        return new Predicate.InSubquery(column.name(), plan);
    }

    /** Several ranges of one column, in and out of one another. */
    private Predicate ofOneColumn(String name, Column column) {
        List<Predicate> parts =
                Stream.generate(() ->
                                random.nextBoolean()
                                        ? values(name, column)
                                        : new Predicate.Comparison(
                                                name, pick(COMPARATORS), value(column)))
                        .limit(2 + random.nextInt(3))
                        .toList();
        Predicate all = random.nextBoolean() ? new Predicate.Or(parts) : new Predicate.And(parts);
        return random.nextInt(3) == 0 ? new Predicate.Not(all) : all;
    }

    private Predicate values(Source source) {
        Column column = pick(source.columns());
        return values(column.name(), column);
    }

    /** One value of a column, two, or many. */
    private Predicate values(String name, Column column) {
        return new Predicate.In(
                name,
                Stream.generate(() -> value(column)).limit(pick(List.of(1, 1, 2, 3, 40))).toList());
    }

    private List<Predicate> several(Source source, int depth) {
        return Stream.generate(() -> predicate(source, depth - 1))
                .limit(random.nextInt(4))
                .toList();
    }

    private Predicate text(Source source) {
        List<Column> texts =
                source.columns().stream().filter(c -> c.type() == ColumnType.TEXT).toList();
        if (texts.isEmpty()) {
            return Predicate.ALL;
        }
        Column column = pick(texts);
        String value = (String) value(column);
        int[] points = value.codePoints().toArray();
        String part =
                points.length == 0 || random.nextBoolean()
                        ? value
                        : Character.toString(points[random.nextInt(points.length)]);
        return new Predicate.Text(
                column.name(),
                pick(List.of(Predicate.TextOperation.values())),
                part,
                random.nextBoolean());
    }

    private Predicate relation(Source source, Column column) {
        boolean exact = column.type().isNumeric() && !column.type().isFloating();
        List<Column> comparable =
                source.columns().stream()
                        .filter(c ->
                                c.type() == column.type()
                                        || (exact
                                                && c.type().isNumeric()
                                                && !c.type().isFloating()))
                        .toList();
        Expression left = exact ? expression(source, column, 2) : column(column);
        Expression right =
                random.nextInt(3) == 0
                        ? new Expression.Literal(value(column))
                        : column(pick(comparable));
        return random.nextBoolean()
                ? new Predicate.Relation(left, pick(COMPARATORS), right)
                : new Predicate.Relation(right, pick(COMPARATORS), left);
    }

    private static Expression column(Column column) {
        return new Expression.ColumnValue(column.name());
    }

    /** Of a calculated column, any number. */
    private Object value(Column column) {
        return switch (column.type()) {
            case INT -> of(9);
            case LONG -> of(5);
            case DECIMAL ->
                    random.nextInt(4) == 0
                            ? new BigDecimal("1.500001")
                            : of(random.nextBoolean() ? 3 : 8);
            case DOUBLE ->
                    random.nextInt(4) == 0
                            ? pick(
                                    List.<Object>of(
                                            Double.NaN,
                                            0.0,
                                            -0.0,
                                            Double.POSITIVE_INFINITY,
                                            Double.NEGATIVE_INFINITY))
                            : of(2);
            case TEXT -> of(1);
            case DATE -> of(4);
            case BOOLEAN -> of(11);
            case TIMESTAMP -> of(12);
            default -> throw new AssertionError(column);
        };
    }

    private Object of(int column) {
        while (true) {
            Object value = pick(rows)[column];
            if (value != null) {
                return value;
            }
        }
    }
}
