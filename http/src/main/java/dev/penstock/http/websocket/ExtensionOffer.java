package dev.penstock.http.websocket;

import dev.penstock.http.HttpException;
import dev.penstock.http.message.Syntax;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One element of {@code Sec-WebSocket-Extensions} (RFC 6455, section 9.1): {@code name; parameter; parameter=value}.
 */
record ExtensionOffer(String name, List<Parameter> parameters) {
    /**
     * A parameter of an offer.
     *
     * @param value null where it has none
     */
    record Parameter(String name, @Nullable String value) {}

    /**
     * Reads one.
     *
     * @throws HttpException if it is malformed (400)
     */
    static ExtensionOffer parse(String offer) {
        List<String> parts = split(offer);
        List<Parameter> parameters = new ArrayList<>(parts.size() - 1);
        for (String part : parts.subList(1, parts.size())) {
            int equals = part.indexOf('=');
            String name = (equals < 0 ? part : part.substring(0, equals)).strip();
            String value = equals < 0 ? null : unquoted(part.substring(equals + 1).strip());
            parameters.add(new Parameter(token(name), value == null ? null : token(value)));
        }
        return new ExtensionOffer(token(parts.getFirst().strip()), List.copyOf(parameters));
    }

    private static List<String> split(String offer) {
        List<String> parts = new ArrayList<>(4);
        boolean quoted = false;
        int start = 0;
        for (int i = 0; i < offer.length(); i++) {
            char c = offer.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ';' && !quoted) {
                parts.add(offer.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(offer.substring(start));
        return parts;
    }

    /** A value in quotes is a token, too, so that nothing in it is escaped. */
    private static String unquoted(String value) {
        boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    private static String token(String text) {
        if (!Syntax.isToken(text)) {
            throw new HttpException(
                    400,
                    "Sec-WebSocket-Extensions is malformed: it is a list of names with parameters,"
                            + " such as permessage-deflate; client_max_window_bits");
        }
        return text;
    }
}
