package dev.penstock.query.sql;

import dev.penstock.query.Aggregate;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Expression;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Item;
import dev.penstock.query.Plan.Output;
import dev.penstock.query.Plan.Slice;
import dev.penstock.query.Predicate;
import dev.penstock.query.Source;
import dev.penstock.query.Subquery;
import dev.penstock.query.sql.render.PlanNormalizer;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The meaning of plans: on lists of rows, with nothing of an engine. Whole numbers are exact here, however large; what
 * is too large for its column's type is told.
 */
final class PlanModel {
    private final List<Object[]> table;

    /** Rows of the one table, in the order of its key. */
    PlanModel(List<Object[]> table) {
        this.table = table;
    }

    List<Object[]> rows(Source source) {
        return switch (source) {
            case dev.penstock.query.Table _ -> table;
            case Plan plan -> rows(plan);
        };
    }

    /** Returns whether the plan's rows have a number that its column's type, of 64 bits, does not hold. */
    boolean overflows(Plan plan) {
        List<ColumnType> types = plan.columns().stream().map(Column::type).toList();
        return rows(plan).stream()
                .anyMatch(row ->
                        IntStream.range(0, row.length)
                                .anyMatch(i ->
                                        types.get(i) == ColumnType.LONG && isBeyondLong(row[i])));
    }

    /** Returns whether that is so of a plan that it reads from, at any depth. */
    boolean overflowsWithin(Plan plan) {
        return plan.source() instanceof Plan inner && (overflows(inner) || overflowsWithin(inner));
    }

    private static boolean isBeyondLong(Object cell) {
        return cell instanceof BigDecimal number && number.toBigIntegerExact().bitLength() > 63;
    }

    /** A subquery with its values. */
    private record Known(Plan plan, List<Object> values) implements Subquery {}

    private Predicate known(Predicate.InSubquery in) {
        Plan plan = in.subquery().plan();
        List<Object> values =
                rows(plan).stream().map(row -> row[0]).filter(Objects::nonNull).toList();
        return new Predicate.InSubquery(in.column(), new Known(plan, values));
    }

    private List<Object[]> rows(Plan asked) {
        Plan plan = Subquery.replaced(asked, this::known);
        List<Column> columns = plan.source().columns();
        Comparator<Object[]> order = (_, _) -> 0;
        for (Plan.Order by : plan.order()) {
            order = order.thenComparing(order(index(columns, by.column()), by));
        }
        Stream<Object[]> stream =
                rows(plan.source()).stream()
                        .filter(row -> test(plan.filter(), columns, row))
                        .sorted(order);
        for (Slice slice : plan.slices()) {
            stream =
                    switch (slice) {
                        case Slice.Skip(long n) -> stream.skip(n);
                        case Slice.Limit(long n) -> stream.limit(n);
                    };
        }
        List<Object[]> rows = stream.toList();
        return switch (plan.output()) {
            case Output.Columns(List<Item> items) ->
                    rows.stream().map(row -> cells(items, columns, row)).toList();
            case Output.Count() -> List.<Object[]>of(new Object[] {(long) rows.size()});
            case Output.Distinct(List<Item> items) -> distinct(plan, items, rows);
            case Output.Aggregation(List<Item> keys, List<Aggregate> values) ->
                    aggregated(keys, values, columns, rows);
        };
    }

    private static Comparator<Object[]> order(int column, Plan.Order by) {
        return (a, b) -> {
            if (a[column] == null || b[column] == null) {
                int nulls = Boolean.compare(b[column] == null, a[column] == null);
                return by.nullsFirst() ? nulls : -nulls;
            }
            int compared = compare(a[column], b[column]);
            return by.descending() ? -compared : compared;
        };
    }

    /** In the order of all columns, and above that in the plan's where there is one. */
    private static List<Object[]> distinct(Plan plan, List<Item> items, List<Object[]> rows) {
        List<Column> columns = plan.source().columns();
        Map<List<Object>, Object[]> different = new LinkedHashMap<>();
        for (Object[] row : rows) {
            Object[] cells = cells(items, columns, row);
            different.putIfAbsent(Arrays.asList(cells), cells);
        }
        Comparator<Object[]> byAll = (_, _) -> 0;
        for (int i = 0; i < items.size(); i++) {
            byAll = byAll.thenComparing(order(i, new Plan.Order("", false, false)));
        }
        boolean unordered = PlanNormalizer.order(plan).isEmpty();
        return unordered
                ? different.values().stream().sorted(byAll).toList()
                : List.copyOf(different.values());
    }

