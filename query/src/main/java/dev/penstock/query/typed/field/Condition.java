package dev.penstock.query.typed.field;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Predicate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A condition on the fields of an entity, made by the methods of {@link Field}. It can be tested on an entity like any
 * {@link java.util.function.Predicate}; streams of a typed table send it to the engine instead, also when it was joined
 * with other conditions by {@link #and}, {@link #or} and {@link #negate}. Immutable.
 *
 * @param <R> the entity
 */
public final class Condition<R> implements java.util.function.Predicate<R> {
    /** The most levels of AND, OR and NOT in one another; whatever reads a condition is recursive. */
    static final int MAX_DEPTH = 1000;

    private final Class<R> entity;

    /**
     * A condition on one field; null for others. The predicate and the test are made of it when they are first needed;
     * threads that come at the same time make equal ones.
     */
    private final @Nullable FieldCondition<R> fieldCondition;

    /** The conditions that this joins by AND; null where it is one. */
    private final @Nullable List<Condition<R>> parts;

    private @Nullable Predicate predicate;
    private java.util.function.@Nullable Predicate<R> test;
    private final int depth;

    private Condition(FieldCondition<R> fieldCondition) {
        this.entity = fieldCondition.field().entity();
        this.fieldCondition = fieldCondition;
        this.parts = null;
        this.depth = 0;
    }

    /** Returns a condition on one field. */
    public static <R> Condition<R> of(FieldCondition<R> fieldCondition) {
        return new Condition<>(fieldCondition);
    }

    Condition(Class<R> entity, Predicate predicate, java.util.function.Predicate<R> test) {
        this(entity, predicate, test, 0, null);
    }

    private Condition(
            Class<R> entity,
            Predicate predicate,
            java.util.function.Predicate<R> test,
            int depth,
            @Nullable List<Condition<R>> parts) {
        this.entity = requireNonNull(entity);
        this.fieldCondition = null;
        this.parts = parts;
        this.predicate = requireNonNull(predicate);
        this.test = requireNonNull(test);
        this.depth = depth;
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException(
                    ("a condition on %s has and, or and negate nested deeper than %d levels;"
                                    + " use in(…), or fewer alternations")
                            .formatted(entity.getSimpleName(), MAX_DEPTH));
        }
    }

    /**
     * Returns the condition that a field equals the value that a row of another entity has in a field, whose type may
     * be wider or narrower; empty where that value is null.
     */
    public static <R, A, V> Optional<Condition<R>> match(
            Field<R, ?> field, Field<A, V> other, A row) {
        V value = other.apply(row);
        return value == null
                ? Optional.empty()
                : Optional.of(Conditions.equal(field, other.planValue(value)));
    }

    /** Returns the class of the entity. */
    public Class<R> entity() {
        return entity;
    }

    /** Returns the condition on a single field that this is; null for others. */
    public @Nullable FieldCondition<R> fieldCondition() {
        return fieldCondition;
    }

    /** Returns the conditions that {@link #and} joined to this one; itself where it joined none. */
    public List<Condition<R>> parts() {
        return parts == null ? List.of(this) : parts;
    }

    /** Returns the condition on the columns that the fields name. */
    public Predicate predicate() {
        Predicate made = predicate;
        if (made == null) {
            made = requireNonNull(fieldCondition).predicate();
            predicate = made;
        }
        return made;
    }

    private java.util.function.Predicate<R> test() {
        java.util.function.Predicate<R> made = test;
        if (made == null) {
            made = requireNonNull(fieldCondition).test();
            test = made;
        }
        return made;
    }

    @Override
    public boolean test(R row) {
        return test().test(row);
    }

    /** Returns the condition that both hold. */
    public Condition<R> and(Condition<R> other) {
        requireSameEntity(other);
        List<Predicate> all = joined(conjuncts(predicate()), conjuncts(other.predicate()));
        int depth = Math.max(within(Predicate.And.class), other.within(Predicate.And.class));
        return new Condition<>(
                entity,
                new Predicate.And(all),
                new Every<>(
                        joined(
                                test() instanceof Every<R>(var mine) ? mine : List.of(test()),
                                other.test() instanceof Every<R>(var its)
                                        ? its
                                        : List.of(other.test()))),
                depth,
                joined(parts(), other.parts()));
    }

    /** Returns the condition that one of them holds, or both. */
    public Condition<R> or(Condition<R> other) {
        requireSameEntity(other);
        List<Predicate> any = joined(disjuncts(predicate()), disjuncts(other.predicate()));
        int depth = Math.max(within(Predicate.Or.class), other.within(Predicate.Or.class));
        return new Condition<>(
                entity,
                new Predicate.Or(any),
                new Any<>(
                        joined(
                                test() instanceof Any<R>(var mine) ? mine : List.of(test()),
                                other.test() instanceof Any<R>(var its)
                                        ? its
                                        : List.of(other.test()))),
                depth,
                null);
    }

    private void requireSameEntity(Condition<R> other) {
        if (other.entity != entity) {
            throw new IllegalArgumentException(
                    "a condition on %s is joined with one on %s; use the fields of one entity"
                            .formatted(entity.getSimpleName(), other.entity.getSimpleName()));
        }
    }

    private static List<Predicate> conjuncts(Predicate predicate) {
        return predicate instanceof Predicate.And(List<Predicate> all) ? all : List.of(predicate);
    }

    private static List<Predicate> disjuncts(Predicate predicate) {
        return predicate instanceof Predicate.Or(List<Predicate> any) ? any : List.of(predicate);
    }

    /** Returns the depth of this as a part of an AND or OR, which takes in others of its kind. */
    private int within(Class<? extends Predicate> kind) {
        return kind.isInstance(predicate()) ? depth : depth + 1;
    }

    private static <X> List<X> joined(List<X> one, List<X> other) {
        if (one.size() == 1 && other.size() == 1) {
            return List.of(one.getFirst(), other.getFirst());
        }
        List<X> both = new ArrayList<>(one.size() + other.size());
        both.addAll(one);
        both.addAll(other);
        return both;
    }

    /** A test that all of several hold, however many there are, on a stack that does not grow with them. */
    private record Every<R>(List<java.util.function.Predicate<R>> tests)
            implements java.util.function.Predicate<R> {
        @Override
        public boolean test(R row) {
            for (java.util.function.Predicate<R> each : tests) {
                if (!each.test(row)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** A test that one of several holds. */
    private record Any<R>(List<java.util.function.Predicate<R>> tests)
            implements java.util.function.Predicate<R> {
        @Override
        public boolean test(R row) {
            for (java.util.function.Predicate<R> each : tests) {
                if (each.test(row)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** The complement of a test; its own complement is that test again. */
    private record Opposite<R>(java.util.function.Predicate<R> same)
            implements java.util.function.Predicate<R> {
        @Override
        public boolean test(R row) {
            return !same.test(row);
        }
    }

    /** Returns the condition that this does not hold: true of every entity of which this is false. */
    @Override
    public Condition<R> negate() {
        java.util.function.Predicate<R> opposite =
                test() instanceof Opposite<R>(var same) ? same : new Opposite<>(test());
        return predicate() instanceof Predicate.Not(Predicate inner)
                ? new Condition<>(entity, inner, opposite, depth - 1, null)
                : new Condition<>(
                        entity, new Predicate.Not(predicate()), opposite, depth + 1, null);
    }

    @Override
    @SuppressWarnings("unchecked")
    public java.util.function.Predicate<R> and(java.util.function.Predicate<? super R> other) {
        return other instanceof Condition<?> condition
                ? and((Condition<R>) condition)
                : new MixedPredicate.Both<>(this, other);
    }

    @Override
    @SuppressWarnings("unchecked")
    public java.util.function.Predicate<R> or(java.util.function.Predicate<? super R> other) {
        return other instanceof Condition<?> condition
                ? or((Condition<R>) condition)
                : new MixedPredicate.Either<>(this, other);
    }

    /** Describes the condition without the values that it compares with. */
    @Override
    public String toString() {
        return "condition on " + entity.getSimpleName();
    }
}
