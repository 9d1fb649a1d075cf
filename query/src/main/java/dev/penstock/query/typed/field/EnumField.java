package dev.penstock.query.typed.field;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Evaluation;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A column of the texts of an enum's constants. Its order is that in which the constants are declared. Immutable.
 *
 * @param entity the class of the entity
 * @param column the column's name in the database
 * @param type the class of the enum
 * @param isNullable whether the value may be null
 * @param getter the value in an entity
 * @param text the text of a constant in the database, which no other constant and no other text stands for
 * @param constant the constant of a text; it throws where there is none
 * @param <R> the entity
 * @param <E> the enum
 */
public record EnumField<R, E extends Enum<E>>(
        Class<R> entity,
        String column,
        Class<E> type,
        boolean isNullable,
        Function<R, @Nullable E> getter,
        Function<E, String> text,
        Function<String, E> constant)
        implements Field<R, E> {
    public EnumField {
        requireNonNull(entity);
        requireNonNull(column);
        requireNonNull(type);
        requireNonNull(getter);
        requireNonNull(text);
        requireNonNull(constant);
        for (E each : type.getEnumConstants()) {
            if (constant.apply(text.apply(each)) != each) {
                throw new IllegalArgumentException(
                        "field %s.%s: the text of %s.%s is not read as that constant; each needs a text of its own"
                                .formatted(
                                        entity.getSimpleName(),
                                        column,
                                        type.getSimpleName(),
                                        each));
            }
        }
    }

    /** Returns a column that is never null. */
    public static <R, E extends Enum<E>> EnumField<R, E> of(
            Class<R> entity,
            String column,
            Class<E> type,
            Function<R, @Nullable E> getter,
            Function<E, String> text,
            Function<String, E> constant) {
        return new EnumField<>(entity, column, type, false, getter, text, constant);
    }

    /** Returns a column that may be null. */
    public static <R, E extends Enum<E>> EnumField<R, E> nullable(
            Class<R> entity,
            String column,
            Class<E> type,
            Function<R, @Nullable E> getter,
            Function<E, String> text,
            Function<String, E> constant) {
        return new EnumField<>(entity, column, type, true, getter, text, constant);
    }

    @Override
    public @Nullable E apply(R row) {
        return getter.apply(row);
    }

    /** Returns the condition that the value is one of these; never of none. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the values are only read
    public final Condition<R> in(E... values) {
        return in(Arrays.asList(values));
    }

    /** Returns the condition that the value is not null and none of these. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the values are only read
    public final Condition<R> notIn(E... values) {
        return notIn(Arrays.asList(values));
    }

    /** Returns whether the constants are declared in the order of their texts, so that a database sorts them alike. */
    public boolean isInOrderOfTexts() {
        String before = null;
        for (E constant : type.getEnumConstants()) {
            String next = text.apply(constant);
            if (before != null && Evaluation.compareTexts(before, next) >= 0) {
                return false;
            }
            before = next;
        }
        return true;
    }

    @Override
    public Object planValue(E value) {
        return text.apply(value);
    }

    /** Returns whether each constant's text is among these labels, and after that of the constant before it. */
    public boolean isInOrderOf(List<String> labels) {
        int before = -1;
        for (E constant : type.getEnumConstants()) {
            int place = labels.indexOf(text.apply(constant));
            if (place <= before) {
                return false;
            }
            before = place;
        }
        return true;
    }

    /** Returns the entity's and the column's name. */
    @Override
    public String toString() {
        return entity.getSimpleName() + "." + column;
    }
}
