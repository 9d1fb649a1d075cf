package dev.penstock.gateway.request;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.NativeType;
import dev.penstock.query.NativeValue;
import dev.penstock.query.Predicate;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Texts of the URL as values of a column's Java type; strict, so that nothing is compared with a guess. */
final class ValueGrammar {
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,40}");
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,150000}(\\.[0-9]{1,20000})?");
    private static final Pattern FLOATING =
            Pattern.compile(
                    "-?[0-9]{1,400}(\\.[0-9]{1,400})?([eE][+-]?[0-9]{1,4})?|NaN|-?Infinity");
    private static final Pattern UUID_FORM =
            Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
    private static final Pattern DATE =
            Pattern.compile("([0-9]{4}|[+-][0-9]{4,9})-[0-9]{2}-[0-9]{2}");
    private static final Pattern DAY = Pattern.compile("[0-9]{4}-([0-9]{2})-([0-9]{2})");
    private static final Pattern WORD_OF_DAYS = Pattern.compile("-?infinity");
    private static final Pattern WORD_OF_NUMBERS = Pattern.compile("NaN|-?Infinity");
    private static final Pattern LONG_TIME =
            Pattern.compile(
                    "(-[0-9]{2,3}|[0-9]{3}|2[4-9]|[3-9][0-9])(:[0-9]{2}){2}(\\.[0-9]{1,6})?");
    private static final Pattern ZONE =
            Pattern.compile(" ?([Zz]|[+-][0-9]{2}(:?[0-9]{2}(:?[0-9]{2})?)?)$");
    private static final int SHORT_DATE = 10;

    private ValueGrammar() {}

    /**
     * The value that {@code value} spells; an error that points to {@code index} if it spells none, or is compared as
     * its type is not.
     *
     * @param by how it is compared
     * @param shown how the column is called outside
     */
    static Object parse(
            String value,
            Column column,
            Predicate.Comparator by,
            String shown,
            ParameterText text,
            int index) {
        boolean isEquality =
                by == Predicate.Comparator.EQUAL || by == Predicate.Comparator.NOT_EQUAL;
        NativeType.Comparison comparison = column.nativeType().comparison();
        if (isEquality && !comparison.hasEquality()) {
            throw text.error(
                    index,
                    "no_equality",
                    of(column, shown) + ", whose values have no equality",
                    "ask for is.null or is.not_null");
        }
        if (!isEquality && !comparison.hasOrder()) {
            throw noOrder(column, shown, text, index);
        }
        try {
            return comparison == NativeType.Comparison.CANONICAL
                    ? parse(value, column.type())
                    : ofItsOwn(value, column.nativeType(), isEquality);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw malformed(value, column, shown, text, index);
        }
    }

    /**
     * The value of a column in an order that {@code value} spells; an error that points to {@code index} if it spells
     * none.
     *
     * @param isNative whether the database itself compares it
     */
    static Object ordered(
            String value,
            Column column,
            boolean isNative,
            String shown,
            ParameterText text,
            int index) {
        try {
            return isNative ? new NativeValue(text(value)) : parse(value, column.type());
        } catch (IllegalArgumentException | DateTimeException e) {
            throw malformed(value, column, shown, text, index);
        }
    }

    /** The error of an order, or a comparison by one, that the type does not have. */
    static RuntimeException noOrder(Column column, String shown, ParameterText text, int index) {
        boolean isEqual = column.nativeType().comparison().hasEquality();
        return text.error(
                index,
                "no_order",
                of(column, shown) + ", whose values have no order",
                isEqual ? "ask for eq, neq, in or is" : "ask for is.null or is.not_null");
    }

    private static String of(Column column, String shown) {
        return "the column " + ParameterText.shown(shown) + " is of type " + column.databaseType();
    }

    /**
     * A value that the database compares itself. The labels of an enum that are known are equal as texts are, in memory
     * too.
     */
    private static Object ofItsOwn(String value, NativeType type, boolean isEquality) {
        String known = text(value);
        return isEquality && type.labels().contains(known) ? known : new NativeValue(known);
    }

    private static RuntimeException malformed(
            String value, Column column, String shown, ParameterText text, int index) {
        String hint =
                value.equals("null")
                        ? "for NULL write is.null or not.is.null"
                        : "write " + form(column.type());
        return text.error(
                index,
                "malformed_value",
                "\""
                        + ParameterText.shown(value)
                        + "\" is no value of the column "
                        + ParameterText.shown(shown)
                        + " of type "
                        + column.databaseType(),
                hint);
    }

    private static Object parse(String value, ColumnType type) {
        return switch (type) {
            case BOOLEAN -> bool(value);
            case INT -> Integer.valueOf(matching(WHOLE, value));
            case LONG -> Long.valueOf(matching(WHOLE, value));
            case DECIMAL ->
                    WORD_OF_NUMBERS.matcher(value).matches()
                            ? new NativeValue(value)
                            : new BigDecimal(matching(DECIMAL, value));
            case FLOAT -> binary32(matching(FLOATING, value));
            case DOUBLE -> binary64(matching(FLOATING, value));
            case TEXT, JSON, OTHER -> text(value);
            case DATE -> isBeyondDays(value) ? new NativeValue(value) : date(value);
            case TIME -> isBeyondDay(value) ? new NativeValue(value) : LocalTime.parse(value);
            case TIMESTAMP ->
                    isBeyondDays(value) ? new NativeValue(canonical(value)) : timestamp(value);
            case TIMESTAMP_UTC ->
                    isBeyondDays(value) ? new NativeValue(canonical(value)) : instant(value);
            case BINARY -> Base64.getDecoder().decode(value);
            case UUID -> UUID.fromString(matching(UUID_FORM, value));
        };
    }

    private static String form(ColumnType type) {
        return switch (type) {
            case BOOLEAN -> "true or false";
            case INT -> "a whole number from -2147483648 to 2147483647";
            case LONG -> "a whole number from -9223372036854775808 to 9223372036854775807";
            case DECIMAL -> "digits with an optional sign and fraction, such as -12.50";
            case FLOAT, DOUBLE ->
                    "a number within the type's range such as -1.5 or 2e10, NaN, Infinity or -Infinity";
            case TEXT, JSON, OTHER -> "text without the character U+0000";
            case DATE -> "a date such as 2026-11-21";
            case TIME -> "a time such as 13:45:00 or 13:45:00.25";
            case TIMESTAMP ->
                    "a date and time such as 2026-11-21T13:45:00, whose zone is ignored, or a date";
            case TIMESTAMP_UTC ->
                    "a date and time with zone such as 2026-11-21T13:45:00Z"
                            + " or 2026-11-21T13:45:00%2B01:00 (a plus sign is %2B in a URL)";
            case BINARY -> "base64 (a plus sign is %2B in a URL)";
            case UUID -> "a UUID such as 123e4567-e89b-12d3-a456-426614174000";
        };
    }

    private static String matching(Pattern pattern, String value) {
        if (!pattern.matcher(value).matches()) {
            throw new IllegalArgumentException();
        }
        return value;
    }

    private static Boolean bool(String value) {
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException();
        };
    }

    /** A float; a number beyond its range is refused, since it would be compared as infinity. */
    private static Float binary32(String value) {
        float number = Float.parseFloat(value);
        if (Float.isInfinite(number) && !value.endsWith("Infinity")) {
            throw new IllegalArgumentException();
        }
        return number;
    }

    private static Double binary64(String value) {
        double number = Double.parseDouble(value);
        if (Double.isInfinite(number) && !value.endsWith("Infinity")) {
            throw new IllegalArgumentException();
        }
        return number;
    }

    private static String text(String value) {
        if (value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException();
        }
        return value;
    }

    /** Returns whether it is a day that the calendar does not have: an infinity, or one with a zero in it. */
    private static boolean isBeyondDays(String value) {
        if (WORD_OF_DAYS.matcher(value).matches()) {
            return true;
        }
        Matcher day = DAY.matcher(value);
        if (!day.lookingAt()) {
            return false;
        }
        return day.group(1).equals("00") || day.group(2).equals("00") || !isOfItsMonth(value);
    }

    private static boolean isOfItsMonth(String value) {
        try {
            LocalDate _ = LocalDate.parse(value.substring(0, SHORT_DATE));
            return true;
        } catch (DateTimeException e) {
            // Days such as 2026-02-30 can be stored where zeros can; a month of 13 nowhere.
            return Integer.parseInt(value.substring(5, 7)) > 12
                    || Integer.parseInt(value.substring(8, SHORT_DATE)) > 31;
        }
    }

    /** Returns whether it is no time of a day, but one of those that some databases have as well. */
    private static boolean isBeyondDay(String value) {
        return value.startsWith("24:") || LONG_TIME.matcher(value).matches();
    }

    /** A timestamp with a T, and in UTC. */
    private static String canonical(String value) {
        return withT(value).replaceFirst("[+]00(:?00)?$", "Z");
    }

    private static LocalDate date(String value) {
        return LocalDate.parse(matching(DATE, value));
    }

    /** How many characters of a date and time are the date. */
    private static int dateLength(String value) {
        Matcher date = DATE.matcher(value);
        if (!date.lookingAt()) {
            throw new IllegalArgumentException();
        }
        return date.end();
    }

    /** As PostgreSQL has it, a zone that follows is read and ignored: JavaScript writes one. */
    private static LocalDateTime timestamp(String value) {
        if (DATE.matcher(value).matches()) {
            return date(value).atStartOfDay();
        }
        Matcher zone = ZONE.matcher(value);
        boolean isZoned = zone.find(dateLength(value));
        return LocalDateTime.parse(withT(isZoned ? value.substring(0, zone.start()) : value));
    }

    private static Instant instant(String value) {
        int _ = dateLength(value);
        return OffsetDateTime.parse(withT(value)).toInstant();
    }

    /** ISO 8601's T, also for those who write a space. */
    private static String withT(String value) {
        Matcher date = DATE.matcher(value);
        int end = date.lookingAt() ? date.end() : value.length();
        return end < value.length() && value.charAt(end) == ' '
                ? value.substring(0, end) + 'T' + value.substring(end + 1)
                : value;
    }
}
