package dev.penstock.http.message;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A header's value and its parameters: {@code form-data; name="a"; filename="b"}. Names are in lower case.
 *
 * @param value what stands before the first semicolon
 */
public record HeaderParameters(String value, Map<String, String> parameters) {
    /** Returns a parameter by its name in lower case; null where it is not there. */
    public @Nullable String get(String name) {
        return parameters.get(name);
    }

    /**
     * Reads a header. In a quoted value a backslash escapes a quotation mark or a backslash, and is itself before
     * anything else, as in the paths that some browsers have sent. Semicolons with nothing behind them are left out
     * (RFC 9110, section 5.6.6).
     *
     * @throws Malformed if it is malformed, or has a parameter twice
     */
    public static HeaderParameters parse(String header) {
        int semicolon = header.indexOf(';');
        if (semicolon < 0) {
            return new HeaderParameters(header.strip(), Map.of());
        }
        Map<String, String> parameters = new HashMap<>();
        for (int at = semicolon; at < header.length(); ) {
            int start = skipSpace(header, at + 1);
            if (start == header.length() || header.charAt(start) == ';') {
                at = start;
                continue;
            }
            int equals = header.indexOf('=', start);
            String name = equals < 0 ? "" : header.substring(start, equals);
            if (!Syntax.isToken(name)) {
                throw malformed(header);
            }
            StringBuilder text = new StringBuilder();
            at = value(header, equals + 1, text);
            if (parameters.put(name.toLowerCase(Locale.ROOT), text.toString()) != null) {
                throw new Malformed(
                        "A header has the parameter %s twice".formatted(Syntax.printable(name)));
            }
        }
        return new HeaderParameters(header.substring(0, semicolon).strip(), parameters);
    }

    /** Reads a token or a quoted value. Returns where the next semicolon is, or the end. */
    private static int value(String header, int from, StringBuilder text) {
        boolean quoted = from < header.length() && header.charAt(from) == '"';
        int end = quoted ? quoted(header, from + 1, text) : unquoted(header, from, text);
        int next = skipSpace(header, end);
        if (next < header.length() && header.charAt(next) != ';') {
            throw malformed(header);
        }
        return next;
    }

    /** Reads up to the closing quotation mark. Returns what stands behind it. */
    private static int quoted(String header, int from, StringBuilder text) {
        int at = from;
        for (; at < header.length() && header.charAt(at) != '"'; at++) {
            char next = at + 1 < header.length() ? header.charAt(at + 1) : 0;
            if (header.charAt(at) == '\\' && (next == '"' || next == '\\')) {
                at++;
            }
            text.append(header.charAt(at));
        }
        if (at == header.length()) {
            throw malformed(header);
        }
        return at + 1;
    }

    /** Reads up to the next semicolon, or the end; such values may be more than a token, as file names are. */
    private static int unquoted(String header, int from, StringBuilder text) {
        int semicolon = header.indexOf(';', from);
        int end = semicolon < 0 ? header.length() : semicolon;
        String value = header.substring(from, end);
        if (value.indexOf('"') >= 0 || skipSpace(header, from) > from) {
            throw malformed(header);
        }
        text.append(value.stripTrailing());
        return end;
    }

    private static int skipSpace(String header, int from) {
        int at = from;
        while (at < header.length() && (header.charAt(at) == ' ' || header.charAt(at) == '\t')) {
            at++;
        }
        return at;
    }

    private static Malformed malformed(String header) {
        return new Malformed(
                "The parameters of a header are malformed: " + Syntax.sentence(header));
    }

    /** A header that can't be read; its message is for the client. */
    public static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Malformed(String message) {
            super(message);
        }
    }
}
