package dev.penstock.query.typed.field;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A column of values with an order of their own: {@code BigDecimal}, {@code BigInteger}, {@code LocalDate},
 * {@code LocalTime}, {@code LocalDateTime}, {@code Instant} or {@code UUID}. Decimals are equal where their values are,
 * whatever their scales. Only numbers can be calculated with. Immutable.
 *
 * @param entity the class of the entity
 * @param column the column's name in the database
 * @param type the class of the values
 * @param isNullable whether the value may be null
 * @param getter the value in an entity
 * @param <R> the entity
 * @param <V> the value
 */
public record ValueField<R, V extends Comparable<? super V>>(
        Class<R> entity,
        String column,
        Class<V> type,
        boolean isNullable,
        Function<R, @Nullable V> getter)
        implements Numeric<R>, Field<R, V> {
    private static final Set<Class<?>> TYPES =
            Set.of(
                    BigDecimal.class,
                    BigInteger.class,
                    LocalDate.class,
                    LocalTime.class,
                    LocalDateTime.class,
                    Instant.class,
                    UUID.class);

    public ValueField {
        requireNonNull(entity);
        requireNonNull(column);
        requireNonNull(getter);
        if (!TYPES.contains(type)) {
            throw new IllegalArgumentException(
                    "field %s.%s: no column holds values of %s; choose one of %s, or another kind of field"
                            .formatted(
                                    entity.getSimpleName(),
                                    column,
                                    type.getName(),
                                    TYPES.stream().map(Class::getSimpleName).sorted().toList()));
        }
    }

    /** Returns a column that is never null. */
    public static <R, V extends Comparable<? super V>> ValueField<R, V> of(
            Class<R> entity, String column, Class<V> type, Function<R, @Nullable V> getter) {
        return new ValueField<>(entity, column, type, false, getter);
    }

    /** Returns a column that may be null. */
    public static <R, V extends Comparable<? super V>> ValueField<R, V> nullable(
            Class<R> entity, String column, Class<V> type, Function<R, @Nullable V> getter) {
        return new ValueField<>(entity, column, type, true, getter);
    }

    @Override
    public @Nullable V apply(R row) {
        return getter.apply(row);
    }

    /** Returns the condition that the value is one of these; never of none. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the values are only read
    public final Condition<R> in(V... values) {
        return in(Arrays.asList(values));
    }

    /** Returns the condition that the value is not null and none of these. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the values are only read
    public final Condition<R> notIn(V... values) {
        return notIn(Arrays.asList(values));
    }

    @Override
    public Object planValue(V value) {
        return value instanceof BigInteger whole ? new BigDecimal(whole) : value;
    }

    /** Returns the entity's and the column's name. */
    @Override
    public String toString() {
        return entity.getSimpleName() + "." + column;
    }
}
