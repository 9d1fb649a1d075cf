package dev.penstock.query.typed.field;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A column of {@code int} values, or of whole numbers with fewer bits. Immutable.
 *
 * @param entity the class of the entity
 * @param column the column's name in the database
 * @param getter the value in an entity, where it is not null
 * @param boxed the value in an entity, where it may be null; null for a column that holds none
 * @param <R> the entity
 */
public record IntField<R>(
        Class<R> entity,
        String column,
        ToIntFunction<R> getter,
        @Nullable Function<R, @Nullable Integer> boxed)
        implements Numeric<R>,
                Field<R, Integer>,
                ToIntFunction<R>,
                ToLongFunction<R>,
                ToDoubleFunction<R> {
    public IntField {
        requireNonNull(entity);
        requireNonNull(column);
        requireNonNull(getter);
    }

    /** Returns a column that is never null. */
    public static <R> IntField<R> of(Class<R> entity, String column, ToIntFunction<R> getter) {
        return new IntField<>(entity, column, getter, null);
    }

    /** Returns a column that may be null. */
    public static <R> IntField<R> nullable(
            Class<R> entity, String column, Function<R, @Nullable Integer> boxed) {
        ToIntFunction<R> getter = row -> Conditions.present(entity, column, boxed.apply(row));
        return new IntField<>(entity, column, getter, boxed);
    }

    @Override
    public boolean isNullable() {
        return boxed != null;
    }

    @Override
    public @Nullable Integer apply(R row) {
        return boxed == null ? (Integer) getter.applyAsInt(row) : boxed.apply(row);
    }

    /** Returns the value; an error where it is null. */
    @Override
    public int applyAsInt(R row) {
        return getter.applyAsInt(row);
    }

    /** Returns the value, widened; an error where it is null. */
    @Override
    public long applyAsLong(R row) {
        return getter.applyAsInt(row);
    }

    /** Returns the value as a double, the nearest where there is none; an error where it is null. */
    @Override
    public double applyAsDouble(R row) {
        return getter.applyAsInt(row);
    }

    /** Returns this field as what {@code mapToInt} takes. */
    public ToIntFunction<R> asInt() {
        return this;
    }

    /** Returns this field as what {@code mapToLong} takes. */
    public ToLongFunction<R> asLong() {
        return this;
    }

    /** Returns this field as what {@code mapToDouble} takes. */
    public ToDoubleFunction<R> asDouble() {
        return this;
    }

    /** Returns the condition that the value is this one. */
    public Condition<R> equal(int value) {
        return equal((Integer) value);
    }

    /** Returns the condition that the value is null or another one. */
    public Condition<R> notEqual(int value) {
        return notEqual((Integer) value);
    }

    /** Returns the condition that the value is less than this one. */
    public Condition<R> lessThan(int value) {
        return lessThan((Integer) value);
    }

    /** Returns the condition that the value is at most this one. */
    public Condition<R> lessOrEqual(int value) {
        return lessOrEqual((Integer) value);
    }

    /** Returns the condition that the value is greater than this one. */
    public Condition<R> greaterThan(int value) {
        return greaterThan((Integer) value);
    }

    /** Returns the condition that the value is at least this one. */
    public Condition<R> greaterOrEqual(int value) {
        return greaterOrEqual((Integer) value);
    }

    /** Returns the condition that {@code start <= value && value < end}. */
    public Condition<R> between(int start, int end) {
        return between((Integer) start, (Integer) end);
    }

    /** Returns the condition that the value lies between the two. */
    public Condition<R> between(int start, int end, RangeBounds inclusion) {
        return between((Integer) start, (Integer) end, inclusion);
    }

    /** Returns the condition that the value is not null and {@code value < start || value >= end}. */
    public Condition<R> notBetween(int start, int end) {
        return notBetween((Integer) start, (Integer) end);
    }

    /** Returns the condition that the value is not null and does not lie between the two. */
    public Condition<R> notBetween(int start, int end, RangeBounds inclusion) {
        return notBetween((Integer) start, (Integer) end, inclusion);
    }

    /** Returns the condition that the value is one of these; never of none. */
    public Condition<R> in(int... values) {
        return in(boxes(values));
    }

    /** Returns the condition that the value is not null and none of these. */
    public Condition<R> notIn(int... values) {
        return notIn(boxes(values));
    }

    private static List<Integer> boxes(int[] values) {
        List<Integer> boxes = new ArrayList<>(values.length);
        for (int value : values) {
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
