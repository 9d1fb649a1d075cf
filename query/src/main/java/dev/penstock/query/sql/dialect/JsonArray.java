package dev.penstock.query.sql.dialect;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reader of JSON arrays of scalars and of arrays. Numbers stay the texts that they are. Used once. */
final class JsonArray {
    private static final int MAX_DEPTH = 16;

    private final String text;
    private int at;

    private JsonArray(String text) {
        this.text = text;
    }

    /** The elements: texts, booleans, nulls and arrays of these; null if the text is no such array. */
    static Object @Nullable [] parse(String text) {
        try {
            JsonArray reader = new JsonArray(text);
            reader.space();
            Object[] elements = reader.array(1);
            reader.space();
            return reader.at == text.length() ? elements : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private Object[] array(int depth) {
        require(depth <= MAX_DEPTH && take('['));
        List<@Nullable Object> elements = new ArrayList<>();
        space();
        if (!take(']')) {
            do {
                space();
                elements.add(value(depth));
                space();
            } while (take(','));
            require(take(']'));
        }
        return elements.toArray();
    }

    private @Nullable Object value(int depth) {
        require(at < text.length());
        char first = text.charAt(at);
        if (first == '[') {
            return array(depth + 1);
        }
        if (first == '"') {
            at++;
            return string();
        }
        int from = at;
        while (at < text.length() && ",] \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return switch (text.substring(from, at)) {
            case "null" -> null;
            case "true" -> true;
            case "false" -> false;
            case String number -> {
                require(number.matches("-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?"));
                yield number;
            }
        };
    }

    private String string() {
        StringBuilder string = new StringBuilder();
        while (true) {
            require(at < text.length());
            char c = text.charAt(at++);
            if (c == '"') {
                return string.toString();
            }
            require(c >= ' ');
            string.append(c == '\\' ? escaped() : c);
        }
    }

    private char escaped() {
        require(at < text.length());
        char c = text.charAt(at++);
        return switch (c) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                require(at + 4 <= text.length());
                at += 4;
                yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            default -> {
                require(c == '"' || c == '\\' || c == '/');
                yield c;
            }
        };
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean take(char wanted) {
        boolean found = at < text.length() && text.charAt(at) == wanted;
        at += found ? 1 : 0;
        return found;
    }

    private static void require(boolean condition) {
        if (!condition) {
            throw new IllegalArgumentException("no JSON array");
        }
    }
}
