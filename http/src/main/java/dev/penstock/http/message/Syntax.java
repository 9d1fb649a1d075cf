package dev.penstock.http.message;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The character classes of HTTP (RFC 9110, section 5), and checks on what this side sends. */
public final class Syntax {
    private static final boolean[] TOKEN = new boolean[128];

    static {
        String others = "!#$%&'*+-.^_`|~";
        for (int c = 0; c < TOKEN.length; c++) {
            boolean alphanumeric =
                    (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
            TOKEN[c] = alphanumeric || others.indexOf(c) >= 0;
        }
    }

    private Syntax() {}

    public static boolean isToken(byte b) {
        return b >= 0 && TOKEN[b];
    }

    /** What a field value consists of: visible characters, space, tab, and bytes above ASCII. */
    public static boolean isFieldByte(byte b) {
        return b < 0 || (b >= 0x20 && b != 0x7f) || b == '\t';
    }

    public static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 128 || !TOKEN[text.charAt(i)]) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /**
     * The elements of a header that is a list (RFC 9110, section 5.6.1), of all its lines, in order. Empty ones are
     * none; a comma in quotes is no end.
     */
    public static List<String> elements(List<String> values) {
        List<String> elements = new ArrayList<>(2);
        for (String value : values) {
            int start = 0;
            boolean quoted = false;
            for (int i = 0; i < value.length(); i++) {
                char c = value.charAt(i);
                if (c == '"') {
                    quoted = !quoted;
                } else if (c == '\\' && quoted) {
                    i++;
                } else if (c == ',' && !quoted) {
                    addElement(value, start, i, elements);
                    start = i + 1;
                }
            }
            addElement(value, start, value.length(), elements);
        }
        return elements;
    }

    private static void addElement(String value, int from, int to, List<String> elements) {
        int start = from;
        int end = to;
        while (start < end && isSpace(value.charAt(start))) {
            start++;
        }
        while (end > start && isSpace(value.charAt(end - 1))) {
            end--;
        }
        if (start < end) {
            elements.add(value.substring(start, end));
        }
    }

    /**
     * Returns whether it is what may stand around a value: a space or a tab, and no other that {@link String#trim}
     * removes.
     */
    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }

    /** Returns whether a header that is a list has an element, ignoring case. */
    public static boolean hasElement(List<String> values, String element) {
        return !values.isEmpty() && elements(values).stream().anyMatch(element::equalsIgnoreCase);
    }

    static void checkName(String name) {
        if (!isToken(name)) {
            throw new IllegalArgumentException(
                    "Header name " + printable(name) + " is not a token of HTTP");
        }
    }

    static void checkValue(String name, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < 0x20 && c != '\t') || c >= 0x7f) {
                throw new IllegalArgumentException(
                        "The value of header "
                                + name
                                + " has character U+%04X at %d; only visible ASCII, space and tab can be sent"
                                        .formatted((int) c, i));
            }
        }
    }

    /** For logs: ASCII without control characters, cut at 200. */
    public static String printable(String text) {
        StringBuilder out = new StringBuilder(Math.min(text.length(), 200) + 2);
        for (int i = 0; i < text.length() && i < 200; i++) {
            char c = text.charAt(i);
            out.append(c > 0x20 && c < 0x7f ? c : '?');
        }
        return text.length() > 200 ? out.append("..").toString() : out.toString();
    }

    /** The same with spaces. */
    public static String sentence(@Nullable String text) {
        if (text == null) {
            return "no reason is known";
        }
        StringBuilder out = new StringBuilder(Math.min(text.length(), 200));
        for (int i = 0; i < text.length() && i < 200; i++) {
            char c = text.charAt(i);
            out.append(c >= 0x20 && c < 0x7f ? c : '?');
        }
        return out.toString();
    }

    public static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
