package dev.penstock.query.typed;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/** Between the cells of a row and the values of fields. */
final class Cells {
    /** What a {@link ValueField} may hold. */
    static final Set<Class<?>> TYPES =
            Set.of(
                    BigDecimal.class,
                    BigInteger.class,
                    LocalDate.class,
                    LocalTime.class,
                    LocalDateTime.class,
                    Instant.class,
                    UUID.class);

    private Cells() {}

    /** A field's value as a plan has it. */
    @SuppressWarnings("unchecked") // the value is one of the field's
    static Object bound(Field<?, ?> field, Object value) {
        return switch (field) {
            case EnumField<?, ?> f ->
                    ((Function<Object, String>) (Function<?, ?>) f.text())
                            .apply(f.type().cast(value));
            case CharField<?> _ -> value.toString();
            case ValueField<?, ?> f when f.type() == BigInteger.class ->
                    new BigDecimal((BigInteger) value);
            case IntField<?> _,
                    LongField<?> _,
                    FloatField<?> _,
                    DoubleField<?> _,
                    BooleanField<?> _,
                    TextField<?> _,
                    ValueField<?, ?> _,
                    BinaryField<?> _ ->
                    value;
        };
    }
}
