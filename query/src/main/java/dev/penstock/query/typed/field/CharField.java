package dev.penstock.query.typed.field;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A column of texts of one {@code char} each. Immutable.
 *
 * @param entity the class of the entity
 * @param column the column's name in the database
 * @param getter the value in an entity, where it is not null
 * @param boxed the value in an entity, where it may be null; null for a column that holds none
 * @param <R> the entity
 */
public record CharField<R>(
        Class<R> entity,
        String column,
        ToIntFunction<R> getter,
        @Nullable Function<R, @Nullable Character> boxed)
        implements Field<R, Character> {
    public CharField {
        requireNonNull(entity);
        requireNonNull(column);
        requireNonNull(getter);
    }

    /** Returns a column that is never null; the getter gives a {@code char}. */
    public static <R> CharField<R> of(Class<R> entity, String column, ToIntFunction<R> getter) {
        return new CharField<>(entity, column, getter, null);
    }

    /** Returns a column that may be null. */
    public static <R> CharField<R> nullable(
            Class<R> entity, String column, Function<R, @Nullable Character> boxed) {
        ToIntFunction<R> getter = row -> Conditions.present(entity, column, boxed.apply(row));
        return new CharField<>(entity, column, getter, boxed);
    }

    @Override
    public boolean isNullable() {
        return boxed != null;
    }

    @Override
    public @Nullable Character apply(R row) {
        return boxed == null ? (Character) (char) getter.applyAsInt(row) : boxed.apply(row);
    }

    /** Returns the condition that the value is one of these; never of none. */
    public Condition<R> in(char... values) {
        return in(boxes(values));
    }

    /** Returns the condition that the value is not null and none of these. */
    public Condition<R> notIn(char... values) {
        return notIn(boxes(values));
    }

    private static List<Character> boxes(char[] values) {
        List<Character> boxes = new ArrayList<>(values.length);
        for (char value : values) {
            boxes.add(value);
        }
        return boxes;
    }

    @Override
    public Object planValue(Character value) {
        return value.toString();
    }

    /** Returns the entity's and the column's name. */
    @Override
    public String toString() {
        return entity.getSimpleName() + "." + column;
    }
}
