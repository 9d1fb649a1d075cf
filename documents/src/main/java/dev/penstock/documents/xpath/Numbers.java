package dev.penstock.documents.xpath;

import java.math.BigDecimal;

/** The conversions between numbers and strings, and the rounding, of XPath 1.0. */
final class Numbers {
    private Numbers() {}

    /** Writes a number without an exponent, with as many digits as tell it from its neighbours. */
    static String text(double number) {
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            return Double.toString(number);
        }
        if (number == 0) {
            return "0";
        }
        if (number == Math.rint(number) && Math.abs(number) < 1e15) {
            return Long.toString((long) number);
        }
        BigDecimal decimal = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        return decimal.toPlainString();
    }

    /** Reads an optional minus and digits with at most one point, between white space; anything else is no number. */
    static double number(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isSpace(text.charAt(from))) {
            from++;
        }
        while (to > from && isSpace(text.charAt(to - 1))) {
            to--;
        }
        return isNumber(text, from, to) ? Double.parseDouble(text.substring(from, to)) : Double.NaN;
    }

    private static boolean isNumber(String text, int from, int to) {
        int digits = 0;
        int points = 0;
        int first = from < to && text.charAt(from) == '-' ? from + 1 : from;
        for (int i = first; i < to; i++) {
            char c = text.charAt(i);
            if (c >= '0' && c <= '9') {
                digits++;
            } else if (c == '.') {
                points++;
            } else {
                return false;
            }
        }
        return digits > 0 && points <= 1;
    }

    static boolean isSpace(int c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\r';
    }

    /** The nearest whole number, of two the greater; the sign of zero is kept. */
    static double round(double number) {
        if (Double.isNaN(number) || Double.isInfinite(number) || number == 0) {
            return number;
        }
        double floor = Math.floor(number);
        double nearest = number - floor >= 0.5 ? floor + 1 : floor;
        return Math.copySign(nearest, number);
    }
}
