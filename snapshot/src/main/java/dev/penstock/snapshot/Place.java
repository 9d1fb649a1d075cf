package dev.penstock.snapshot;

import dev.penstock.query.ColumnType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;

/**
 * Where a value is among the codes of a column.
 *
 * @param first the least code of what is not less
 * @param last the greatest code of what is not greater; where no code stands for the value, that is the one before {@code first}
 * @param side -1 if the value is below what any code can stand for, 1 if it is above that, else 0; only with 0 do the others have a meaning
 */
record Place(long first, long last, int side) {
    private static final Place LOWER = new Place(0, 0, -1);
    private static final Place HIGHER = new Place(0, 0, 1);

    private static Place at(long code) {
        return new Place(code, code, 0);
    }

    /** Between a code and the next. */
    private static Place after(long code) {
        return code == Long.MAX_VALUE ? HIGHER : new Place(code + 1, code, 0);
    }

    /** The codes of equal values. */
    Codes equal() {
        return side == 0 ? Codes.of(first, last) : Codes.NONE;
    }

    /** The codes of lesser values. */
    Codes below(Codes all, boolean withEqual) {
        if (side != 0) {
            return side > 0 ? all : Codes.NONE;
        }
        if (!withEqual && first == Long.MIN_VALUE) {
            return Codes.NONE;
        }
        return Codes.of(all.least(), Math.min(all.greatest(), withEqual ? last : first - 1));
    }

    /** The codes of greater values. */
    Codes above(Codes all, boolean withEqual) {
        if (side != 0) {
            return side < 0 ? all : Codes.NONE;
        }
        if (!withEqual && last == Long.MAX_VALUE) {
            return Codes.NONE;
        }
        return Codes.of(Math.max(all.least(), withEqual ? first : last + 1), all.greatest());
    }

    static Place of(CodedColumn column, Object value) {
        ColumnType type = column.column().type();
        return switch (column.meaning()) {
            case Meaning.Whole whole -> whole(whole, value);
            case Meaning.Scaled(int scale) -> scaled((BigDecimal) value, scale);
            case Meaning.Floating() ->
                    at(
                            type == ColumnType.FLOAT
                                    ? Keys.sortable(Float.floatToIntBits((Float) value))
                                    : Keys.sortable(Double.doubleToLongBits((Double) value)));
            case Meaning.Listed(Dictionary dictionary) -> listed(dictionary, type, value);
        };
    }

    private static Place whole(Meaning.Whole whole, Object value) {
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

    /** The end of the day reads as the last time before it. */
    private static Place time(Meaning.Whole whole, LocalTime time) {
        Place place = units(whole, Instant.EPOCH.plusNanos(time.toNanoOfDay()));
        long midnight = Temporals.SECONDS_A_DAY * whole.units();
        return time.equals(LocalTime.MAX) ? new Place(place.first, midnight, 0) : place;
    }

    private static Place units(Meaning.Whole whole, Instant instant) {
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

    private static Place scaled(BigDecimal value, int scale) {
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

    private static Place listed(Dictionary dictionary, ColumnType type, Object value) {
        KeyBytes key = new KeyBytes();
        Object exact = value instanceof Long number ? BigDecimal.valueOf(number) : value;
        new Keys().encode(type, exact, key);
        if (Keys.isPrefix(type)) {
            Codes equal = dictionary.startingWith(key.toArray());
            return equal.isEmpty()
                    ? after(dictionary.ceiling(key.array(), key.length()) - 1L)
                    : new Place(equal.least(), equal.greatest(), 0);
        }
        int code = dictionary.ceiling(key.array(), key.length());
        boolean found =
                code < dictionary.size()
                        && dictionary.keys().compare(code, key.array(), key.length()) == 0;
        return found ? at(code) : after(code - 1L);
    }
}
