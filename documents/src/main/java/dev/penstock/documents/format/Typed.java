package dev.penstock.documents.format;

/** The texts that can be a number or boolean of JSON and come back from every store with the same spelling. */
final class Typed {
    private static final int MOST = 17;

    private Typed() {}

    static boolean isLiteral(CharSequence text) {
        int length = text.length();
        if (length == 0 || length > MOST) {
            return false;
        }
        char first = text.charAt(0);
        if (first == 't' || first == 'f') {
            return text.toString().equals("true") || text.toString().equals("false");
        }
        return isNumber(text);
    }

    /** At most 15 digits, no exponent, no zero that a store drops, and no magnitude that a store writes with one. */
    private static boolean isNumber(CharSequence text) {
        int start = text.charAt(0) == '-' ? 1 : 0;
        int dot = -1;
        for (int i = start; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.' && dot < 0) {
                dot = i;
            } else if (c < '0' || c > '9') {
                return false;
            }
        }
        int whole = (dot < 0 ? text.length() : dot) - start;
        if (whole == 0 || (whole > 1 && text.charAt(start) == '0')) {
            return false;
        }
        if (dot < 0) {
            return whole <= 15 && !(start == 1 && text.charAt(1) == '0');
        }
        boolean hasSameEnd = dot + 1 < text.length() && text.charAt(text.length() - 1) != '0';
        return hasSameEnd && whole <= 7 && text.length() - start <= 16 && isNotSmall(text, start);
    }

    private static boolean isNotSmall(CharSequence text, int start) {
        return text.charAt(start) != '0'
                || (text.length() > start + 2 && text.charAt(start + 2) != '0');
    }
}
