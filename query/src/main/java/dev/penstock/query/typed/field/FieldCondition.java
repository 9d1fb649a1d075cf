package dev.penstock.query.typed.field;

import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Predicate.TextOperation;
import java.util.List;

/**
 * A condition on one field as the user said it. What a database is asked and how an entity is tested is made of it when it is needed, so that an
 * engine that has a {@code Shortcuts} for it pays for neither.
 */
public sealed interface FieldCondition<R> {
    /** The field. */
    Field<R, ?> field();

    /** The condition on the columns that the fields name. */
    Predicate predicate();

    /** The condition on an entity. */
    java.util.function.Predicate<R> test();

    /** The field against a value. */
    record Comparison<R, V>(Field<R, V> field, Comparator comparator, V value)
            implements FieldCondition<R> {
        @Override
        public Predicate predicate() {
            return Conditions.predicate(field, comparator, value);
        }

        @Override
        public java.util.function.Predicate<R> test() {
            return Conditions.test(field, comparator, value);
        }
    }

    /** Whether a text starts with another. */
    record Prefix<R>(TextField<R> field, String text) implements FieldCondition<R> {
        @Override
        public Predicate.Text predicate() {
            return new Predicate.Text(field.column(), TextOperation.STARTS_WITH, text, false);
        }

        @Override
        public java.util.function.Predicate<R> test() {
            return Conditions.test(field, predicate());
        }
    }

    /** The field between two values. */
    record Range<R, V>(Comparison<R, V> above, Comparison<R, V> below)
            implements FieldCondition<R> {
        @Override
        public Field<R, V> field() {
            return above.field();
        }

        @Override
        public Predicate.And predicate() {
            return new Predicate.And(List.of(above.predicate(), below.predicate()));
        }

        @Override
        public java.util.function.Predicate<R> test() {
            return above.test().and(below.test());
        }
    }
}
