package dev.penstock.query.sql.read;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import org.jspecify.annotations.Nullable;

/**
 * A parser of the canonical text of {@link dev.penstock.query.ColumnType}, in bytes, to values, where it is of the
 * usual kind: short enough for a {@code long}, or in a year of four digits. The rest is left to the JDK's parsers of
 * texts, which take several times as long.
 */
final class CellParser {
    private static final int MAX_DIGITS = 18;

    /** Up to here a power of ten is exact in binary64, and so is a number of that many digits times or over it. */
    private static final int EXACT_DIGITS = 15;

    private static final double[] POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
    };

    private static final long NONE = Long.MIN_VALUE;
    private static final int[] NANOS = {
        1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1000, 100, 10, 1
    };

    private CellParser() {}

    /** Null if there is an exponent, a word or too many digits. */
    static @Nullable BigDecimal decimal(byte[] text, int start, int length) {
        long digits = digits(text, start, length);
        return digits == NONE ? null : BigDecimal.valueOf(digits, fraction(text, start, length));
    }

    /** NaN if there is an exponent, a word or too many digits. */
    static double binary64(byte[] text, int start, int length) {
        if (length > EXACT_DIGITS) {
            return Double.NaN;
        }
        long digits = digits(text, start, length);
        if (digits == NONE || (digits == 0 && text[start] == '-')) {
            return Double.NaN;
        }
        return digits / POWERS[fraction(text, start, length)];
    }

    /** Returns all digits as one number, whatever the place of the point. */
    private static long digits(byte[] text, int start, int length) {
        boolean negative = length > 0 && text[start] == '-';
        int count = length - (negative ? 1 : 0);
        if (count <= 0 || count > MAX_DIGITS) {
            return NONE;
        }
        long digits = 0;
        int points = 0;
        for (int i = start + length - count; i < start + length; i++) {
            int digit = text[i] - '0';
            boolean point = text[i] == '.' && points++ == 0;
            if (!point && (digit < 0 || digit > 9)) {
                return NONE;
            }
            digits = point ? digits : digits * 10 + digit;
        }
        return negative ? -digits : digits;
    }

    private static int fraction(byte[] text, int start, int length) {
        for (int i = 0; i < length; i++) {
            if (text[start + length - 1 - i] == '.') {
                return i;
            }
        }
        return 0;
    }

    static @Nullable LocalDate date(byte[] text, int start, int length) {
        if (length != 10 || text[start + 4] != '-') {
            return null;
        }
        int year = two(text, start) * 100 + two(text, start + 2);
        int month = two(text, start + 5);
        int day = two(text, start + 8);
        return year < 0 || month < 0 || day < 0 ? null : LocalDate.of(year, month, day);
    }

    static @Nullable LocalTime time(byte[] text, int start, int length) {
        int fraction = length - 9;
        if (length < 8 || fraction > 9 || fraction == 0 || text[start + 2] != ':') {
            return null;
        }
        int nanos = 0;
        for (int i = start + 9; i < start + length; i++) {
            int digit = text[i] - '0';
            if (digit < 0 || digit > 9) {
                return null;
            }
            nanos = nanos * 10 + digit;
        }
        int hour = two(text, start);
        int minute = two(text, start + 3);
        int second = two(text, start + 6);
        return hour < 0 || hour > 23 || minute < 0 || second < 0
                ? null
                : LocalTime.of(hour, minute, second, nanos * (fraction > 0 ? NANOS[fraction] : 0));
    }

    static @Nullable LocalDateTime timestamp(byte[] text, int start, int length) {
        if (length < 19 || text[start + 10] != 'T') {
            return null;
        }
        LocalDate date = date(text, start, 10);
        LocalTime time = time(text, start + 11, length - 11);
        return date == null || time == null ? null : LocalDateTime.of(date, time);
    }

    /** Two digits; far below zero if they are none. */
    private static int two(byte[] text, int at) {
        int tens = text[at] - '0';
        int ones = text[at + 1] - '0';
        return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -100_000 : tens * 10 + ones;
    }
}
