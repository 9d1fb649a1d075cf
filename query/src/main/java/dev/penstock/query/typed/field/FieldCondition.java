package dev.penstock.query.typed.field;

import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Predicate.TextOperation;
import java.util.List;

/**
 * A condition on one field as it was called. The predicate for a plan and the test of an entity are made of it when
 * they are needed: an engine that has a shortcut for it needs neither.
 */
public sealed interface FieldCondition<R> {
    /** Returns the field. */
    Field<R, ?> field();

    /** Returns the condition on the columns that the fields name. */
    Predicate predicate();

    /** Returns the condition on an entity. */
    java.util.function.Predicate<R> test();

    /** A comparison of the field with a value. */
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

    /** The condition that the field is not null. */
    record Present<R>(Field<R, ?> field) implements FieldCondition<R> {
        @Override
        public Predicate.Not predicate() {
            return new Predicate.Not(new Predicate.IsNull(field.column()));
        }

        @Override
        public java.util.function.Predicate<R> test() {
            return field.isNullable() ? row -> field.apply(row) != null : _ -> true;
        }
    }

    /** The condition that a text starts with another. */
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

    /** The condition that the field is between two values. */
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

    /** The condition that the field is one of some values, none of which is null. */
    record Among<R, V>(Field<R, V> field, List<V> values) implements FieldCondition<R> {
        @Override
        public Predicate.In predicate() {
            return Conditions.predicate(field, values);
        }

        @Override
        public java.util.function.Predicate<R> test() {
            return Conditions.test(field, values);
        }
    }
}
