package dev.penstock.http;

import dev.penstock.http.message.HeaderParameters;
import dev.penstock.http.message.Syntax;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A media type (RFC 9110, section 8.3.1), such as {@code text/csv; charset=utf-8}. Immutable.
 *
 * @param type the first half, in lower case
 * @param subtype the second half, in lower case
 * @param parameters by their names in lower case
 */
public record MediaType(String type, String subtype, Map<String, String> parameters) {
    /**
     * A media type whose parts are known.
     *
     * @throws IllegalArgumentException if a half is not a token of HTTP
     */
    public MediaType {
        if (!Syntax.isToken(type) || !Syntax.isToken(subtype)) {
            throw new IllegalArgumentException(
                    "No media type, which would be type/subtype: "
                            + Syntax.sentence(type + "/" + subtype));
        }
        type = type.toLowerCase(Locale.ROOT);
        subtype = subtype.toLowerCase(Locale.ROOT);
        parameters = Map.copyOf(parameters);
    }

    /**
     * Reads a media type.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    public static MediaType parse(String text) {
        HeaderParameters header;
        try {
            header = HeaderParameters.parse(text);
        } catch (HeaderParameters.Malformed e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        int slash = header.value().indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException(
                    "No media type, which would be type/subtype: " + Syntax.sentence(text));
        }
        String type = header.value().substring(0, slash);
        return new MediaType(type, header.value().substring(slash + 1), header.parameters());
    }

    /** Returns both halves without the parameters: {@code text/csv}. */
    public String name() {
        return type + "/" + subtype;
    }

    /**
     * Returns whether it is JSON, under that name or as the form of something else, as in {@code
     * application/problem+json}.
     */
    public boolean isJson() {
        return subtype.endsWith("+json") || name().equals("application/json");
    }

    /**
     * Returns the character set that it names.
     *
     * @throws IllegalArgumentException if this JVM does not know it
     */
    public Optional<Charset> charset() {
        String name = parameters.get("charset");
        if (name == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Charset.forName(name));
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw new IllegalArgumentException(
                    "Character set " + Syntax.printable(name) + " is not known here", e);
        }
    }
}
