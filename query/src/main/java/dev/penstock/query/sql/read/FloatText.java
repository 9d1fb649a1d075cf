package dev.penstock.query.sql.read;

import java.nio.charset.StandardCharsets;

/**
 * A conversion from the shortest decimal that a database gives of a binary floating-point number to the one that {@link
 * Double#toString} gives: the same digits, laid out again. In the few places where the two may choose other digits, the
 * number is parsed and written by Java: among the subnormal numbers (Java has at least two digits there, and the
 * closest), and where a short decimal may lie exactly between two binary numbers (integers and halves near the limit of
 * precision).
 */
final class FloatText {
    private FloatText() {}

    /** Writes the canonical text of a binary64 or binary32 number to {@code to} from {@code at}; gives its length. */
    static int canonical(byte[] from, int start, int length, byte[] to, int at, boolean wide) {
        int end = start + length;
        int position = start;
        int written = at;
        if (position < end && from[position] == '-') {
            to[written++] = '-';
            position++;
        }
        if (position == end || from[position] >= 'A') {
            System.arraycopy(from, start, to, at, length);
            return length;
        }
        // The digits without leading zeros go to the end of the slot first.
        int digits = at + CanonicalText.SLOT / 2;
        int count = 0;
        int exponent = -1;
        boolean point = false;
        for (; position < end && from[position] != 'e' && from[position] != 'E'; position++) {
            byte b = from[position];
            if (b == '.') {
                point = true;
                continue;
            }
            if (count == 0 && b == '0') {
                exponent -= point ? 1 : 0;
                continue;
            }
            if (count == CanonicalText.SLOT / 2 - 1) {
                return byJava(from, start, length, to, at, wide);
            }
            to[digits + count++] = b;
            exponent += point ? 0 : 1;
        }
        if (count == 0) {
            to[written++] = '0';
            to[written++] = '.';
            to[written++] = '0';
            return written - at;
        }
        if (position < end) {
            exponent += parse(from, position + 1, end);
        }
        while (count > 1 && to[digits + count - 1] == '0') {
            count--;
        }
        if (exponent < (wide ? -307 : -37) || exponent >= (wide ? 14 : 6)) {
            return byJava(from, start, length, to, at, wide);
        }
        return layOut(to, at, written, digits, count, exponent);
    }

    private static int layOut(byte[] to, int at, int from, int digits, int count, int exponent) {
        int written = from;
        if (exponent >= 7 || exponent < -3) {
            to[written++] = to[digits];
            to[written++] = '.';
            written = rest(to, written, digits + 1, count - 1);
            to[written++] = 'E';
            return written - at + CanonicalText.digits(exponent, to, written);
        }
        if (exponent < 0) {
            to[written++] = '0';
            to[written++] = '.';
            for (int i = -1; i > exponent; i--) {
                to[written++] = '0';
            }
            return rest(to, written, digits, count) - at;
        }
        for (int i = 0; i <= exponent; i++) {
            to[written++] = i < count ? to[digits + i] : (byte) '0';
        }
        to[written++] = '.';
        return rest(to, written, digits + exponent + 1, count - exponent - 1) - at;
    }

    /** Returns the digits after the point; one zero where there is none. */
    private static int rest(byte[] to, int at, int digits, int count) {
        if (count <= 0) {
            to[at] = '0';
            return at + 1;
        }
        System.arraycopy(to, digits, to, at, count);
        return at + count;
    }

    private static int parse(byte[] from, int start, int end) {
        boolean negative = from[start] == '-';
        int number = 0;
        for (int i = negative || from[start] == '+' ? start + 1 : start; i < end; i++) {
            number = number * 10 + from[i] - '0';
        }
        return negative ? -number : number;
    }

    private static int byJava(byte[] from, int start, int length, byte[] to, int at, boolean wide) {
        String text = new String(from, start, length, StandardCharsets.ISO_8859_1);
        return CanonicalText.ascii(
                wide
                        ? Double.toString(Double.parseDouble(text))
                        : Float.toString(Float.parseFloat(text)),
                to,
                at);
    }
}
