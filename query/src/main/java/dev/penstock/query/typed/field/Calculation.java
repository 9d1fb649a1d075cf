package dev.penstock.query.typed.field;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Evaluation;
import dev.penstock.query.Expression;
import dev.penstock.query.Expression.Operator;
import dev.penstock.query.Predicate.Comparator;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A number that is calculated from fields, such as {@code LENGTH.plus(10).times(DAYS)}. It compares with values, fields
 * and other such numbers, whatever their types. A comparison with null is false; only {@link #notEqual} is true where
 * one side is null and the other is not. Immutable.
 *
 * @param <R> the entity
 */
public final class Calculation<R> implements Numeric<R> {
    private final Class<R> entity;
    private final Expression expression;
    private final Map<String, Field<R, ?>> fields;
    private final int depth;

    private Calculation(
            Class<R> entity, Expression expression, Map<String, Field<R, ?>> fields, int depth) {
        this.entity = entity;
        this.expression = expression;
        this.fields = fields;
        this.depth = depth;
        if (depth > Condition.MAX_DEPTH) {
            throw new IllegalArgumentException(
                    "a number of %s is calculated in more than %d steps; use fewer"
                            .formatted(entity.getSimpleName(), Condition.MAX_DEPTH));
        }
    }

    static <R> Calculation<R> of(Numeric<R> number) {
        return switch (number) {
            case Calculation<R> same -> same;
            case IntField<R> field -> field(field);
            case LongField<R> field -> field(field);
            case FloatField<R> field -> field(field);
            case DoubleField<R> field -> field(field);
            case ValueField<R, ?> field -> {
                if (field.type() != BigDecimal.class && field.type() != BigInteger.class) {
                    throw new IllegalArgumentException(
                            "calculating with %s, which holds a %s and no number"
                                    .formatted(field, field.type().getSimpleName()));
                }
                yield field(field);
            }
        };
    }

    static <R> Calculation<R> field(Field<R, ?> field) {
        return new Calculation<>(
                field.entity(),
                new Expression.ColumnValue(field.column()),
                Map.of(field.column(), field),
                0);
    }

    Calculation<R> with(Operator operator, Calculation<R> other) {
        return new Calculation<>(
                entity,
                new Expression.Arithmetic(operator, expression, other.expression),
                both(other),
                Math.max(depth, other.depth) + 1);
    }

    Calculation<R> with(Operator operator, Number value) {
        Expression literal = literal(value);
        return new Calculation<>(
                entity,
                new Expression.Arithmetic(operator, expression, literal),
                fields,
                depth + 1);
    }

    private Map<String, Field<R, ?>> both(Calculation<R> other) {
        if (other.entity != entity) {
            throw new IllegalArgumentException(
                    "a number of %s meets one of %s; use the fields of one entity"
                            .formatted(entity.getSimpleName(), other.entity.getSimpleName()));
        }
        Map<String, Field<R, ?>> both = new HashMap<>(fields);
        both.putAll(other.fields);
        return both;
    }

    private Expression literal(@Nullable Object value) {
        if (value == null) {
            throw new NullPointerException(
                    "a number of " + entity.getSimpleName() + " meets null; give a value");
        }
        return new Expression.Literal(
                value instanceof Long wide && wide == wide.intValue() ? wide.intValue() : value);
    }

    /** Returns the condition that the two are equal. */
    public Condition<R> equal(Numeric<R> other) {
        return compare(Comparator.EQUAL, other.number());
    }

    /** Returns the condition that this equals the value. */
    public Condition<R> equal(long value) {
        return compare(Comparator.EQUAL, value);
    }

    /** Returns the condition that this equals the value, whatever its scale. */
    public Condition<R> equal(BigDecimal value) {
        return compare(Comparator.EQUAL, value);
    }

    /** Returns the condition that the two differ, or just one of them is null. */
    public Condition<R> notEqual(Numeric<R> other) {
        return compare(Comparator.NOT_EQUAL, other.number());
    }

    /** Returns the condition that this is null or another value. */
    public Condition<R> notEqual(long value) {
        return compare(Comparator.NOT_EQUAL, value);
    }

    /** Returns the condition that this is null or another value, whatever its scale. */
    public Condition<R> notEqual(BigDecimal value) {
        return compare(Comparator.NOT_EQUAL, value);
    }

    /** Returns the condition that this is less than the other. */
    public Condition<R> lessThan(Numeric<R> other) {
        return compare(Comparator.LESS, other.number());
    }

    /** Returns the condition that this is less than the value. */
    public Condition<R> lessThan(long value) {
        return compare(Comparator.LESS, value);
    }

    /** Returns the condition that this is less than the value. */
    public Condition<R> lessThan(BigDecimal value) {
        return compare(Comparator.LESS, value);
    }

    /** Returns the condition that this is at most the other. */
    public Condition<R> lessOrEqual(Numeric<R> other) {
        return compare(Comparator.LESS_OR_EQUAL, other.number());
    }

    /** Returns the condition that this is at most the value. */
    public Condition<R> lessOrEqual(long value) {
        return compare(Comparator.LESS_OR_EQUAL, value);
    }

    /** Returns the condition that this is at most the value. */
    public Condition<R> lessOrEqual(BigDecimal value) {
        return compare(Comparator.LESS_OR_EQUAL, value);
    }

    /** Returns the condition that this is greater than the other. */
    public Condition<R> greaterThan(Numeric<R> other) {
        return compare(Comparator.GREATER, other.number());
    }

    /** Returns the condition that this is greater than the value. */
    public Condition<R> greaterThan(long value) {
        return compare(Comparator.GREATER, value);
    }

    /** Returns the condition that this is greater than the value. */
    public Condition<R> greaterThan(BigDecimal value) {
        return compare(Comparator.GREATER, value);
    }

    /** Returns the condition that this is at least the other. */
    public Condition<R> greaterOrEqual(Numeric<R> other) {
        return compare(Comparator.GREATER_OR_EQUAL, other.number());
    }

    /** Returns the condition that this is at least the value. */
    public Condition<R> greaterOrEqual(long value) {
        return compare(Comparator.GREATER_OR_EQUAL, value);
    }

    /** Returns the condition that this is at least the value. */
    public Condition<R> greaterOrEqual(BigDecimal value) {
        return compare(Comparator.GREATER_OR_EQUAL, value);
    }

    private Condition<R> compare(Comparator comparator, Number value) {
        Expression literal = literal(value);
        return new Calculation<>(entity, literal, fields, 0).relation(this, comparator);
    }

    private Condition<R> compare(Comparator comparator, Calculation<R> other) {
        return new Calculation<>(entity, other.expression, both(other), other.depth)
                .relation(this, comparator);
    }

    /** Returns the condition that has this on its right side. */
    private Condition<R> relation(Calculation<R> left, Comparator comparator) {
        dev.penstock.query.Predicate.Relation relation =
                new dev.penstock.query.Predicate.Relation(left.expression, comparator, expression);
        return new Condition<>(
                entity, relation, row -> Evaluation.test(relation, cells(fields, row)));
    }

    private static <R> Function<String, @Nullable Object> cells(
            Map<String, Field<R, ?>> fields, R row) {
        return column -> cell(requireNonNull(fields.get(column)), row);
    }

    /** Returns a field's value as plans have it. */
    private static <R, V> @Nullable Object cell(Field<R, V> field, R row) {
        V value = field.apply(row);
        return value == null ? null : field.planValue(value);
    }

    /** Compares two fields of one type. */
    static <R, V> Condition<R> compare(
            Field<R, V> left, Comparator comparator, @Nullable Field<R, V> right) {
        if (right == null) {
            throw new NullPointerException(
                    "a condition compares " + left + " with a field that is null");
        }
        if (left instanceof EnumField<R, ?> constants
                && comparator != Comparator.EQUAL
                && comparator != Comparator.NOT_EQUAL) {
            return Conditions.compareConstants(constants, left, comparator, right);
        }
        return field(left).compare(comparator, field(right));
    }

    @Override
    public String toString() {
        return "number of " + entity.getSimpleName();
    }
}
