package dev.penstock.snapshot.column;

/**
 * The translation of whole numbers and decimals between canonical text and numbers, without an object. A parser keeps
 * what it read last; it is used by one thread.
 */
public final class DecimalCodec {
    /** The digits of the last text, as one number. */
    public long unscaled;

    /** How many of them are after the point. */
    public int scale;

    /** Reads {@code -12.50}; false if it is spelled otherwise, or beyond 64 bits. */
    public boolean decimal(byte[] text, int offset, int length) {
        int at = offset;
        int end = offset + length;
        boolean negative = at < end && text[at] == '-';
        if (negative) {
            at++;
        }
        int first = at;
        int point = -1;
        long number = 0;
        for (; at < end; at++) {
            int digit = text[at] - '0';
            if (digit == '.' - '0' && point < 0 && at > first) {
                point = at;
            } else if (digit < 0 || digit > 9 || number < (Long.MIN_VALUE + digit) / 10) {
                return false;
            } else {
                // Below zero there is one number more.
                number = number * 10 - digit;
            }
        }
        int whole = (point < 0 ? end : point) - first;
        if (whole == 0 || point == end - 1 || (whole > 1 && text[first] == '0')) {
            return false;
        }
        if (negative ? number == 0 : number == Long.MIN_VALUE) {
            return false;
        }
        unscaled = negative ? number : -number;
        scale = point < 0 ? 0 : end - point - 1;
        return true;
    }

    /** Writes a whole number; gives the length. */
    static int write(long number, byte[] to, int at) {
        // The negative of the least number is none.
        long rest = number > 0 ? -number : number;
        int length = number < 0 ? 2 : 1;
        for (long bound = rest / 10; bound != 0; bound /= 10) {
            length++;
        }
        int place = at + length;
        do {
            long quotient = rest / 10;
            to[--place] = (byte) ('0' + (quotient * 10 - rest));
            rest = quotient;
        } while (rest != 0);
        if (number < 0) {
            to[at] = '-';
        }
        return length;
    }

    /** Writes a decimal with {@code scale} digits after the point; gives the length. */
    static int write(long unscaled, int scale, byte[] to, int at) {
        int length = write(unscaled, to, at);
        if (scale == 0) {
            return length;
        }
        int sign = unscaled < 0 ? 1 : 0;
        int missing = scale + 1 - (length - sign);
        if (missing > 0) {
            System.arraycopy(to, at + sign, to, at + sign + missing, length - sign);
            for (int i = 0; i < missing; i++) {
                to[at + sign + i] = '0';
            }
            length += missing;
        }
        int point = at + length - scale;
        System.arraycopy(to, point, to, point + 1, scale);
        to[point] = '.';
        return length + 1;
    }
}
