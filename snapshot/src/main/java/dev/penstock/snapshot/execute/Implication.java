package dev.penstock.snapshot.execute;

import dev.penstock.query.ColumnType;
import dev.penstock.query.Evaluation;
import dev.penstock.query.NativeValue;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Table;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;

/**
 * A test whether each row that passes one condition passes another. It is sound and quick, and not complete: it knows
 * equal conditions, {@code and} and {@code or}, and comparisons of one column with values. Its answer no means that it
 * does not know.
 *
 * @param table the table whose columns the conditions name
 */
record Implication(Table table) {
    /** Returns whether no row passes the first condition that does not pass the second. */
    boolean holds(Predicate given, Predicate wanted) {
        if (wanted instanceof Predicate.And(List<Predicate> all)) {
            return all.stream().allMatch(each -> holds(given, each));
        }
        if (given instanceof Predicate.Or(List<Predicate> any)) {
            return given.equals(wanted) || any.stream().allMatch(each -> holds(each, wanted));
        }
        if (given instanceof Predicate.And(List<Predicate> all)) {
            return all.stream().anyMatch(each -> holds(each, wanted));
        }
        if (given.equals(wanted)) {
            return true;
        }
        return switch (wanted) {
            case Predicate.Or(List<Predicate> any) ->
                    any.stream().anyMatch(each -> holds(given, each));
            case Predicate.Comparison comparison -> compares(given, comparison);
            case Predicate.In in -> isAmong(given, in);
            case Predicate.Not(Predicate.IsNull(String column)) -> isPresent(given, column);
            case Predicate _ -> false;
        };
    }

    /** Returns whether a condition is passed only where a column is not NULL. */
    private static boolean isPresent(Predicate given, String column) {
        return switch (given) {
            case Predicate.Comparison(String name, Comparator comparator, _) ->
                    name.equals(column) && comparator != Comparator.NOT_EQUAL;
            case Predicate.In(String name, _) -> name.equals(column);
            case Predicate.Text text -> text.column().equals(column);
            case Predicate.Matches matches -> matches.column().equals(column);
            case Predicate _ -> false;
        };
    }

    private static boolean isAmong(Predicate given, Predicate.In wanted) {
        return switch (given) {
            case Predicate.Comparison(String name, Comparator comparator, Object value) ->
                    name.equals(wanted.column())
                            && comparator == Comparator.EQUAL
                            && wanted.values().contains(value);
            case Predicate.In(String name, List<Object> values) ->
                    name.equals(wanted.column())
                            && new HashSet<>(wanted.values()).containsAll(values);
            case Predicate _ -> false;
        };
    }

    private boolean compares(Predicate given, Predicate.Comparison wanted) {
        return switch (given) {
            case Predicate.Comparison known when known.column().equals(wanted.column()) ->
                    isWithin(known.comparator(), known.value(), wanted);
            case Predicate.In(String name, List<Object> values) when name.equals(wanted.column()) ->
                    values.stream().allMatch(value -> isWithin(Comparator.EQUAL, value, wanted));
            case Predicate _ -> false;
        };
    }

    /**
     * Returns whether a cell of which one comparison holds passes another: a range where it ends inside of the other. A
     * cell that is NULL passes none but {@code NOT_EQUAL}.
     */
    private boolean isWithin(Comparator known, Object value, Predicate.Comparison wanted) {
        if (!areComparable(value, wanted.value())) {
            return false;
        }
        int order = Evaluation.compare(value, wanted.value());
        Comparator asked = wanted.comparator();
        return switch (known) {
            case EQUAL -> asked.holds(order);
            case NOT_EQUAL -> asked == Comparator.NOT_EQUAL && order == 0;
            case LESS ->
                    (order <= 0 && isEnd(asked, Comparator.LESS))
                            || (asked == Comparator.LESS_OR_EQUAL
                                    && isNext(wanted, wanted.value(), value));
            case LESS_OR_EQUAL ->
                    (order < 0 && isEnd(asked, Comparator.LESS))
                            || (order == 0 && asked == Comparator.LESS_OR_EQUAL);
            case GREATER ->
                    (order >= 0 && isEnd(asked, Comparator.GREATER))
                            || (asked == Comparator.GREATER_OR_EQUAL
                                    && isNext(wanted, value, wanted.value()));
            case GREATER_OR_EQUAL ->
                    (order > 0 && isEnd(asked, Comparator.GREATER))
                            || (order == 0 && asked == Comparator.GREATER_OR_EQUAL);
        };
    }

    /** Returns whether a range that is strictly on that side of a value passes its comparison. */
    private static boolean isEnd(Comparator asked, Comparator side) {
        return switch (asked) {
            case EQUAL -> false;
            case NOT_EQUAL -> true;
            case LESS, LESS_OR_EQUAL -> side == Comparator.LESS;
            case GREATER, GREATER_OR_EQUAL -> side == Comparator.GREATER;
        };
    }

    /** Returns whether no cell of the column is between two whole numbers, of which the second is greater. */
    private boolean isNext(Predicate.Comparison of, Object one, Object other) {
        ColumnType type = table.column(of.column()).type();
        return (type == ColumnType.INT || type == ColumnType.LONG)
                && isWhole(one)
                && isWhole(other)
                && one instanceof Number x
                && other instanceof Number y
                && x.longValue() < y.longValue()
                && x.longValue() + 1 == y.longValue();
    }

    private static boolean isWhole(Object value) {
        return value instanceof Integer || value instanceof Long;
    }

    /** Returns whether two values are of types whose order is that of the column, whatever that is. */
    private static boolean areComparable(Object one, Object other) {
        boolean areExact = isExact(one) && isExact(other);
        return areExact || (one.getClass() == other.getClass() && !(one instanceof NativeValue));
    }

    private static boolean isExact(Object value) {
        return isWhole(value) || value instanceof BigDecimal;
    }
}
