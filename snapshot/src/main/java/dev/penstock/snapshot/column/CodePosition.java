package dev.penstock.snapshot.column;

import dev.penstock.query.ColumnType;
import dev.penstock.query.Predicate.Comparator;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;

/**
 * The position of a value among the codes of a column.
 *
 * @param first the least code of what is not less
 * @param last the greatest code of what is not greater; where no code stands for the value, that is the one before
 *     {@code first}
 * @param side -1 if the value is below what any code can stand for, 1 if it is above that, else 0; only with 0 do the
 *     others have a meaning
 */
public record CodePosition(long first, long last, int side) {
    private static final CodePosition LOWER = new CodePosition(0, 0, -1);
    private static final CodePosition HIGHER = new CodePosition(0, 0, 1);

    private static CodePosition at(long code) {
        return new CodePosition(code, code, 0);
    }

    /** Between a code and the next. */
    private static CodePosition after(long code) {
        return code == Long.MAX_VALUE ? HIGHER : new CodePosition(code + 1, code, 0);
    }

    /**
     * Returns the codes of all values that compare so with this one.
     *
     * @param comparator any but {@code NOT_EQUAL}
     * @param all the least and the greatest code
     */
    public CodeRange range(Comparator comparator, CodeRange all) {
        return switch (comparator) {
            case EQUAL -> equal().intersect(all);
            case LESS -> below(all, false);
            case LESS_OR_EQUAL -> below(all, true);
            case GREATER -> above(all, false);
            case GREATER_OR_EQUAL -> above(all, true);
            case NOT_EQUAL -> throw new IllegalArgumentException("NOT_EQUAL is no range of codes");
        };
    }

    private CodeRange equal() {
        return side == 0 ? CodeRange.of(first, last) : CodeRange.NONE;
    }

    private CodeRange below(CodeRange all, boolean withEqual) {
        if (side != 0) {
            return side > 0 ? all : CodeRange.NONE;
        }
        if (!withEqual && first == Long.MIN_VALUE) {
            return CodeRange.NONE;
        }
        return CodeRange.of(all.least(), Math.min(all.greatest(), withEqual ? last : first - 1));
    }

    private CodeRange above(CodeRange all, boolean withEqual) {
        if (side != 0) {
            return side < 0 ? all : CodeRange.NONE;
        }
        if (!withEqual && last == Long.MAX_VALUE) {
            return CodeRange.NONE;
        }
        return CodeRange.of(Math.max(all.least(), withEqual ? first : last + 1), all.greatest());
    }

    static CodePosition of(CodedColumn column, Object value) {
        ColumnType type = column.column().type();
        return switch (column.encoding()) {
            case CodeEncoding.Whole whole -> whole(whole, value);
            case CodeEncoding.Scaled(int scale) -> scaled((BigDecimal) value, scale);
            case CodeEncoding.Floating() ->
                    at(
                            type == ColumnType.FLOAT
                                    ? KeyCodec.sortable(Float.floatToIntBits((Float) value))
                                    : KeyCodec.sortable(Double.doubleToLongBits((Double) value)));
            case CodeEncoding.Listed(Dictionary dictionary) -> listed(dictionary, type, value);
        };
    }

    private static CodePosition whole(CodeEncoding.Whole whole, Object value) {
        return switch (value) {
            case Boolean truth -> at(truth ? 1 : 0);
            case Long number -> at(number);
            case LocalDate date -> at(date.toEpochDay());
            case LocalTime time -> time(whole, time);
            case LocalDateTime time -> units(whole, time.toInstant(ZoneOffset.UTC));
            case Instant instant -> units(whole, instant);
            default ->
                    throw new IllegalArgumentException(
                            "no whole number stands for a " + value.getClass().getSimpleName());
        };
    }

    /** Returns the end of the day reads as the last time before it. */
    private static CodePosition time(CodeEncoding.Whole whole, LocalTime time) {
        CodePosition place = units(whole, Instant.EPOCH.plusNanos(time.toNanoOfDay()));
        long midnight = TemporalCodec.SECONDS_A_DAY * whole.units();
        return time.equals(LocalTime.MAX) ? new CodePosition(place.first, midnight, 0) : place;
    }

    private static CodePosition units(CodeEncoding.Whole whole, Instant instant) {
        long seconds = instant.getEpochSecond();
        int nano = instant.getNano();
        long most = Long.MAX_VALUE / whole.units() - 1;
        if (seconds > most) {
            return HIGHER;
        }
        if (seconds < -most) {
            return LOWER;
        }
        long code = seconds * whole.units() + nano / whole.nanos();
        return nano % whole.nanos() == 0 ? at(code) : after(code);
    }

    private static CodePosition scaled(BigDecimal value, int scale) {
        if (value.signum() == 0) {
            return at(0);
        }
        // Of the order of 10 to the power of this; known before the digits are written out.
        long magnitude = (long) value.precision() - value.scale() + scale;
        if (magnitude > 20) {
            return value.signum() > 0 ? HIGHER : LOWER;
        }
        if (magnitude < 0) {
            return after(value.signum() > 0 ? 0 : -1);
        }
        BigDecimal floor = value.setScale(scale, RoundingMode.FLOOR);
        BigInteger unscaled = floor.unscaledValue();
        if (unscaled.bitLength() >= Long.SIZE) {
            return value.signum() > 0 ? HIGHER : LOWER;
        }
        long code = unscaled.longValueExact();
        return floor.compareTo(value) == 0 ? at(code) : after(code);
    }

    private static CodePosition listed(Dictionary dictionary, ColumnType type, Object value) {
        KeyBytes key = new KeyBytes();
        Object exact = value instanceof Long number ? BigDecimal.valueOf(number) : value;
        new KeyCodec().encode(type, exact, key);
        if (KeyCodec.isPrefix(type)) {
            long first = dictionary.ceiling(key.array(), key.length());
            CodeRange equal = dictionary.startingWith(key.toArray());
            return new CodePosition(first, equal.isEmpty() ? first - 1 : equal.greatest(), 0);
        }
        int code = dictionary.ceiling(key.array(), key.length());
        boolean found =
                code < dictionary.size()
                        && dictionary.keys().compare(code, key.array(), key.length()) == 0;
        return found ? at(code) : after(code - 1L);
    }
}
