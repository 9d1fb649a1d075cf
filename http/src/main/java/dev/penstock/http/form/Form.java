package dev.penstock.http.form;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.MediaType;
import dev.penstock.http.message.StrictText;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The fields of an {@code application/x-www-form-urlencoded} body, as browsers send them for a form without files. It
 * is UTF-8, whatever character set the request names (URL standard, section 5). Immutable.
 *
 * @param fields decoded, in the order in which they were sent
 */
public record Form(List<Exchange.Parameter> fields) {
    /** The most bytes of a form, unless said otherwise. */
    public static final int MAX_BYTES = 1024 * 1024;

    /** The most fields of a form. */
    public static final int MAX_FIELDS = 1_000;

    private static final String MEDIA_TYPE = "application/x-www-form-urlencoded";

    /** Fields that are known. */
    public Form {
        fields = List.copyOf(fields);
    }

    /** Reads the request's body, of up to {@link #MAX_BYTES}. */
    public static Form of(Exchange exchange) throws IOException {
        return of(exchange, MAX_BYTES);
    }

    /**
     * Reads the request's body. Blocks until it has come.
     *
     * @throws HttpException (415) if it is of another media type; (413) if it has more bytes, or more than {@link
     *     #MAX_FIELDS} fields; (400) if it is malformed
     * @throws IOException if the client has gone
     */
    public static Form of(Exchange exchange, int maxBytes) throws IOException {
        String type = exchange.contentType().map(MediaType::name).orElse("");
        if (!type.equals(MEDIA_TYPE)) {
            throw new HttpException(415, "This takes forms of the media type " + MEDIA_TYPE)
                    .header("Accept", MEDIA_TYPE);
        }
        byte[] body = exchange.readBytes(maxBytes);
        check(body);
        try {
            String text = StrictText.decode(body, 0, body.length, StandardCharsets.UTF_8);
            return new Form(Exchange.Parameter.ofForm(text));
        } catch (CharacterCodingException e) {
            throw new HttpException(400, "The form is not UTF-8", e);
        }
    }

    private static void check(byte[] body) {
        int fields = 1;
        for (byte b : body) {
            if (b == 0) {
                throw new HttpException(400, "The form has a NUL");
            }
            if (b == '&' && ++fields > MAX_FIELDS) {
                throw new HttpException(413, "The form has more than " + MAX_FIELDS + " fields");
            }
        }
    }

    /** Returns the value of the last field of that name. */
    public Optional<String> field(String name) {
        return fields.reversed().stream()
                .filter(field -> field.name().equals(name))
                .map(Exchange.Parameter::value)
                .findFirst();
    }

    /** Returns the values of all fields of that name, in their order. */
    public List<String> all(String name) {
        return fields.stream()
                .filter(field -> field.name().equals(name))
                .map(Exchange.Parameter::value)
                .toList();
    }
}
