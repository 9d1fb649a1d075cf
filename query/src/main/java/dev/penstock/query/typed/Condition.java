package dev.penstock.query.typed;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Predicate;
import java.util.ArrayList;
import java.util.List;

/**
 * A condition on the fields of an entity, as {@link Field#equal} and its like give it. It can be tested on an entity like any {@link
 * java.util.function.Predicate}; streams of a a typed table send it to the database instead, also when it was joined with other
 * conditions by {@link #and}, {@link #or} and {@link #negate}. Immutable.
 *
 * @param <R> the entity
 */
public final class Condition<R> implements java.util.function.Predicate<R> {
    private final Class<R> entity;
    private final Predicate predicate;
    private final java.util.function.Predicate<R> test;

    Condition(Class<R> entity, Predicate predicate, java.util.function.Predicate<R> test) {
        this.entity = requireNonNull(entity);
        this.predicate = requireNonNull(predicate);
        this.test = requireNonNull(test);
    }

    /** The class of the entity. */
    Class<R> entity() {
        return entity;
    }

    /** The condition on the columns that the fields name. */
    Predicate predicate() {
        return predicate;
    }

    @Override
    public boolean test(R row) {
        return test.test(row);
    }

    /** Whether both hold. */
    public Condition<R> and(Condition<R> other) {
        List<Predicate> all = new ArrayList<>();
        all.addAll(
                predicate instanceof Predicate.And(List<Predicate> mine)
                        ? mine
                        : List.of(predicate));
        all.addAll(
                other.predicate instanceof Predicate.And(List<Predicate> its)
                        ? its
                        : List.of(other.predicate));
        return new Condition<>(entity, new Predicate.And(all), test.and(other.test));
    }

    /** Whether one of them holds, or both. */
    public Condition<R> or(Condition<R> other) {
        List<Predicate> any = new ArrayList<>();
        any.addAll(
                predicate instanceof Predicate.Or(List<Predicate> mine)
                        ? mine
                        : List.of(predicate));
        any.addAll(
                other.predicate instanceof Predicate.Or(List<Predicate> its)
                        ? its
                        : List.of(other.predicate));
        return new Condition<>(entity, new Predicate.Or(any), test.or(other.test));
    }

    /** Whether this does not hold: true of every entity of which this is false. */
    @Override
    public Condition<R> negate() {
        Predicate opposite =
                predicate instanceof Predicate.Not(Predicate inner)
                        ? inner
                        : new Predicate.Not(predicate);
        return new Condition<>(entity, opposite, test.negate());
    }

    @Override
    @SuppressWarnings("unchecked")
    public java.util.function.Predicate<R> and(java.util.function.Predicate<? super R> other) {
        return other instanceof Condition<?> condition
                ? and((Condition<R>) condition)
                : new Both<>(this, other);
    }

    /**
     * A condition and whatever else there is to test, which streams take apart again.
     *
     * @param first what the database is asked
     * @param then what only the JVM can test
     */
    record Both<R>(Condition<R> first, java.util.function.Predicate<? super R> then)
            implements java.util.function.Predicate<R> {
        Both {
            requireNonNull(then);
        }

        @Override
        public boolean test(R row) {
            return first.test(row) && then.test(row);
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public java.util.function.Predicate<R> or(java.util.function.Predicate<? super R> other) {
        return other instanceof Condition<?> condition
                ? or((Condition<R>) condition)
                : java.util.function.Predicate.super.or(other);
    }

    /** The condition in words, without the values that it compares with. */
    @Override
    public String toString() {
        return "condition on " + entity.getSimpleName();
    }
}