    private static List<Object[]> aggregated(
            List<Item> keys, List<Aggregate> values, List<Column> columns, List<Object[]> rows) {
        Map<List<Object>, List<Object[]>> groups = new LinkedHashMap<>();
        if (keys.isEmpty()) {
            groups.put(List.of(), new ArrayList<>());
        }
        for (Object[] row : rows) {
            List<Object> key = Arrays.asList(cells(keys, columns, row));
            groups.computeIfAbsent(key, _ -> new ArrayList<>()).add(row);
        }
        Comparator<Object[]> byKey = (_, _) -> 0;
        for (int i = 0; i < keys.size(); i++) {
            byKey = byKey.thenComparing(order(i, new Plan.Order("", false, false)));
        }
        List<Object[]> answer = new ArrayList<>();
        groups.forEach((key, group) -> {
            Object[] row = Arrays.copyOf(key.toArray(), keys.size() + values.size());
            for (int i = 0; i < values.size(); i++) {
                row[keys.size() + i] = aggregate(values.get(i), columns, group);
            }
            answer.add(row);
        });
        answer.sort(byKey);
        return answer;
    }

    private static Object aggregate(
            Aggregate aggregate, List<Column> columns, List<Object[]> group) {
        List<Object[]> rows =
                group.stream()
                        .filter(row ->
                                aggregate.filter() == null
                                        || test(aggregate.filter(), columns, row))
                        .toList();
        if (aggregate.argument() == null) {
            return (long) rows.size();
        }
        List<Object> values =
                rows.stream()
                        .map(row -> value(aggregate.argument(), columns, row))
                        .filter(Objects::nonNull)
                        .toList();
        if (aggregate.function() == Aggregate.Function.COUNT_VALUES) {
            return (long) values.size();
        }
        if (values.isEmpty()) {
            return null;
        }
        return switch (aggregate.function()) {
            case MIN -> values.stream().min(PlanModel::compare).orElseThrow();
            case MAX -> values.stream().max(PlanModel::compare).orElseThrow();
            case SUM -> sum(values);
            case AVERAGE -> sum(values).doubleValue() / values.size();
            case COUNT, COUNT_VALUES -> throw new AssertionError(aggregate);
        };
    }

