package dev.penstock.query.sql.statement;

import dev.penstock.query.Column;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Values;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.stream.Stream;

/**
 * A comparison made to fit what the database can say: the value in the Java type of the column, and nothing finer than
 * the database stores, or an answer that is already known.
 */
public sealed interface BoundComparison {
    /** The same for every value that is not NULL. */
    record Always(boolean truth) implements BoundComparison {}

    /**
     * A comparison that the database makes.
     *
     * @param comparator how
     * @param value with what
     * @param detail what else of the value the SQL depends on
     */
    record Bound(Comparator comparator, Object value, int detail) implements BoundComparison {
        Bound(Comparator comparator, Object value) {
            this(comparator, value, 0);
        }
    }

    /** Returns what the SQL of a value depends on: values of one signature, at the same place, have the same SQL. */
    default int signature() {
        return switch (this) {
            case Always(boolean truth) -> truth ? 1 : 2;
            case Bound(Comparator comparator, Object value, int detail) ->
                    3 + (detail * 8 + number(comparator)) * 3 + zero(value);
        };
    }

    private static int number(Comparator comparator) {
        return switch (comparator) {
            case EQUAL -> 0;
            case NOT_EQUAL -> 1;
            case LESS -> 2;
            case LESS_OR_EQUAL -> 3;
            case GREATER -> 4;
            case GREATER_OR_EQUAL -> 5;
        };
    }

    /** 1 for 0.0, 2 for −0.0, else 0. */
    private static int zero(Object value) {
        if ((value instanceof Double || value instanceof Float)
                && ((Number) value).doubleValue() == 0) {
            return 1 / ((Number) value).doubleValue() > 0 ? 1 : 2;
        }
        return 0;
    }

    /** Returns a number of rows, which is bound as it is. */
    static BoundComparison count(Object rows) {
        return new Bound(Comparator.EQUAL, rows);
    }

    /** Returns a text to be looked for, whatever the column compares with. */
    static BoundComparison pattern(
            Column column, Object value, boolean ignoringCase, ValueLimits limits) {
        String text = text(column, (String) value, limits);
        if (ignoringCase && text.length() > CaseVariants.MAX_LENGTH) {
            throw refusal(
                    column,
                    "a text of %d characters ignoring case, of which it is asked for %d at the most"
                            .formatted(text.length(), CaseVariants.MAX_LENGTH));
        }
        return new Bound(Comparator.EQUAL, text);
    }

    /** Returns the value that is to be bound, if any. */
    default Stream<Object> values() {
        return switch (this) {
            case Always _ -> Stream.empty();
            case Bound(Comparator _, Object value, int _) -> Stream.of(value);
        };
    }

    static BoundComparison of(
            Column column, Comparator comparator, Object value, ValueLimits limits) {
        Object typed = Values.fit(column, value);
        return switch (column.type()) {
            case BOOLEAN, INT, LONG, BINARY, UUID -> new Bound(comparator, typed);
            case DECIMAL -> new Bound(comparator, decimal(column, (BigDecimal) typed, limits));
            case FLOAT, DOUBLE -> floating(comparator, (Number) typed, limits);
            case TEXT, JSON, OTHER -> new Bound(comparator, text(column, (String) typed, limits));
            case DATE -> {
                requireYear(column, ((LocalDate) typed).getYear(), limits, limits.maxYearOfDates());
                yield new Bound(comparator, typed);
            }
            case TIME -> time(comparator, (LocalTime) typed, limits);
            case TIMESTAMP -> {
                LocalDateTime local = (LocalDateTime) typed;
                requireYear(column, local.getYear(), limits);
                int excess = excess(local, limits);
                yield coarse(comparator, local.minusNanos(excess), excess);
            }
            case TIMESTAMP_UTC -> instant(column, comparator, (Instant) typed, limits);
        };
    }

    private static BigDecimal decimal(Column column, BigDecimal number, ValueLimits limits) {
        BigDecimal shortest = number.stripTrailingZeros();
        long whole = (long) shortest.precision() - shortest.scale();
        if (Math.max(whole, 0) + Math.max(shortest.scale(), 0) > limits.decimalDigits()
                || shortest.scale() > limits.decimalScale()) {
            throw refusal(
                    column,
                    "a number of more digits than %s compares (%d, %d of them fractional)"
                            .formatted(
                                    limits.name(), limits.decimalDigits(), limits.decimalScale()));
        }
        return shortest.scale() < 0 ? shortest.setScale(0) : shortest;
    }

    /** NaN is equal to itself and above everything, as {@link Double#compare} has it. */
    private static BoundComparison floating(
            Comparator comparator, Number value, ValueLimits limits) {
        double number = value.doubleValue();
        if (Double.isFinite(number) || limits.has(Capability.NON_FINITE_NUMBERS)) {
            return new Bound(comparator, value);
        }
        boolean below = number == Double.NEGATIVE_INFINITY;
        return new Always(
                switch (comparator) {
                    case EQUAL -> false;
                    case NOT_EQUAL -> true;
                    case LESS, LESS_OR_EQUAL -> !below;
                    case GREATER, GREATER_OR_EQUAL -> below;
                });
    }

    static String text(Column column, String text, ValueLimits limits) {
        if (!limits.has(Capability.NUL_CHARACTER) && text.indexOf('\0') >= 0) {
            throw refusal(column, "a text with the character U+0000");
        }
        if (Values.hasHalfPair(text)) {
            throw refusal(column, "a text with half a surrogate pair");
        }
        return text;
    }

    private static BoundComparison time(
            Comparator comparator, LocalTime value, ValueLimits limits) {
        int excess = excess(value, limits);
        return coarse(comparator, value.minusNanos(excess), excess);
    }

    private static BoundComparison instant(
            Column column, Comparator comparator, Instant value, ValueLimits limits) {
        if (value.isBefore(Instant.parse("-999999998-01-01T00:00:00Z"))
                || value.isAfter(Instant.parse("+999999998-01-01T00:00:00Z"))) {
            throw refusal(column, "an instant out of range");
        }
        requireYear(column, value.atOffset(ZoneOffset.UTC).getYear(), limits);
        int excess = excess(value, limits);
        return coarse(comparator, value.minusNanos(excess), excess);
    }

    private static int excess(TemporalAccessor time, ValueLimits limits) {
        return time.get(ChronoField.NANO_OF_SECOND) % limits.nanosecondsUnit();
    }

    /**
     * Returns a value between two that the database can hold: what is less than it is what is at most the one below.
     */
    private static BoundComparison coarse(Comparator comparator, Object floor, int excess) {
        if (excess == 0) {
            return new Bound(comparator, floor);
        }
        return switch (comparator) {
            case EQUAL -> new Always(false);
            case NOT_EQUAL -> new Always(true);
            case LESS, LESS_OR_EQUAL -> new Bound(Comparator.LESS_OR_EQUAL, floor);
            case GREATER, GREATER_OR_EQUAL -> new Bound(Comparator.GREATER, floor);
        };
    }

    private static void requireYear(Column column, int year, ValueLimits limits) {
        requireYear(column, year, limits, limits.maxYear());
    }

    private static void requireYear(Column column, int year, ValueLimits limits, int maxYear) {
        if (year < limits.minYear() || year > maxYear) {
            throw refusal(
                    column,
                    "a year beyond %d to %d, which is all that %s holds"
                            .formatted(limits.minYear(), maxYear, limits.name()));
        }
    }

    private static UnsupportedPlanException refusal(Column column, String what) {
        return new UnsupportedPlanException(
                "column %s is %s (%s) and is compared with %s"
                        .formatted(column.name(), column.type(), column.databaseType(), what));
    }
}
