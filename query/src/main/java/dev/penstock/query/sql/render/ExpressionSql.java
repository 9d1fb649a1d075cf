package dev.penstock.query.sql.render;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Expression;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.QueryException;
import dev.penstock.query.sql.statement.BoundComparison;
import dev.penstock.query.sql.statement.DecimalDigits;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.Literals;
import dev.penstock.query.sql.statement.SqlBuilder;
import dev.penstock.query.sql.statement.SqlTable;
import dev.penstock.query.sql.statement.UnsupportedPlanException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A writer of expressions. Whole numbers are calculated with in 64 bits where that is enough, else as decimals; neither
 * overflows or is rounded.
 */
final class ExpressionSql {
    private static final Pattern PRECISION = Pattern.compile("\\((\\d+)(?:,\\s*(\\d+))?\\)");

    private final SqlTable table;
    private final Dialect dialect;
    private final Literals literals;
    private final SqlBuilder sql;

    ExpressionSql(SqlTable table, Dialect dialect, Literals literals, SqlBuilder sql) {
        this.table = table;
        this.dialect = dialect;
        this.literals = literals;
        this.sql = sql;
    }

    static UnsupportedPlanException inexact() {
        return new UnsupportedPlanException(
                "arithmetic with binary fractions, or a comparison of them with exact numbers, overflows and rounds"
                        + " differently in a database");
    }

    ColumnType type(Expression expression) {
        return switch (expression) {
            case Expression.ColumnValue(String name) -> table.column(name).column().type();
            case Expression.Literal(Object value) -> ColumnType.of(literals.raw(value));
            case Expression.Arithmetic(var operator, var left, var right) ->
                    new Expression.Arithmetic(operator, left(left), left(right))
                            .type(table.table());
        };
    }

    /** Returns the same with values in place of parameters. */
    private Expression left(Expression expression) {
        return switch (expression) {
            case Expression.ColumnValue _ -> expression;
            case Expression.Literal(Object value) -> new Expression.Literal(literals.raw(value));
            case Expression.Arithmetic(var operator, var left, var right) ->
                    new Expression.Arithmetic(operator, left(left), left(right));
        };
    }

    void write(Expression expression) {
        switch (expression) {
            case Expression.ColumnValue(String name) -> sql.add(table.column(name).comparable());
            case Expression.Literal(Object value) -> literal(value);
            case Expression.Arithmetic arithmetic -> arithmetic(arithmetic);
        }
    }

    private void literal(Object literal) {
        ColumnType type = ColumnType.of(literals.raw(literal));
        if (!type.isNumeric() || type.isFloating()) {
            throw inexact();
        }
        BoundComparison comparison = literals.bind(literal, this::bind);
        if (comparison instanceof BoundComparison.Bound bound) {
            DecimalDigits digits = DecimalDigits.of(number(bound.value()));
            String parameter =
                    dialect.literal(type == ColumnType.INT ? ColumnType.LONG : type, digits);
            sql.bind(parameter, Literals.binding(literal, bound), dialect::bindable);
        }
    }

    private BoundComparison bind(Object value) {
        Object whole = value instanceof Number n && isWhole(n) ? (Object) n.longValue() : null;
        Object number = whole == null ? number(value) : whole;
        DecimalDigits digits = DecimalDigits.of(number(number));
        requireDigits(digits);
        // The type of what is calculated depends on the literal's: an INT, a LONG or a decimal of
        // so many digits.
        int detail =
                whole == null
                        ? 1 + digits.whole() * 1024 + digits.fraction()
                        : value instanceof Long ? 1 : 0;
        return new BoundComparison.Bound(Comparator.EQUAL, number, detail);
    }

    private static boolean isWhole(Number value) {
        return value instanceof Integer
                || value instanceof Long
                || value instanceof Short
                || value instanceof Byte;
    }

    private static BigDecimal number(Object value) {
        return switch (value) {
            case BigDecimal decimal -> decimal.scale() < 0 ? decimal.setScale(0) : decimal;
            case BigInteger whole -> new BigDecimal(whole);
            case Number whole when isWhole(whole) -> BigDecimal.valueOf(whole.longValue());
            default ->
                    throw new QueryException(
                            QueryException.Kind.INVALID_PLAN,
                            "arithmetic takes no " + value.getClass().getSimpleName());
        };
    }

    private void arithmetic(Expression.Arithmetic arithmetic) {
        ColumnType type = type(arithmetic);
        if (type.isFloating()) {
            throw inexact();
        }
        requireDigits(digits(arithmetic));
        sql.add("(");
        operand(arithmetic.left(), type);
        sql.add(
                switch (arithmetic.operator()) {
                    case PLUS -> " + ";
                    case MINUS -> " - ";
                    case TIMES -> " * ";
                });
        operand(arithmetic.right(), type);
        sql.add(")");
    }

    private void operand(Expression expression, ColumnType wanted) {
        String databaseType =
                expression instanceof Expression.ColumnValue(String name)
                        ? table.column(name).column().databaseType()
                        : "";
        String cast =
                wanted == ColumnType.LONG
                        ? dialect.toLong()
                        : dialect.toDecimal(type(expression), databaseType);
        sql.wrap(cast, () -> write(expression));
    }

    private void requireDigits(DecimalDigits digits) {
        if (digits.all() > dialect.decimalDigits() || digits.fraction() > dialect.decimalScale()) {
            throw new UnsupportedPlanException(
                    "arithmetic may come to %d digits, %d of them fractional; %s has %d and %d"
                            .formatted(
                                    digits.all(),
                                    digits.fraction(),
                                    dialect.name(),
                                    dialect.decimalDigits(),
                                    dialect.decimalScale()));
        }
    }

    DecimalDigits digits(Expression expression) {
        return switch (expression) {
            case Expression.ColumnValue(String name) -> digits(table.column(name).column());
            case Expression.Literal(Object value) -> DecimalDigits.of(number(literals.raw(value)));
            case Expression.Arithmetic(Expression.Operator operator, var left, var right) -> {
                DecimalDigits a = digits(left);
                DecimalDigits b = digits(right);
                yield operator == Expression.Operator.TIMES
                        ? new DecimalDigits(a.whole() + b.whole(), a.fraction() + b.fraction())
                        : new DecimalDigits(
                                Math.max(a.whole(), b.whole()) + 1,
                                Math.max(a.fraction(), b.fraction()));
            }
        };
    }

    /**
     * Returns the digits of a column. One of undeclared precision is taken for a usual one; only databases without a
     * limit of digits have those.
     */
    private static DecimalDigits digits(Column column) {
        return switch (column.type()) {
            case INT -> new DecimalDigits(10, 0);
            case LONG -> new DecimalDigits(19, 0);
            default -> {
                Matcher declared = PRECISION.matcher(column.databaseType());
                if (!declared.find()) {
                    yield new DecimalDigits(20, 0);
                }
                int precision = Integer.parseInt(declared.group(1));
                String scale = declared.group(2);
                int fraction = scale == null ? 0 : Integer.parseInt(scale);
                yield new DecimalDigits(Math.max(precision - fraction, 1), fraction);
            }
        };
    }
}
