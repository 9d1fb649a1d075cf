package dev.penstock.query.typed.field;

import dev.penstock.query.Expression.Operator;
import java.math.BigDecimal;

/**
 * A number of an entity: a field of numbers, or what is calculated from such. Whole numbers and decimals are calculated with exactly and never
 * wrap; where one side is a {@code float} or {@code double}, it is in binary64. Where a part is null, so is the whole. Immutable.
 *
 * @param <R> the entity
 */
public sealed interface Numeric<R>
        permits IntField, LongField, FloatField, DoubleField, ValueField, Arithmetic {
    /** This as a number, which compares with numbers of every other type. */
    default Arithmetic<R> number() {
        return Arithmetic.of(this);
    }

    /** The sum. */
    default Arithmetic<R> plus(Numeric<R> other) {
        return number().with(Operator.PLUS, other.number());
    }

    /** The sum. */
    default Arithmetic<R> plus(long other) {
        return number().with(Operator.PLUS, other);
    }

    /** The sum. */
    default Arithmetic<R> plus(BigDecimal other) {
        return number().with(Operator.PLUS, other);
    }

    /** The difference. */
    default Arithmetic<R> minus(Numeric<R> other) {
        return number().with(Operator.MINUS, other.number());
    }

    /** The difference. */
    default Arithmetic<R> minus(long other) {
        return number().with(Operator.MINUS, other);
    }

    /** The difference. */
    default Arithmetic<R> minus(BigDecimal other) {
        return number().with(Operator.MINUS, other);
    }

    /** The product. */
    default Arithmetic<R> times(Numeric<R> other) {
        return number().with(Operator.TIMES, other.number());
    }

    /** The product. */
    default Arithmetic<R> times(long other) {
        return number().with(Operator.TIMES, other);
    }

    /** The product. */
    default Arithmetic<R> times(BigDecimal other) {
        return number().with(Operator.TIMES, other);
    }
}
