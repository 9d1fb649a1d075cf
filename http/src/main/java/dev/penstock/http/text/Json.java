package dev.penstock.http.text;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The spelling of values as JSON. */
public final class Json {
    private static final String HEX = "0123456789abcdef";

    private Json() {}

    /**
     * Returns an object with these members: null, truth values, numbers, lists and maps, and everything else as text.
     * Numbers that are not finite become texts.
     */
    public static String object(Map<String, ? extends @Nullable Object> members) {
        StringBuilder out = new StringBuilder(256);
        object(out, members);
        return out.toString();
    }

    private static void object(StringBuilder out, Map<?, ?> members) {
        out.append('{');
        String separator = "";
        for (Map.Entry<?, ?> member : members.entrySet()) {
            out.append(separator);
            string(out, String.valueOf(member.getKey()));
            out.append(':');
            value(out, member.getValue());
            separator = ",";
        }
        out.append('}');
    }

    private static void value(StringBuilder out, @Nullable Object value) {
        switch (value) {
            case null -> out.append("null");
            case Boolean truth -> out.append(truth.booleanValue());
            case Double number when !Double.isFinite(number) -> string(out, number.toString());
            case Float number when !Float.isFinite(number) -> string(out, number.toString());
            case Number number -> out.append(number);
            case List<?> list -> list(out, list);
            case Map<?, ?> members -> object(out, members);
            default -> string(out, value.toString());
        }
    }

    private static void list(StringBuilder out, List<?> list) {
        out.append('[');
        String separator = "";
        for (Object element : list) {
            out.append(separator);
            value(out, element);
            separator = ",";
        }
        out.append(']');
    }

    /** Returns a text in quotes. */
    public static String string(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2);
        string(out, text);
        return out.toString();
    }

    static void string(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < 0x20 || c == 0x7f || isLoneSurrogate(text, i)) {
                        escape(out, c);
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    /** Writes a string in ASCII alone. */
    public static void ascii(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c >= 0x7f) {
                escape(out, c);
            } else if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private static boolean isLoneSurrogate(String text, int at) {
        char c = text.charAt(at);
        if (Character.isHighSurrogate(c)) {
            return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
        }
        return Character.isLowSurrogate(c)
                && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
    }

    private static void escape(StringBuilder out, char c) {
        out.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            out.append(HEX.charAt((c >> shift) & 0xf));
        }
    }
}
