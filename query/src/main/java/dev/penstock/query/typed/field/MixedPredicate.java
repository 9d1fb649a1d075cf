package dev.penstock.query.typed.field;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.function.Predicate;

/**
 * A predicate that is made of conditions and of code, by {@code and}, {@code or} and {@code negate}. Streams take it
 * apart again: the database is asked the conditions that must hold before any code is run, and what the others need is
 * known before there are rows to test. Immutable.
 *
 * @param <R> the entity
 */
public sealed interface MixedPredicate<R> extends Predicate<R> {
    /** Returns the predicates that it is made of, in the order in which they are tested. */
    List<Predicate<? super R>> parts();

    @Override
    default MixedPredicate<R> and(Predicate<? super R> other) {
        return new Both<>(this, other);
    }

    @Override
    default MixedPredicate<R> or(Predicate<? super R> other) {
        return new Either<>(this, other);
    }

    @Override
    default MixedPredicate<R> negate() {
        return new Opposite<>(this);
    }

    /** A predicate that two others hold; the second is tested where the first one holds. */
    record Both<R>(Predicate<? super R> first, Predicate<? super R> then)
            implements MixedPredicate<R> {
        public Both {
            requireNonNull(first);
            requireNonNull(then);
        }

        @Override
        public boolean test(R row) {
            return first.test(row) && then.test(row);
        }

        @Override
        public List<Predicate<? super R>> parts() {
            return List.of(first, then);
        }
    }

    /** A predicate that one of two others holds; the second is tested where the first one does not. */
    record Either<R>(Predicate<? super R> first, Predicate<? super R> then)
            implements MixedPredicate<R> {
        public Either {
            requireNonNull(first);
            requireNonNull(then);
        }

        @Override
        public boolean test(R row) {
            return first.test(row) || then.test(row);
        }

        @Override
        public List<Predicate<? super R>> parts() {
            return List.of(first, then);
        }
    }

    /** A predicate that another does not hold. */
    record Opposite<R>(Predicate<? super R> same) implements MixedPredicate<R> {
        public Opposite {
            requireNonNull(same);
        }

        @Override
        public boolean test(R row) {
            return !same.test(row);
        }

        @Override
        public List<Predicate<? super R>> parts() {
            return List.of(same);
        }
    }
}
