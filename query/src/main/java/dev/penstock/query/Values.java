package dev.penstock.query;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.UUID;

/**
 * Values of plans, in the one Java type in which engines compare them with each type of column: whole numbers are
 * {@code Long}, and so on.
 */
public final class Values {
    private Values() {}

    /**
     * Returns the value in the Java type of the column.
     *
     * @throws QueryException of kind {@code INVALID_PLAN} if the column's type can't hold it
     */
    public static Object fit(Column column, Object value) {
        if (value instanceof NativeValue) {
            throw misfit(column, "a value that only the database itself can read");
        }
        return switch (column.type()) {
            case BOOLEAN -> typed(column, value, Boolean.class);
            case INT -> whole(column, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case LONG -> whole(column, value, Long.MIN_VALUE, Long.MAX_VALUE);
            case DECIMAL -> decimal(column, value);
            case FLOAT -> single(column, value);
            case DOUBLE -> binary64(column, value);
            case TEXT, JSON, OTHER -> typed(column, value, String.class);
            case DATE -> typed(column, value, LocalDate.class);
            case TIME -> typed(column, value, LocalTime.class);
            case TIMESTAMP -> typed(column, value, LocalDateTime.class);
            case TIMESTAMP_UTC -> typed(column, value, Instant.class);
            case BINARY -> typed(column, value, byte[].class);
            case UUID -> typed(column, value, UUID.class);
        };
    }

    /**
     * Returns whether a text has half a surrogate pair, so that no cell can hold it and its bytes would be another
     * text's.
     */
    public static boolean hasHalfPair(String text) {
        return text.codePoints()
                .anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    private static <T> T typed(Column column, Object value, Class<T> type) {
        if (type.isInstance(value)) {
            return type.cast(value);
        }
        throw misfit(column, "a value of type " + value.getClass().getSimpleName());
    }

    private static Long whole(Column column, Object value, long least, long greatest) {
        if (!(value instanceof Integer
                || value instanceof Long
                || value instanceof Short
                || value instanceof Byte)) {
            throw misfit(column, "a value of type " + value.getClass().getSimpleName());
        }
        long number = ((Number) value).longValue();
        if (number < least || number > greatest) {
            throw misfit(column, "a number beyond " + least + " to " + greatest);
        }
        return number;
    }

    private static BigDecimal decimal(Column column, Object value) {
        return switch (value) {
            case BigDecimal decimal -> decimal;
            case BigInteger whole -> new BigDecimal(whole);
            case Integer whole -> BigDecimal.valueOf(whole);
            case Long whole -> BigDecimal.valueOf(whole);
            default -> throw misfit(column, "a value of type " + value.getClass().getSimpleName());
        };
    }

    private static Float single(Column column, Object value) {
        if (value instanceof Float number) {
            return number;
        }
        Double wide = binary64(column, value);
        if (Double.compare(wide.floatValue(), wide) != 0) {
            throw misfit(column, "a number that binary32 can't hold exactly");
        }
        return wide.floatValue();
    }

    private static Double binary64(Column column, Object value) {
        if (value instanceof Double || value instanceof Float) {
            return ((Number) value).doubleValue();
        }
        if (value instanceof Integer || value instanceof Long || value instanceof BigDecimal) {
            double number = ((Number) value).doubleValue();
            if (Double.isFinite(number)
                    && new BigDecimal(number).compareTo(new BigDecimal(value.toString())) == 0) {
                return number;
            }
            throw misfit(column, "a number that binary64 can't hold exactly");
        }
        throw misfit(column, "a value of type " + value.getClass().getSimpleName());
    }

    private static QueryException misfit(Column column, String what) {
        return new QueryException(
                QueryException.Kind.INVALID_PLAN,
                "column %s is %s (%s) and is compared with %s"
                        .formatted(column.name(), column.type(), column.databaseType(), what));
    }
}
