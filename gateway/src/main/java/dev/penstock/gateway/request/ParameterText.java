package dev.penstock.gateway.request;

import dev.penstock.gateway.problem.Problems;
import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import java.util.function.IntPredicate;

/**
 * The decoded value of one query parameter, read from left to right. Knows where each of its characters stands in the
 * query as it was sent, so that errors can point there.
 */
final class ParameterText {
    private static final int SHOWN = 60;

    private final String query;
    private final String parameter;
    private final int start;
    private final String text;
    private int at;

    ParameterText(String query, Exchange.Parameter parameter) {
        this.query = query;
        this.parameter = parameter.name();
        this.start = Math.min(parameter.position(), query.length());
        this.text = parameter.value();
    }

    String parameter() {
        return parameter;
    }

    /** Where the next character is, counted in the decoded value. */
    int at() {
        return at;
    }

    boolean atEnd() {
        return at == text.length();
    }

    /** Returns whether an item of a list would be empty here. */
    boolean isAtItemsEnd() {
        return atEnd() || text.charAt(at) == ',';
    }

    /** Returns whether the text goes on like this. */
    boolean sees(String expected) {
        return text.startsWith(expected, at);
    }

    /** Passes over {@code expected} if the text goes on like this. */
    boolean take(String expected) {
        boolean sees = sees(expected);
        if (sees) {
            at += expected.length();
        }
        return sees;
    }

    void skipSpaces() {
        takeWhile(character -> character == ' ');
    }

    String takeWhile(IntPredicate wanted) {
        int from = at;
        while (at < text.length() && wanted.test(text.charAt(at))) {
            at++;
        }
        return text.substring(from, at);
    }

    /** Takes up to one of {@code ends} or the end of the text. */
    String takeUntil(String ends) {
        return takeWhile(character -> ends.indexOf(character) < 0);
    }

    String rest() {
        return takeWhile(character -> true);
    }

    /** Takes a text in double quotes, in which a backslash makes the next character stand for itself. */
    String quoted() {
        int from = at;
        StringBuilder content = new StringBuilder();
        for (at++; at < text.length(); at++) {
            char character = text.charAt(at);
            if (character == '"') {
                at++;
                return content.toString();
            }
            if (character == '\\' && at + 1 < text.length()) {
                at++;
            }
            content.append(text.charAt(at));
        }
        throw error(
                from,
                "malformed",
                "the double quote that opens here is not closed",
                "close it; inside, write \\\" for a double quote and \\\\ for a backslash");
    }

    /** An error about what stands at an index of the decoded value. */
    HttpException error(int index, String kind, String problem, String hint) {
        return error(400, parameter, position(index), kind, problem, hint);
    }

    /** An error about the parameter's name. */
    HttpException nameError(String kind, String problem, String hint) {
        int name = query.lastIndexOf('&', Math.max(0, start - 1)) + 1;
        return error(400, parameter, Math.min(name, start), kind, problem, hint);
    }

    /** The same, with another status. */
    HttpException error(int status, int index, String kind, String problem, String hint) {
        return error(status, parameter, position(index), kind, problem, hint);
    }

    private static HttpException error(
            int status, String parameter, int position, String kind, String problem, String hint) {
        return Problems.of(status, kind, problem, "position " + position + " of the query", hint)
                .with("parameter", shown(parameter))
                .with("position", position);
    }

    /** Text of the client in a message: not longer than one wants to read. */
    static String shown(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "\u2026";
    }

    /** Where the character at an index of the decoded value starts in the query as it was sent. */
    private int position(int index) {
        int raw = start;
        int decoded = 0;
        while (raw < query.length() && query.charAt(raw) != '&') {
            boolean escaped = query.charAt(raw) == '%' && raw + 2 < query.length();
            int units = escaped ? units(query.substring(raw + 1, raw + 3)) : 1;
            if (decoded + units > index) {
                return raw;
            }
            decoded += units;
            raw += escaped ? 3 : 1;
        }
        return raw;
    }

    /** How many characters of a Java text start with this byte of UTF-8. */
    private static int units(String hex) {
        int high = Character.digit(hex.charAt(0), 16);
        if (high >= 0x8 && high <= 0xB) {
            return 0;
        }
        return high == 0xF ? 2 : 1;
    }
}