    private static Number sum(List<Object> values) {
        return values.getFirst() instanceof Double
                ? values.stream().mapToDouble(v -> (Double) v).sum()
                : values.stream()
                        .map(v -> new BigDecimal(v.toString()))
                        .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static Object[] cells(List<Item> items, List<Column> columns, Object[] row) {
        return items.stream().map(item -> row[index(columns, item.column())]).toArray();
    }

    static int index(List<Column> columns, String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    static boolean test(Predicate predicate, List<Column> columns, Object[] row) {
        return Boolean.TRUE.equals(truth(predicate, columns, row));
    }

    /** True, false, or null where SQL's logic has it unknown. */
    private static Boolean truth(Predicate predicate, List<Column> columns, Object[] row) {
        return switch (predicate) {
            case Predicate.IsNull(String name) -> row[index(columns, name)] == null;
            case Predicate.Not(Predicate inner) -> !test(inner, columns, row);
            case Predicate.SqlNot(Predicate inner) -> {
                Boolean truth = truth(inner, columns, row);
                yield truth == null ? null : (Boolean) !truth;
            }
            case Predicate.And(List<Predicate> all) -> several(all, false, columns, row);
            case Predicate.Or(List<Predicate> any) -> several(any, true, columns, row);
            case Predicate.In(String name, List<Object> values) -> {
                Object cell = row[index(columns, name)];
                boolean unknown = cell == null && !values.isEmpty();
                yield unknown
                        ? null
                        : (Boolean) values.stream().anyMatch(v -> compare(cell, v) == 0);
            }
            case Predicate.InSubquery(String name, Subquery subquery) -> {
                Object cell = row[index(columns, name)];
                List<Object> values = ((Known) subquery).values();
                yield cell == null
                        ? null
                        : (Boolean) values.stream().anyMatch(v -> compare(cell, v) == 0);
            }
            case Predicate.Comparison(String name, Predicate.Comparator by, Object value) ->
                    relate(row[index(columns, name)], by, value);
            case Predicate.Relation(Expression left, Predicate.Comparator by, Expression right) ->
                    relate(value(left, columns, row), by, value(right, columns, row));
            case Predicate.Text text -> {
                String cell = (String) row[index(columns, text.column())];
                yield cell == null ? null : (Boolean) text(text, cell);
            }
            case Predicate.Matches(String name, String pattern, int flags) -> {
                Object cell = row[index(columns, name)];
                yield cell == null
                        ? null
                        : (Boolean)
                                java.util.regex.Pattern.compile(pattern, flags)
                                        .matcher((String) cell)
                                        .matches();
            }
        };
    }

    /** What decides: true of an OR, false of an AND; else unknown if a part is; else the opposite. */
    private static Boolean several(
            List<Predicate> parts, boolean deciding, List<Column> columns, Object[] row) {
        Boolean truth = !deciding;
        for (Predicate part : parts) {
            Boolean each = truth(part, columns, row);
            if (each == null) {
                truth = null;
            } else if (each == deciding) {
                return deciding;
            }
        }
        return truth;
    }

    private static boolean text(Predicate.Text text, String cell) {
        String whole = text.ignoringCase() ? fold(cell) : cell;
        String part = text.ignoringCase() ? fold(text.value()) : text.value();
        return switch (text.operation()) {
            case EQUAL -> whole.equals(part);
            case STARTS_WITH -> whole.startsWith(part);
            case ENDS_WITH -> whole.endsWith(part);
            case CONTAINS -> whole.contains(part);
        };
    }

    private static String fold(String text) {
        StringBuilder folded = new StringBuilder();
        text.codePoints()
                .map(c -> Character.toLowerCase(Character.toUpperCase(c)))
                .forEach(folded::appendCodePoint);
        return folded.toString();
    }

    private static Object value(Expression expression, List<Column> columns, Object[] row) {
        return switch (expression) {
            case Expression.ColumnValue(String name) -> row[index(columns, name)];
            case Expression.Literal(Object value) -> value;
            case Expression.Arithmetic(var operator, var left, var right) -> {
                Object a = value(left, columns, row);
                Object b = value(right, columns, row);
                if (a == null || b == null) {
                    yield null;
                }
                BigDecimal x = new BigDecimal(a.toString());
                BigDecimal y = new BigDecimal(b.toString());
                yield switch (operator) {
                    case PLUS -> x.add(y);
                    case MINUS -> x.subtract(y);
                    case TIMES -> x.multiply(y);
                };
            }
        };
    }

    private static Boolean relate(Object left, Predicate.Comparator comparator, Object right) {
        if (left == null || right == null) {
            return comparator == Predicate.Comparator.NOT_EQUAL
                    ? (Boolean) ((left == null) != (right == null))
                    : null;
        }
        int compared = compare(left, right);
        return switch (comparator) {
            case EQUAL -> compared == 0;
            case NOT_EQUAL -> compared != 0;
            case LESS -> compared < 0;
            case LESS_OR_EQUAL -> compared <= 0;
            case GREATER -> compared > 0;
            case GREATER_OR_EQUAL -> compared >= 0;
        };
    }

    static int compare(Object a, Object b) {
        return switch (a) {
            case String text ->
                    Arrays.compare(
                            text.codePoints().toArray(), ((String) b).codePoints().toArray());
            case Double number -> number.compareTo((Double) b);
            case Number _ -> new BigDecimal(a.toString()).compareTo(new BigDecimal(b.toString()));
            case Boolean truth -> truth.compareTo((Boolean) b);
            case java.time.LocalDate date -> date.compareTo((java.time.LocalDate) b);
            case java.time.LocalDateTime time -> time.compareTo((java.time.LocalDateTime) b);
            default -> throw new AssertionError(a);
        };
    }

    /** Returns whether two cells are the same, but for the last digits of a sum of doubles. */
    static boolean same(Object expected, Object actual, ColumnType type) {
        if (expected == null || actual == null) {
            return Objects.equals(expected, actual);
        }
        if (type == ColumnType.DOUBLE) {
            double a = ((Number) expected).doubleValue();
            double b = ((Number) actual).doubleValue();
            return Double.compare(a, b) == 0
                    || (a != 0 && Double.isFinite(a) && Math.abs(a - b) <= 1e-12 * Math.abs(a));
        }
        return type.isNumeric()
                ? new BigDecimal(expected.toString()).compareTo(new BigDecimal(actual.toString()))
                        == 0
                : expected.equals(actual);
    }
}
