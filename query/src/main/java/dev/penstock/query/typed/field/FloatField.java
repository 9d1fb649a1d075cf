package dev.penstock.query.typed.field;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A column of {@code float} values. Immutable.
 *
 * @param entity the class of the entity
 * @param column the column's name in the database
 * @param getter the value in an entity, where it is not null
 * @param boxed the value in an entity, where it may be null; null for a column that holds none
 * @param <R> the entity
 */
public record FloatField<R>(
        Class<R> entity,
        String column,
        ToDoubleFunction<R> getter,
        @Nullable Function<R, @Nullable Float> boxed)
        implements Numeric<R>, Field<R, Float>, ToDoubleFunction<R> {
    public FloatField {
        requireNonNull(entity);
        requireNonNull(column);
        requireNonNull(getter);
    }

    /** Returns a column that is never null. */
    public static <R> FloatField<R> of(Class<R> entity, String column, ToDoubleFunction<R> getter) {
        return new FloatField<>(entity, column, getter, null);
    }

    /** Returns a column that may be null. */
    public static <R> FloatField<R> nullable(
            Class<R> entity, String column, Function<R, @Nullable Float> boxed) {
        ToDoubleFunction<R> getter = row -> Conditions.present(entity, column, boxed.apply(row));
        return new FloatField<>(entity, column, getter, boxed);
    }

    @Override
    public boolean isNullable() {
        return boxed != null;
    }

    @Override
    @SuppressWarnings(
            "cast") // in the class for double, which is made from this one, it casts to the same
    // type
    public @Nullable Float apply(R row) {
        return boxed == null ? (Float) (float) getter.applyAsDouble(row) : boxed.apply(row);
    }

    /** Returns the value; an error where it is null. */
    @Override
    public double applyAsDouble(R row) {
        return getter.applyAsDouble(row);
    }

    /** Returns this field as what {@code mapToDouble} takes. */
    public ToDoubleFunction<R> asDouble() {
        return this;
    }

    /** Returns the condition that the value is this one. */
    public Condition<R> equal(float value) {
        return equal((Float) value);
    }

    /** Returns the condition that the value is null or another one. */
    public Condition<R> notEqual(float value) {
        return notEqual((Float) value);
    }

    /** Returns the condition that the value is less than this one. */
    public Condition<R> lessThan(float value) {
        return lessThan((Float) value);
    }

    /** Returns the condition that the value is at most this one. */
    public Condition<R> lessOrEqual(float value) {
        return lessOrEqual((Float) value);
    }

    /** Returns the condition that the value is greater than this one. */
    public Condition<R> greaterThan(float value) {
        return greaterThan((Float) value);
    }

    /** Returns the condition that the value is at least this one. */
    public Condition<R> greaterOrEqual(float value) {
        return greaterOrEqual((Float) value);
    }

    /** Returns the condition that {@code start <= value && value < end}. */
    public Condition<R> between(float start, float end) {
        return between((Float) start, (Float) end);
    }

    /** Returns the condition that the value lies between the two. */
    public Condition<R> between(float start, float end, RangeBounds inclusion) {
        return between((Float) start, (Float) end, inclusion);
    }

    /** Returns the condition that the value is not null and {@code value < start || value >= end}. */
    public Condition<R> notBetween(float start, float end) {
        return notBetween((Float) start, (Float) end);
    }

    /** Returns the condition that the value is not null and does not lie between the two. */
    public Condition<R> notBetween(float start, float end, RangeBounds inclusion) {
        return notBetween((Float) start, (Float) end, inclusion);
    }

    /** Returns the condition that the value is one of these; never of none. */
    public Condition<R> in(float... values) {
        return in(boxes(values));
    }

    /** Returns the condition that the value is not null and none of these. */
    public Condition<R> notIn(float... values) {
        return notIn(boxes(values));
    }

    private static List<Float> boxes(float[] values) {
        List<Float> boxes = new ArrayList<>(values.length);
        for (float value : values) {
            boxes.add(value);
        }
        return boxes;
    }

    /** Returns the entity's and the column's name. */
    @Override
    public String toString() {
        return entity.getSimpleName() + "." + column;
    }
}
