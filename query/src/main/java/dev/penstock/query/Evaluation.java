package dev.penstock.query;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of conditions and orders on one row, in the JVM. Every engine is measured by it. Cells and values are of
 * the Java types that {@link Predicate} names.
 */
public final class Evaluation {
    private Evaluation() {}

    /**
     * Returns whether the row passes.
     *
     * @param row gives the cell of a column; null for NULL
     */
    public static boolean test(Predicate predicate, Function<String, @Nullable Object> row) {
        return test(predicate, TruthTest.IS_TRUE, row);
    }

    /**
     * Returns whether the row passes a test of a condition.
     *
     * @param row gives the cell of a column; null for NULL
     */
    public static boolean test(
            Predicate predicate, TruthTest test, Function<String, @Nullable Object> row) {
        return switch (predicate) {
            case Predicate.And(List<Predicate> all) -> several(all, test.isNegated(), test, row);
            case Predicate.Or(List<Predicate> any) -> several(any, !test.isNegated(), test, row);
            case Predicate.Not(Predicate inner) -> test(inner, test.ofComplement(), row);
            case Predicate.SqlNot(Predicate inner) -> test(inner, test.ofSqlNot(), row);
            case Predicate.IsNull(String column) -> passes(row.apply(column) == null, test);
            case Predicate.Comparison(String column, Predicate.Comparator c, Object value) ->
                    relate(row.apply(column), c, value, test);
            case Predicate.In(String column, List<Object> values) -> {
                Object cell = row.apply(column);
                boolean unknown = cell == null && !values.isEmpty();
                yield unknown
                        ? test.passesUnknown()
                        : passes(cell != null && isAmong(values, cell), test);
            }
            case Predicate.InSubquery(String column, _) ->
                    throw new QueryException(
                            QueryException.Kind.INVALID_PLAN,
                            "column %s is looked up in the values of a plan, which one row does not tell"
                                    .formatted(column));
            case Predicate.Text text -> {
                String cell = (String) row.apply(text.column());
                yield cell == null ? test.passesUnknown() : passes(text(text, cell), test);
            }
            case Predicate.Matches(String column, String pattern, int flags) -> {
                Object cell = row.apply(column);
                yield cell == null
                        ? test.passesUnknown()
                        : passes(
                                Pattern.compile(pattern, flags).matcher((String) cell).matches(),
                                test);
            }
            case Predicate.Relation(Expression left, Predicate.Comparator c, Expression right) ->
                    relate(value(left, row), c, value(right, row), test);
        };
    }

    private static boolean several(
            List<Predicate> parts,
            boolean any,
            TruthTest test,
            Function<String, @Nullable Object> row) {
        return any
                ? parts.stream().anyMatch(part -> test(part, test, row))
                : parts.stream().allMatch(part -> test(part, test, row));
    }

    private static boolean passes(boolean truth, TruthTest test) {
        return truth != test.isNegated();
    }

    private static boolean isAmong(List<Object> values, Object cell) {
        return values.stream().anyMatch(value -> compare(cell, value) == 0);
    }

    private static boolean relate(
            @Nullable Object left,
            Predicate.Comparator comparator,
            @Nullable Object right,
            TruthTest test) {
        if (left == null || right == null) {
            return comparator == Predicate.Comparator.NOT_EQUAL
                    ? passes((left == null) != (right == null), test)
                    : test.passesUnknown();
        }
        return passes(comparator.holds(compare(left, right)), test);
    }

    private static boolean text(Predicate.Text text, String cell) {
        String value = text.value();
        boolean ignoring = text.ignoringCase();
        int length = value.length();
        int last = cell.length() - length;
        return switch (text.operation()) {
            case EQUAL -> last == 0 && cell.regionMatches(ignoring, 0, value, 0, length);
            case STARTS_WITH -> cell.regionMatches(ignoring, 0, value, 0, length);
            case ENDS_WITH -> last >= 0 && cell.regionMatches(ignoring, last, value, 0, length);
            case CONTAINS -> {
                boolean found = false;
                for (int at = 0; at <= last && !found; at++) {
                    found = cell.regionMatches(ignoring, at, value, 0, length);
                }
                yield found;
            }
        };
    }

