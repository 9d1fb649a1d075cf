package dev.penstock.transfer.client.rows;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The members of one JSON object that a server has written as a row. */
final class JsonMembers {
    private final String text;
    private int at;

    private JsonMembers(String text) {
        this.text = text;
    }

    /** The values of members: texts without quotes, others as they stand, and nothing for {@code null} or none. */
    static List<Optional<String>> values(byte[] row, List<String> names) {
        Map<String, Optional<String>> members =
                new JsonMembers(new String(row, StandardCharsets.UTF_8)).members();
        List<Optional<String>> values = new ArrayList<>();
        for (String name : names) {
            values.add(members.getOrDefault(name, Optional.empty()));
        }
        return values;
    }

    private Map<String, Optional<String>> members() {
        Map<String, Optional<String>> members = new HashMap<>();
        skip();
        expect('{');
        skip();
        while (peek() == '"') {
            String name = string();
            skip();
            expect(':');
            skip();
            members.put(name, value());
            skip();
            if (peek() == ',') {
                at++;
                skip();
            }
        }
        expect('}');
        return members;
    }

    private Optional<String> value() {
        if (peek() == '"') {
            return Optional.of(string());
        }
        int start = at;
        int depth = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (depth == 0 && (c == ',' || c == '}')) {
                break;
            }
            if (c == '"') {
                string();
                continue;
            }
            depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
            at++;
        }
        String value = text.substring(start, at).strip();
        return value.equals("null") ? Optional.empty() : Optional.of(value);
    }

    private String string() {
        expect('"');
        StringBuilder value = new StringBuilder();
        while (peek() != '"') {
            char c = text.charAt(at++);
            value.append(c == '\\' ? escaped() : c);
        }
        at++;
        return value.toString();
    }

    private char escaped() {
        char c = peek();
        at++;
        return switch (c) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> unicode();
            default -> c;
        };
    }

    private char unicode() {
        if (at + 4 > text.length()) {
            throw invalid();
        }
        try {
            char c = (char) Integer.parseInt(text.substring(at, at + 4), 16);
            at += 4;
            return c;
        } catch (NumberFormatException e) {
            throw invalid();
        }
    }

    private void skip() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw invalid();
        }
        return text.charAt(at);
    }

    private void expect(char c) {
        if (peek() != c) {
            throw invalid();
        }
        at++;
    }

    private static TransferException invalid() {
        return new TransferException(
                Kind.INVALID,
                "A row of the export is no JSON object, as its media type says; get it as CSV");
    }
}
