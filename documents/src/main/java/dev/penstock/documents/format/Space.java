package dev.penstock.documents.format;

import org.jspecify.annotations.Nullable;

/** White space of XML, and the letters that stand for it: {@code s}, {@code t}, {@code n}, {@code r}, and counts. */
public final class Space {
    private Space() {}

    public static boolean isSpace(char c) {
        return c == ' ' || c == '\n' || c == '\t' || c == '\r';
    }

    public static char letter(char space) {
        return switch (space) {
            case ' ' -> 's';
            case '\t' -> 't';
            case '\n' -> 'n';
            default -> 'r';
        };
    }

    /** Returns the white space that letters stand for, or null if they are none or stand for more than a limit. */
    public static @Nullable String decode(String letters, int from, int limit) {
        StringBuilder space = new StringBuilder();
        int i = from;
        while (i < letters.length()) {
            int index = "stnr".indexOf(letters.charAt(i++));
            if (index < 0) {
                return null;
            }
            int digits = i;
            while (i < letters.length() && letters.charAt(i) >= '0' && letters.charAt(i) <= '9') {
                i++;
            }
            int count = 1;
            if (i > digits) {
                if (i - digits > 9) {
                    return null;
                }
                count = Integer.parseInt(letters, digits, i, 10);
            }
            if (space.length() + (long) count > limit) {
                return null;
            }
            space.repeat(" \t\n\r".charAt(index), count);
        }
        return space.toString();
    }

    public static String encode(String space) {
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < space.length(); ) {
            int end = i + 1;
            while (end < space.length() && space.charAt(end) == space.charAt(i)) {
                end++;
            }
            letters.append(letter(space.charAt(i)));
            if (end - i > 1) {
                letters.append(end - i);
            }
            i = end;
        }
        return letters.toString();
    }
}
