package dev.penstock.query.typed;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A column of texts. Texts are equal where every character is: no case, accent or trailing space is ignored. Immutable.
 *
 * @param entity the class of the entity
 * @param column the column's name in the database
 * @param isNullable whether the value may be null
 * @param getter the value in an entity
 * @param <R> the entity
 */
public record TextField<R>(
        Class<R> entity, String column, boolean isNullable, Function<R, @Nullable String> getter)
        implements Field<R, String> {
    public TextField {
        requireNonNull(entity);
        requireNonNull(column);
        requireNonNull(getter);
    }

    /** A column that is never null. */
    public static <R> TextField<R> of(
            Class<R> entity, String column, Function<R, @Nullable String> getter) {
        return new TextField<>(entity, column, false, getter);
    }

    /** A column that may be null. */
    public static <R> TextField<R> nullable(
            Class<R> entity, String column, Function<R, @Nullable String> getter) {
        return new TextField<>(entity, column, true, getter);
    }

    @Override
    public @Nullable String apply(R row) {
        return getter.apply(row);
    }

    /** Whether the value is one of these; never of none. */
    public Condition<R> in(String... values) {
        return in(List.of(values));
    }

    /** Whether the value is not null and none of these. */
    public Condition<R> notIn(String... values) {
        return notIn(List.of(values));
    }

    /** The entity's and the column's name. */
    @Override
    public String toString() {
        return entity.getSimpleName() + "." + column;
    }
}
