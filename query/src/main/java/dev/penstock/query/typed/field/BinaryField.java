package dev.penstock.query.typed.field;

import static java.util.Objects.requireNonNull;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A column of bytes, equal where every byte is. Immutable.
 *
 * @param entity the class of the entity
 * @param column the column's name in the database
 * @param isNullable whether the value may be null
 * @param getter the value in an entity
 * @param <R> the entity
 */
public record BinaryField<R>(
        Class<R> entity, String column, boolean isNullable, Function<R, byte @Nullable []> getter)
        implements Field<R, byte[]> {
    public BinaryField {
        requireNonNull(entity);
        requireNonNull(column);
        requireNonNull(getter);
    }

    /** Returns a column that is never null. */
    public static <R> BinaryField<R> of(
            Class<R> entity, String column, Function<R, byte @Nullable []> getter) {
        return new BinaryField<>(entity, column, false, getter);
    }

    /** Returns a column that may be null. */
    public static <R> BinaryField<R> nullable(
            Class<R> entity, String column, Function<R, byte @Nullable []> getter) {
        return new BinaryField<>(entity, column, true, getter);
    }

    @Override
    public byte @Nullable [] apply(R row) {
        return getter.apply(row);
    }

    /** Returns the entity's and the column's name. */
    @Override
    public String toString() {
        return entity.getSimpleName() + "." + column;
    }
}
