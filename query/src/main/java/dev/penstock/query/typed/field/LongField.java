package dev.penstock.query.typed.field;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A column of whole numbers of at most 64 bits. Immutable.
 *
 * @param entity the class of the entity
 * @param column the column's name in the database
 * @param getter the value in an entity, where it is not null
 * @param boxed the value in an entity, where it may be null; null for a column that holds none
 * @param <R> the entity
 */
public record LongField<R>(
        Class<R> entity,
        String column,
        ToLongFunction<R> getter,
        @Nullable Function<R, @Nullable Long> boxed)
        implements Numeric<R>, Field<R, Long>, ToLongFunction<R>, ToDoubleFunction<R> {
    public LongField {
        requireNonNull(entity);
        requireNonNull(column);
        requireNonNull(getter);
    }

    /** A column that is never null. */
    public static <R> LongField<R> of(Class<R> entity, String column, ToLongFunction<R> getter) {
        return new LongField<>(entity, column, getter, null);
    }

    /** A column that may be null. */
    public static <R> LongField<R> nullable(
            Class<R> entity, String column, Function<R, @Nullable Long> boxed) {
        ToLongFunction<R> getter = row -> Conditions.present(entity, column, boxed.apply(row));
        return new LongField<>(entity, column, getter, boxed);
    }

    @Override
    public boolean isNullable() {
        return boxed != null;
    }

    @Override
    public @Nullable Long apply(R row) {
        return boxed == null ? (Long) getter.applyAsLong(row) : boxed.apply(row);
    }

    /** The value; an error where it is null. */
    @Override
    public long applyAsLong(R row) {
        return getter.applyAsLong(row);
    }

    /** The value, rounded to the nearest double; an error where it is null. */
    @Override
    public double applyAsDouble(R row) {
        return getter.applyAsLong(row);
    }

    /** This field as what {@code mapToLong} takes. */
    public ToLongFunction<R> asLong() {
        return this;
    }

    /** This field as what {@code mapToDouble} takes. */
    public ToDoubleFunction<R> asDouble() {
        return this;
    }

    /** Whether the value is this one. */
    public Condition<R> equal(long value) {
        return equal((Long) value);
    }

    /** Whether the value is null or another one. */
    public Condition<R> notEqual(long value) {
        return notEqual((Long) value);
    }

    /** Whether the value is less than this one. */
    public Condition<R> lessThan(long value) {
        return lessThan((Long) value);
    }

    /** Whether the value is at most this one. */
    public Condition<R> lessOrEqual(long value) {
        return lessOrEqual((Long) value);
    }

    /** Whether the value is greater than this one. */
    public Condition<R> greaterThan(long value) {
        return greaterThan((Long) value);
    }

    /** Whether the value is at least this one. */
    public Condition<R> greaterOrEqual(long value) {
        return greaterOrEqual((Long) value);
    }

    /** Whether {@code start <= value && value < end}. */
    public Condition<R> between(long start, long end) {
        return between((Long) start, (Long) end);
    }

    /** Whether the value lies between the two. */
    public Condition<R> between(long start, long end, RangeBounds inclusion) {
        return between((Long) start, (Long) end, inclusion);
    }

    /** Whether the value is not null and {@code value < start || value >= end}. */
    public Condition<R> notBetween(long start, long end) {
        return notBetween((Long) start, (Long) end);
    }

    /** Whether the value is not null and does not lie between the two. */
    public Condition<R> notBetween(long start, long end, RangeBounds inclusion) {
        return notBetween((Long) start, (Long) end, inclusion);
    }

    /** Whether the value is one of these; never of none. */
    public Condition<R> in(long... values) {
        return in(boxes(values));
    }

    /** Whether the value is not null and none of these. */
    public Condition<R> notIn(long... values) {
        return notIn(boxes(values));
    }

    private static List<Long> boxes(long[] values) {
        List<Long> boxes = new ArrayList<>(values.length);
        for (long value : values) {
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
