package dev.penstock.follow.binlog;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import org.jspecify.annotations.Nullable;

/** Dates and times, as the log has them. Those that Java has not, as 2026-02-30, are null. */
final class TimeBytes {
    private TimeBytes() {}

    static @Nullable LocalDate date(byte[] cell) {
        int bits = (cell[0] & 0xFF) | (cell[1] & 0xFF) << 8 | (cell[2] & 0xFF) << 16;
        return date(bits >> 9, bits >> 5 & 15, bits & 31);
    }

    private static @Nullable LocalDate date(int year, int month, int day) {
        try {
            return LocalDate.of(year, month, day);
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** Returns a time of day; times are also durations, which may be negative and more than a day. */
    static @Nullable LocalTime time(int digits, byte[] cell) {
        int bits = (int) bigEndian(cell, 0, 3) - 0x800000;
        return bits < 0
                ? null
                : time(bits >> 12, bits >> 6 & 63, bits & 63, nanos(digits, cell, 3));
    }

    private static @Nullable LocalTime time(int hour, int minute, int second, int nanos) {
        try {
            return LocalTime.of(hour, minute, second, nanos);
        } catch (DateTimeException e) {
            return null;
        }
    }

    static @Nullable LocalDateTime dateTime(int digits, byte[] cell) {
        long bits = bigEndian(cell, 0, 5) - 0x8000000000L;
        int months = (int) (bits >> 22);
        LocalDate date = date(months / 13, months % 13, (int) (bits >> 17) & 31);
        LocalTime time =
                time(
                        (int) (bits >> 12) & 31,
                        (int) (bits >> 6) & 63,
                        (int) bits & 63,
                        nanos(digits, cell, 5));
        return bits < 0 || date == null || time == null ? null : date.atTime(time);
    }

    /** Returns an instant; the second 0 is 0000-00-00. */
    static @Nullable Instant instant(int digits, byte[] cell) {
        long seconds = bigEndian(cell, 0, 4);
        return seconds == 0 ? null : Instant.ofEpochSecond(seconds, nanos(digits, cell, 4));
    }

    private static int nanos(int digits, byte[] cell, int from) {
        int bytes = (digits + 1) / 2;
        int fraction = (int) bigEndian(cell, from, bytes);
        for (int i = bytes; i < 3; i++) {
            fraction *= 100;
        }
        return fraction * 1000;
    }

    private static long bigEndian(byte[] cell, int from, int bytes) {
        long number = 0;
        for (int i = from; i < from + bytes; i++) {
            number = number << 8 | (cell[i] & 0xFF);
        }
        return number;
    }
}
