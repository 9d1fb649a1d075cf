package dev.penstock.query.typed.field;

import static java.util.Objects.requireNonNull;

import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A column of truth values, also of those that a database keeps as small whole numbers (0 is false). Immutable.
 *
 * @param entity the class of the entity
 * @param column the column's name in the database
 * @param getter the value in an entity, where it is not null
 * @param boxed the value in an entity, where it may be null; null for a column that holds none
 * @param <R> the entity
 */
public record BooleanField<R>(
        Class<R> entity,
        String column,
        Predicate<R> getter,
        @Nullable Function<R, @Nullable Boolean> boxed)
        implements Field<R, Boolean> {
    public BooleanField {
        requireNonNull(entity);
        requireNonNull(column);
        requireNonNull(getter);
    }

    /** Returns a column that is never null. */
    public static <R> BooleanField<R> of(Class<R> entity, String column, Predicate<R> getter) {
        return new BooleanField<>(entity, column, getter, null);
    }

    /** Returns a column that may be null. */
    public static <R> BooleanField<R> nullable(
            Class<R> entity, String column, Function<R, @Nullable Boolean> boxed) {
        Predicate<R> getter = row -> Conditions.present(entity, column, boxed.apply(row));
        return new BooleanField<>(entity, column, getter, boxed);
    }

    @Override
    public boolean isNullable() {
        return boxed != null;
    }

    @Override
    public @Nullable Boolean apply(R row) {
        return boxed == null ? (Boolean) getter.test(row) : boxed.apply(row);
    }

    /** Returns the condition that the value is true. */
    public Condition<R> isTrue() {
        return equal(true);
    }

    /** Returns the condition that the value is false, and not null. */
    public Condition<R> isFalse() {
        return equal(false);
    }

    /** Returns the entity's and the column's name. */
    @Override
    public String toString() {
        return entity.getSimpleName() + "." + column;
    }
}
