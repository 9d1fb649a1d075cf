package dev.penstock.query;

import static java.util.Objects.requireNonNull;

/**
 * A value calculated from a row: a cell, a constant, or the result of arithmetic on two expressions. Whole numbers
 * never wrap and decimals are never rounded; where a part is NULL, so is the whole.
 */
public sealed interface Expression {
    /** An operation on two numbers. */
    enum Operator {
        PLUS,
        MINUS,
        TIMES
    }

    /** A cell. */
    record ColumnValue(String column) implements Expression {
        public ColumnValue {
            requireNonNull(column);
        }
    }

    /** A value, of one of the Java types that {@link Predicate} names. */
    record Literal(Object value) implements Expression {
        public Literal {
            requireNonNull(value);
        }
    }

    /** The result of an operation on two expressions. */
    record Arithmetic(Operator operator, Expression left, Expression right) implements Expression {
        public Arithmetic {
            requireNonNull(operator);
            requireNonNull(left);
            requireNonNull(right);
        }
    }

    /**
     * Returns what the expression comes to over rows of {@code source}. Of arithmetic that is: {@code LONG} where both
     * sides are {@code INT}, {@code DOUBLE} where one is {@code FLOAT} or {@code DOUBLE}, else {@code DECIMAL}.
     *
     * @throws QueryException if it names a column that is not there, or calculates with what is no number
     */
    default ColumnType type(Source source) {
        return switch (this) {
            case ColumnValue(String column) -> source.column(column).type();
            case Literal(Object value) -> ColumnType.of(value);
            case Arithmetic(Operator operator, Expression left, Expression right) ->
                    type(operator, left.type(source), right.type(source));
        };
    }

    private static ColumnType type(Operator operator, ColumnType left, ColumnType right) {
        if (!left.isNumeric() || !right.isNumeric()) {
            throw new QueryException(
                    QueryException.Kind.INVALID_PLAN,
                    "%s takes numbers, not %s and %s".formatted(operator, left, right));
        }
        if (left.isFloating() || right.isFloating()) {
            return ColumnType.DOUBLE;
        }
        return left == ColumnType.INT && right == ColumnType.INT
                ? ColumnType.LONG
                : ColumnType.DECIMAL;
    }
}
