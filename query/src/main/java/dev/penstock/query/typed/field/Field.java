package dev.penstock.query.typed.field;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Predicate.Comparator;
import java.util.Collection;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A column of an entity, from which conditions, orders and projections are made. Immutable.
 *
 * <p>A field is a {@link Function} from the entity to its value, and a {@link java.util.Comparator} of entities by that
 * value. Streams of a a typed table recognise it as either, and ask the database instead of calling it.
 *
 * <p>Every condition is false for a null value, except {@link #isNull} and {@link #notEqual}, which are true;
 * {@link Condition#negate} is the true complement. A null argument is an error at once.
 *
 * <p>Order: numbers by value, {@code NaN} above everything and −0.0 below 0.0; texts by Unicode code point; enum
 * constants as they are declared; {@code false} before {@code true}; bytes and UUIDs as unsigned.
 *
 * @param <R> the entity
 * @param <V> the value
 */
public sealed interface Field<R, V> extends Function<R, V>, java.util.Comparator<R>
        permits IntField,
                LongField,
                FloatField,
                DoubleField,
                BooleanField,
                CharField,
                TextField,
                ValueField,
                EnumField,
                BinaryField {
    /** Returns the class of the entity. */
    Class<R> entity();

    /** Returns the column's name in the database. */
    String column();

    /** Returns whether the value may be null. */
    boolean isNullable();

    /** Returns the value in an entity; null only where {@link #isNullable}. */
    @Override
    @SuppressWarnings(
            "NullAway") // for the caller it depends on the field; in here it is always minded
    @Nullable V apply(R row);

    /**
     * Returns a value that is read where there must be one.
     *
     * @throws NullPointerException if it is null
     */
    default V required(@Nullable V value) {
        return Conditions.present(entity(), column(), value);
    }

    /**
     * Returns the value as plans have it: the text of an enum constant or of a character, and big integers as decimals.
     */
    default Object planValue(V value) {
        return requireNonNull(value);
    }

    /** Returns the order of the values, which every engine keeps. */
    default java.util.Comparator<V> valueOrder() {
        return FieldComparators.values(this);
    }

    /** Returns this field as a function, for where it would be taken for a comparator. */
    default Function<R, V> asFunction() {
        return this;
    }

    /** Returns the condition that the value is null. */
    default Condition<R> isNull() {
        return Conditions.isNull(this);
    }

    /** Returns the condition that the value is not null. */
    default Condition<R> isNotNull() {
        return Condition.of(new FieldCondition.Present<>(this));
    }

    /** Returns the condition that the value is this one. */
    default Condition<R> equal(V value) {
        return Conditions.compare(this, Comparator.EQUAL, value);
    }

    /** Returns the condition that the value is null or another one. */
    default Condition<R> notEqual(V value) {
        return Conditions.compare(this, Comparator.NOT_EQUAL, value);
    }

    /** Returns the condition that the value comes before this one. */
    default Condition<R> lessThan(V value) {
        return Conditions.compare(this, Comparator.LESS, value);
    }

    /** Returns the condition that the value is this one or comes before it. */
    default Condition<R> lessOrEqual(V value) {
        return Conditions.compare(this, Comparator.LESS_OR_EQUAL, value);
    }

    /** Returns the condition that the value comes after this one. */
    default Condition<R> greaterThan(V value) {
        return Conditions.compare(this, Comparator.GREATER, value);
    }

    /** Returns the condition that the value is this one or comes after it. */
    default Condition<R> greaterOrEqual(V value) {
        return Conditions.compare(this, Comparator.GREATER_OR_EQUAL, value);
    }

    /** Returns the condition that the two values are equal and not null. */
    default Condition<R> equal(Field<R, V> other) {
        return Calculation.compare(this, Comparator.EQUAL, other);
    }

    /** Returns the condition that the two values differ, or just one of them is null. */
    default Condition<R> notEqual(Field<R, V> other) {
        return Calculation.compare(this, Comparator.NOT_EQUAL, other);
    }

    /** Returns the condition that the value comes before another field's. */
    default Condition<R> lessThan(Field<R, V> other) {
        return Calculation.compare(this, Comparator.LESS, other);
    }

    /** Returns the condition that the value comes before another field's or equals it. */
    default Condition<R> lessOrEqual(Field<R, V> other) {
        return Calculation.compare(this, Comparator.LESS_OR_EQUAL, other);
    }

    /** Returns the condition that the value comes after another field's. */
    default Condition<R> greaterThan(Field<R, V> other) {
        return Calculation.compare(this, Comparator.GREATER, other);
    }

    /** Returns the condition that the value comes after another field's or equals it. */
    default Condition<R> greaterOrEqual(Field<R, V> other) {
        return Calculation.compare(this, Comparator.GREATER_OR_EQUAL, other);
    }

    /** Returns the condition that {@code start <= value && value < end}. */
    default Condition<R> between(V start, V end) {
        return between(start, end, RangeBounds.START_INCLUSIVE_END_EXCLUSIVE);
    }

    /** Returns the condition that the value lies between the two; never where the start comes after the end. */
    default Condition<R> between(V start, V end, RangeBounds inclusion) {
        return Conditions.between(this, start, end, inclusion);
    }

    /** Returns the condition that the value is not null and {@code value < start || value >= end}. */
    default Condition<R> notBetween(V start, V end) {
        return notBetween(start, end, RangeBounds.START_INCLUSIVE_END_EXCLUSIVE);
    }

    /** Returns the condition that the value is not null and does not lie between the two. */
    default Condition<R> notBetween(V start, V end, RangeBounds inclusion) {
        return Conditions.complement(this, between(start, end, inclusion));
    }

    /** Returns the condition that the value is one of these; never of none. */
    default Condition<R> in(Collection<? extends V> values) {
        return Conditions.in(this, values);
    }

    /** Returns the condition that the value is not null and none of these. */
    default Condition<R> notIn(Collection<? extends V> values) {
        return Conditions.complement(this, in(values));
    }

    /**
     * Returns the condition that the value is one of those of a stream, such as {@code
     * Film.ID.in(actors.stream().filter(…).map(FilmActor.FILM_ID))}; never of none, and nulls in the stream are none.
     *
     * <p>The stream is used up, and closed with the stream that is filtered; it is asked by that one's terminal
     * operation. If both ask the same engine, and a plan can say all of the inner one, that is one query, which asks
     * anew each time. Otherwise the values are read before, once for each condition, and kept: 1,000,000 different
     * ones at the most, in a quarter of the heap.
     *
     * @throws IllegalArgumentException if the stream does not come from a typed table
     * @throws IllegalStateException if it was used before
     */
    default Condition<R> in(Stream<? extends V> values) {
        return Conditions.in(this, values);
    }

    /**
     * Returns the condition that the value is not null and none of those of a stream, which {@link #in(Stream)} says
     * more of.
     */
    default Condition<R> notIn(Stream<? extends V> values) {
        return Conditions.complement(this, in(values));
    }

    /** Returns the order of entities by this value, nulls last. */
    default FieldOrder<R> comparator() {
        return FieldOrder.of(this);
    }

    /** Returns the reverse of {@link #comparator}: the largest value first, nulls before all. */
    @Override
    default FieldOrder<R> reversed() {
        return comparator().reversed();
    }

    /** Returns the order of entities by this value, nulls first. */
    default FieldOrder<R> nullsFirst() {
        return comparator().nullsFirst();
    }

    /** Returns the order of entities by this value, nulls last. */
    default FieldOrder<R> nullsLast() {
        return comparator();
    }

    /**
     * Returns the order of entities by this value, nulls last, and of those with the same value by another field, nulls
     * last.
     */
    default <U extends Comparable<? super U>> FieldOrder<R> thenComparing(Field<R, U> next) {
        return comparator().thenComparing(next);
    }

    /** Returns the order of entities by this value, nulls last, and of those with the same value by another order. */
    default FieldOrder<R> thenComparing(FieldOrder<R> next) {
        return comparator().thenComparing(next);
    }

    @Override
    default java.util.Comparator<R> thenComparing(java.util.Comparator<? super R> next) {
        return comparator().thenComparing(next);
    }

    /** Compares as {@link #comparator} does. */
    @Override
    default int compare(R a, R b) {
        return FieldComparators.compare(this, a, b);
    }
}