    /** What an expression comes to on a row; null for NULL. */
    public static @Nullable Object value(
            Expression expression, Function<String, @Nullable Object> row) {
        return switch (expression) {
            case Expression.ColumnValue(String column) -> row.apply(column);
            case Expression.Literal(Object value) -> value;
            case Expression.Arithmetic(
                            Expression.Operator operator,
                            Expression left,
                            Expression right) -> {
                Object a = value(left, row);
                Object b = value(right, row);
                yield a == null || b == null ? null : calculate(operator, a, b);
            }
        };
    }

    private static Object calculate(Expression.Operator operator, Object a, Object b) {
        if (isFloating(a) || isFloating(b)) {
            double x = ((Number) a).doubleValue();
            double y = ((Number) b).doubleValue();
            return switch (operator) {
                case PLUS -> x + y;
                case MINUS -> x - y;
                case TIMES -> x * y;
            };
        }
        if (isInt(a) && isInt(b)) {
            long x = ((Number) a).longValue();
            long y = ((Number) b).longValue();
            return switch (operator) {
                case PLUS -> x + y;
                case MINUS -> x - y;
                case TIMES -> x * y;
            };
        }
        BigDecimal x = decimal(a);
        BigDecimal y = decimal(b);
        return switch (operator) {
            case PLUS -> x.add(y);
            case MINUS -> x.subtract(y);
            case TIMES -> x.multiply(y);
        };
    }

    /**
     * Returns the order of two values that are not NULL: numbers by value, doubles by {@link Double#compare}, texts by
     * code point, bytes unsigned, UUIDs as their text, everything else as its Java type has it.
     */
    public static int compare(Object a, Object b) {
        return switch (a) {
            case Number x when isFloating(x) || isFloating(b) -> floating(x, (Number) b);
            case Number x when !(x instanceof BigDecimal) && b instanceof Long y ->
                    Long.compare(x.longValue(), y);
            case Number x -> decimal(x).compareTo(decimal(b));
            case String x -> compareTexts(x, (String) b);
            case byte[] x -> java.util.Arrays.compareUnsigned(x, (byte[]) b);
            case java.util.UUID x -> x.toString().compareTo(b.toString());
            case Boolean x -> x.compareTo((Boolean) b);
            case java.time.LocalDate x -> x.compareTo((java.time.LocalDate) b);
            case java.time.LocalTime x -> x.compareTo((java.time.LocalTime) b);
            case java.time.LocalDateTime x -> x.compareTo((java.time.LocalDateTime) b);
            case java.time.Instant x -> x.compareTo((java.time.Instant) b);
            default ->
                    throw new QueryException(
                            QueryException.Kind.INVALID_PLAN,
                            "values of type %s have no order".formatted(a.getClass().getName()));
        };
    }

    /** Binary numbers with exact ones are compared exactly, and NaN is above everything. */
    private static int floating(Number a, Number b) {
        double x = a.doubleValue();
        double y = b.doubleValue();
        boolean mixed = isFloating(a) != isFloating(b);
        return mixed && Double.isFinite(x) && Double.isFinite(y)
                ? decimal(a).compareTo(decimal(b))
                : Double.compare(x, y);
    }

    /** Compares two texts by code point: unlike in {@link String#compareTo}, surrogate pairs come after U+FFFF. */
    public static int compareTexts(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean surrogates = Character.isSurrogate(x) != Character.isSurrogate(y);
                return surrogates ? (Character.isSurrogate(x) ? 1 : -1) : x - y;
            }
        }
        return a.length() - b.length();
    }

    private static boolean isFloating(Object number) {
        return number instanceof Double || number instanceof Float;
    }

    private static boolean isInt(Object number) {
        return number instanceof Integer || number instanceof Short || number instanceof Byte;
    }

    private static BigDecimal decimal(Object number) {
        return switch (number) {
            case BigDecimal decimal -> decimal;
            case BigInteger whole -> new BigDecimal(whole);
            case Double binary -> new BigDecimal(binary);
            case Float binary -> new BigDecimal(binary);
            case Number whole -> BigDecimal.valueOf(whole.longValue());
            default -> throw new IllegalArgumentException("not a number");
        };
    }
}
