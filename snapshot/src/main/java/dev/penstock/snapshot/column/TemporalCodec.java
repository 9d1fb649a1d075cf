package dev.penstock.snapshot.column;

/**
 * The translation of dates and times between canonical text and numbers, without an object. A parser keeps what it read
 * last in its fields; it is used by one thread.
 */
public final class TemporalCodec {
    public static final long NANOS = 1_000_000_000L;
    public static final long SECONDS_A_DAY = 86_400;

    private static final int[] TENS = {
        1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1000, 100, 10, 1
    };

    /** Year, month and day of the last text with a date, whether or not there is such a day. */
    int year;

    int month;
    int day;

    /** Nanoseconds of the last text with a time: of the day, or whatever MariaDB's times come to. */
    public long nanos;

    private byte[] text = {};
    private int at;
    private int end;

    /** Reads {@code 2026-11-21}; false if it is spelled otherwise. */
    public boolean date(byte[] text, int offset, int length) {
        begin(text, offset, length);
        return date() && at == end;
    }

    /** Reads {@code 13:45:00.25} or {@code -838:59:59}; false if it is spelled otherwise. */
    public boolean time(byte[] text, int offset, int length) {
        begin(text, offset, length);
        return time() && at == end;
    }

    /** Reads {@code 2026-11-21T13:45:00}; false if it is spelled otherwise, or its time is none of the day. */
    public boolean timestamp(byte[] text, int offset, int length, boolean utc) {
        begin(text, offset, length);
        return date()
                && take('T')
                && time()
                && nanos >= 0
                && nanos < SECONDS_A_DAY * NANOS
                && (!utc || take('Z'))
                && at == end;
    }

    private void begin(byte[] text, int offset, int length) {
        this.text = text;
        at = offset;
        end = offset + length;
    }

    private boolean date() {
        boolean negative = take('-');
        boolean positive = !negative && take('+');
        int from = at;
        year = number(9);
        int digits = at - from;
        // Only the one way to write a year, for it must come out again as it went in.
        boolean isShortest =
                digits == 4 ? !positive : digits > 4 && text[from] != '0' && (positive || negative);
        if (!isShortest || (negative && year == 0)) {
            return false;
        }
        year = negative ? -year : year;
        if (!take('-') || (month = two()) < 0 || !take('-')) {
            return false;
        }
        day = two();
        return day >= 0;
    }

    private boolean time() {
        boolean negative = take('-');
        int from = at;
        long hours = number(4);
        int digits = at - from;
        if (digits < 2 || (digits > 2 && text[from] == '0') || !take(':')) {
            return false;
        }
        int minutes = two();
        if (minutes < 0 || minutes > 59 || !take(':')) {
            return false;
        }
        int seconds = two();
        if (seconds < 0 || seconds > 59) {
            return false;
        }
        long fraction = 0;
        if (take('.')) {
            int start = at;
            fraction = number(9);
            if (at == start || text[at - 1] == '0') {
                return false;
            }
            fraction *= TENS[at - start];
        }
        long all = ((hours * 60 + minutes) * 60 + seconds) * NANOS + fraction;
        nanos = negative ? -all : all;
        return !negative || all != 0;
    }

    private boolean take(char wanted) {
        if (at < end && text[at] == wanted) {
            at++;
            return true;
        }
        return false;
    }

    private int number(int most) {
        int number = 0;
        int stop = Math.min(end, at + most);
        while (at < stop && text[at] >= '0' && text[at] <= '9') {
            number = number * 10 + text[at++] - '0';
        }
        return number;
    }

    /** Reads two digits; -1 if they are none. */
    private int two() {
        int from = at;
        int number = number(2);
        return at - from == 2 ? number : -1;
    }

    /** Returns whether there is such a day. */
    public boolean isDay() {
        return month >= 1 && month <= 12 && day >= 1 && day <= days(year, month);
    }

    private static int days(int year, int month) {
        return switch (month) {
            case 2 -> isLeap(year) ? 29 : 28;
            case 4, 6, 9, 11 -> 30;
            default -> 31;
        };
    }

    private static boolean isLeap(int year) {
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    /** Days from 1970-01-01 to the day that was read last; it must be one. */
    public long epochDay() {
        // Years from March on, in eras of 400: H. Hinnant, "chrono-compatible low-level date
        // algorithms".
        long y = month <= 2 ? year - 1L : year;
        long era = Math.floorDiv(y, 400L);
        long yearOfEra = y - era * 400;
        long dayOfYear = (153L * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
        return era * 146_097
                + yearOfEra * 365
                + yearOfEra / 4
                - yearOfEra / 100
                + dayOfYear
                - 719_468;
    }

    /** Writes the date of a day; gives the length. */
    static int writeDate(long epochDay, byte[] to, int at) {
        long z = epochDay + 719_468;
        long era = Math.floorDiv(z, 146_097L);
        long dayOfEra = z - era * 146_097;
        long yearOfEra =
                (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        long shifted = (5 * dayOfYear + 2) / 153;
        int month = (int) (shifted < 10 ? shifted + 3 : shifted - 9);
        long year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
        int day = (int) (dayOfYear - (153 * shifted + 2) / 5 + 1);
        return writeDate(year, month, day, to, at);
    }

    /** Writes a date, whether or not there is such a day; gives the length. */
    static int writeDate(long year, int month, int day, byte[] to, int at) {
        int written = at;
        if (year < 0) {
            to[written++] = '-';
        } else if (year > 9999) {
            to[written++] = '+';
        }
        long absolute = Math.abs(year);
        for (long unit = 1000; unit > absolute && unit > 1; unit /= 10) {
            to[written++] = '0';
        }
        written += DecimalCodec.write(absolute, to, written);
        to[written++] = '-';
        written += writeTwo(month, to, written);
        to[written++] = '-';
        written += writeTwo(day, to, written);
        return written - at;
    }

    /** Writes a time; gives the length. */
    public static int writeTime(long nanos, byte[] to, int at) {
        int written = at;
        if (nanos < 0) {
            to[written++] = '-';
        }
        long absolute = Math.abs(nanos);
        long seconds = absolute / NANOS;
        long hours = seconds / 3600;
        written +=
                hours < 100
                        ? writeTwo((int) hours, to, written)
                        : DecimalCodec.write(hours, to, written);
        to[written++] = ':';
        written += writeTwo((int) (seconds / 60 % 60), to, written);
        to[written++] = ':';
        written += writeTwo((int) (seconds % 60), to, written);
        int fraction = (int) (absolute % NANOS);
        if (fraction != 0) {
            to[written++] = '.';
            for (int unit = TENS[1]; fraction != 0; unit /= 10) {
                to[written++] = (byte) ('0' + fraction / unit);
                fraction %= unit;
            }
        }
        return written - at;
    }

    /** Writes a timestamp; gives the length. */
    static int writeTimestamp(long epochSecond, int nano, boolean utc, byte[] to, int at) {
        long day = Math.floorDiv(epochSecond, SECONDS_A_DAY);
        int written = at + writeDate(day, to, at);
        to[written++] = 'T';
        written += writeTime((epochSecond - day * SECONDS_A_DAY) * NANOS + nano, to, written);
        if (utc) {
            to[written++] = 'Z';
        }
        return written - at;
    }

    private static int writeTwo(int number, byte[] to, int at) {
        to[at] = (byte) ('0' + number / 10);
        to[at + 1] = (byte) ('0' + number % 10);
        return 2;
    }
}
