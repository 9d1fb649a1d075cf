package dev.penstock.query.typed.field;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A column of binary64 numbers. Immutable.
 *
 * @param entity the class of the entity
 * @param column the column's name in the database
 * @param getter the value in an entity, where it is not null
 * @param boxed the value in an entity, where it may be null; null for a column that holds none
 * @param <R> the entity
 */
public record DoubleField<R>(
        Class<R> entity,
        String column,
        ToDoubleFunction<R> getter,
        @Nullable Function<R, @Nullable Double> boxed)
        implements Numeric<R>, Field<R, Double>, ToDoubleFunction<R> {
    public DoubleField {
        requireNonNull(entity);
        requireNonNull(column);
        requireNonNull(getter);
    }

    /** A column that is never null. */
    public static <R> DoubleField<R> of(
            Class<R> entity, String column, ToDoubleFunction<R> getter) {
        return new DoubleField<>(entity, column, getter, null);
    }

    /** A column that may be null. */
    public static <R> DoubleField<R> nullable(
            Class<R> entity, String column, Function<R, @Nullable Double> boxed) {
        ToDoubleFunction<R> getter = row -> Conditions.present(entity, column, boxed.apply(row));
        return new DoubleField<>(entity, column, getter, boxed);
    }

    @Override
    public boolean isNullable() {
        return boxed != null;
    }

    @Override
    public @Nullable Double apply(R row) {
        return boxed == null ? (Double) getter.applyAsDouble(row) : boxed.apply(row);
    }

    /** The value; an error where it is null. */
    @Override
    public double applyAsDouble(R row) {
        return getter.applyAsDouble(row);
    }

    /** This field as what {@code mapToDouble} takes. */
    public ToDoubleFunction<R> asDouble() {
        return this;
    }

    /** Whether the value is this one. */
    public Condition<R> equal(double value) {
        return equal((Double) value);
    }

    /** Whether the value is null or another one. */
    public Condition<R> notEqual(double value) {
        return notEqual((Double) value);
    }

    /** Whether the value is less than this one. */
    public Condition<R> lessThan(double value) {
        return lessThan((Double) value);
    }

    /** Whether the value is at most this one. */
    public Condition<R> lessOrEqual(double value) {
        return lessOrEqual((Double) value);
    }

    /** Whether the value is greater than this one. */
    public Condition<R> greaterThan(double value) {
        return greaterThan((Double) value);
    }

    /** Whether the value is at least this one. */
    public Condition<R> greaterOrEqual(double value) {
        return greaterOrEqual((Double) value);
    }

    /** Whether {@code start <= value && value < end}. */
    public Condition<R> between(double start, double end) {
        return between((Double) start, (Double) end);
    }

    /** Whether the value lies between the two. */
    public Condition<R> between(double start, double end, RangeBounds inclusion) {
        return between((Double) start, (Double) end, inclusion);
    }

    /** Whether the value is not null and {@code value < start || value >= end}. */
    public Condition<R> notBetween(double start, double end) {
        return notBetween((Double) start, (Double) end);
    }

    /** Whether the value is not null and does not lie between the two. */
    public Condition<R> notBetween(double start, double end, RangeBounds inclusion) {
        return notBetween((Double) start, (Double) end, inclusion);
    }

    /** Whether the value is one of these; never of none. */
    public Condition<R> in(double... values) {
        return in(boxes(values));
    }

    /** Whether the value is not null and none of these. */
    public Condition<R> notIn(double... values) {
        return notIn(boxes(values));
    }

    private static List<Double> boxes(double[] values) {
        List<Double> boxes = new ArrayList<>(values.length);
        for (double value : values) {
            boxes.add(value);
        }
        return boxes;
    }

    /** The entity's and the column's name. */
    @Override
    public String toString() {
        return entity.getSimpleName() + "." + column;
    }
}
