package dev.penstock.query.typed.field;

import dev.penstock.query.Expression.Operator;
import java.math.BigDecimal;

/**
 * A number of an entity: a field of numbers, or a calculation with such fields. Whole numbers and decimals are
 * calculated exactly and never wrap; where one side is a {@code float} or {@code double}, it is in binary64. Where a
 * part is null, so is the whole. Immutable.
 *
 * @param <R> the entity
 */
public sealed interface Numeric<R>
        permits IntField, LongField, FloatField, DoubleField, ValueField, Calculation {
    /** Returns this as a number, which compares with numbers of every other type. */
    default Calculation<R> number() {
        return Calculation.of(this);
    }

    /** Adds a number. */
    default Calculation<R> plus(Numeric<R> other) {
        return number().with(Operator.PLUS, other.number());
    }

    /** Adds a number. */
    default Calculation<R> plus(long other) {
        return number().with(Operator.PLUS, other);
    }

    /** Adds a number. */
    default Calculation<R> plus(BigDecimal other) {
        return number().with(Operator.PLUS, other);
    }

    /** Subtracts a number. */
    default Calculation<R> minus(Numeric<R> other) {
        return number().with(Operator.MINUS, other.number());
    }

    /** Subtracts a number. */
    default Calculation<R> minus(long other) {
        return number().with(Operator.MINUS, other);
    }

    /** Subtracts a number. */
    default Calculation<R> minus(BigDecimal other) {
        return number().with(Operator.MINUS, other);
    }

    /** Multiplies by a number. */
    default Calculation<R> times(Numeric<R> other) {
        return number().with(Operator.TIMES, other.number());
    }

    /** Multiplies by a number. */
    default Calculation<R> times(long other) {
        return number().with(Operator.TIMES, other);
    }

    /** Multiplies by a number. */
    default Calculation<R> times(BigDecimal other) {
        return number().with(Operator.TIMES, other);
    }
}
