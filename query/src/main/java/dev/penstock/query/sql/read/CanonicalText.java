package dev.penstock.query.sql.read;

/**
 * A conversion from the spelling of SQL databases to the canonical text of {@link dev.penstock.query.ColumnType}, in
 * bytes. Every method writes to {@code to} from {@code at} and gives the length.
 */
final class CanonicalText {
    /** More than any number or time takes. */
    static final int SLOT = 48;

    private CanonicalText() {}

    /** {@code 2026-11-21 13:45:00.250+00} to {@code 2026-11-21T13:45:00.25Z}. */
    static int timestamp(byte[] from, int start, int length, byte[] to, int at, boolean utc) {
        int end = start + length;
        if (length == 0 || isWord(from, start, length)) {
            return copy(from, start, Math.min(length, SLOT), to, at);
        }
        int dateEnd = start + 1;
        while (dateEnd < end && from[dateEnd] != ' ' && from[dateEnd] != 'T') {
            dateEnd++;
        }
        boolean before = isBeforeChrist(from, start, length);
        int written = date(from, start, dateEnd - start, before, to, at);
        to[at + written++] = 'T';
        int timeStart = Math.min(dateEnd + 1, end);
        int timeEnd = timeStart;
        while (timeEnd < end
                && (from[timeEnd] == ':' || from[timeEnd] == '.' || isDigit(from[timeEnd]))) {
            timeEnd++;
        }
        written += time(from, timeStart, timeEnd - timeStart, to, at + written);
        if (utc) {
            to[at + written++] = 'Z';
        }
        return written;
    }

    /** {@code 0044-03-15 BC} to {@code -0043-03-15}, {@code 12026-11-21} to {@code +12026-11-21}. */
    static int date(byte[] from, int start, int length, byte[] to, int at) {
        if (length == 0 || isWord(from, start, length)) {
            return copy(from, start, Math.min(length, SLOT), to, at);
        }
        boolean before = isBeforeChrist(from, start, length);
        return date(from, start, before ? length - 3 : length, before, to, at);
    }

    /** {@code 13:45:00.250} to {@code 13:45:00.25}. */
    static int time(byte[] from, int start, int length, byte[] to, int at) {
        int end = start + Math.min(length, SLOT);
        int fraction = start;
        while (fraction < end && from[fraction] != '.') {
            fraction++;
        }
        if (fraction < end) {
            while (from[end - 1] == '0') {
                end--;
            }
            if (from[end - 1] == '.') {
                end--;
            }
        }
        return copy(from, start, end - start, to, at);
    }

    private static int date(byte[] from, int start, int length, boolean before, byte[] to, int at) {
        boolean plain = length == 10 && from[start + 4] == '-' && !before;
        if (plain) {
            return copy(from, start, length, to, at);
        }
        int position = start;
        boolean negative = from[position] == '-';
        if (negative || from[position] == '+') {
            position++;
        }
        long year = 0;
        while (position < start + length && isDigit(from[position])) {
            year = year * 10 + from[position++] - '0';
        }
        long proleptic = before ? 1 - year : negative ? -year : year;
        int written = year(proleptic, to, at);
        return written + copy(from, position, start + length - position, to, at + written);
    }

    private static int year(long year, byte[] to, int at) {
        int written = 0;
        if (year < 0) {
            to[at + written++] = '-';
        } else if (year > 9999) {
            to[at + written++] = '+';
        }
        long absolute = Math.abs(year);
        for (long unit = 1000; unit > absolute && unit > 1; unit /= 10) {
            to[at + written++] = '0';
        }
        return written + digits(absolute, to, at + written);
    }

    /** Decimal digits of a number, with a minus where it is negative. */
    static int digits(long number, byte[] to, int at) {
        if (number == Long.MIN_VALUE) {
            return ascii("-9223372036854775808", to, at);
        }
        long rest = Math.abs(number);
        int length = number < 0 ? 2 : 1;
        for (long bound = 10; length < 20 && rest >= bound; bound *= 10) {
            length++;
            if (bound > Long.MAX_VALUE / 10) {
                break;
            }
        }
        int position = at + length;
        do {
            long quotient = rest / 10;
            to[--position] = (byte) ('0' + (rest - quotient * 10));
            rest = quotient;
        } while (rest != 0);
        if (number < 0) {
            to[at] = '-';
        }
        return length;
    }

    /** Returns the characters of an ASCII text. */
    @SuppressWarnings("deprecation") // the only way to copy them without an array in between
    static int ascii(String text, byte[] to, int at) {
        text.getBytes(0, text.length(), to, at);
        return text.length();
    }

    private static int copy(byte[] from, int start, int length, byte[] to, int at) {
        System.arraycopy(from, start, to, at, length);
        return length;
    }

    /** Returns whether it is {@code infinity} or {@code -infinity}. */
    static boolean isWord(byte[] from, int start, int length) {
        int first = from[start] == '-' && length > 1 ? from[start + 1] : from[start];
        return first >= 'A';
    }

    private static boolean isBeforeChrist(byte[] from, int start, int length) {
        return length > 3 && from[start + length - 1] == 'C' && from[start + length - 2] == 'B';
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
