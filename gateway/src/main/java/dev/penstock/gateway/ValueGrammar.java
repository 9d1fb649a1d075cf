package dev.penstock.gateway;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.UUID;
import java.util.regex.Pattern;

/** Texts of the URL as values of a column's Java type; strict, so that nothing is compared with a guess. */
final class ValueGrammar {
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,40}");
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,1000}(\\.[0-9]{1,1000})?");
    private static final Pattern FLOATING =
            Pattern.compile(
                    "-?[0-9]{1,400}(\\.[0-9]{1,400})?([eE][+-]?[0-9]{1,4})?|NaN|-?Infinity");
    private static final Pattern UUID_FORM =
            Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

    private ValueGrammar() {}

    /**
     * The value that {@code value} spells; an error that points to {@code index} if it spells none.
     *
     * @param shown how the column is called outside
     */
    static Object parse(String value, Column column, String shown, ParameterText text, int index) {
        try {
            return parse(value, column.type());
        } catch (IllegalArgumentException | DateTimeException e) {
            throw malformed(value, column, shown, text, index);
        }
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
            case DECIMAL -> new BigDecimal(matching(DECIMAL, value));
            case FLOAT -> binary32(matching(FLOATING, value));
            case DOUBLE -> binary64(matching(FLOATING, value));
            case TEXT, JSON, OTHER -> text(value);
            case DATE -> date(value);
            case TIME -> LocalTime.parse(value);
            case TIMESTAMP -> timestamp(value);
            case TIMESTAMP_UTC -> instant(value);
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
            case TIMESTAMP -> "a date and time without zone such as 2026-11-21T13:45:00, or a date";
            case TIMESTAMP_UTC ->
                    "a date and time with zone such as 2026-11-21T13:45:00Z or 2026-11-21T13:45:00%2B01:00 (a plus sign is %2B in a URL)";
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

    private static LocalDate date(String value) {
        return LocalDate.parse(matching(DATE, value));
    }

    private static LocalDateTime timestamp(String value) {
        if (DATE.matcher(value).matches()) {
            return date(value).atStartOfDay();
        }
        date(value.substring(0, Math.min(10, value.length())));
        return LocalDateTime.parse(withT(value));
    }

    private static Instant instant(String value) {
        date(value.substring(0, Math.min(10, value.length())));
        return OffsetDateTime.parse(withT(value)).toInstant();
    }

    /** ISO 8601's T, also for those who write a space. */
    private static String withT(String value) {
        return value.length() > 10 && value.charAt(10) == ' '
                ? value.substring(0, 10) + 'T' + value.substring(11)
                : value;
    }
}
