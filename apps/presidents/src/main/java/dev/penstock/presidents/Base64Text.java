package dev.penstock.presidents;

import dev.penstock.query.Utf8;
import gg.jte.Content;
import gg.jte.TemplateOutput;

/**
 * Base64 for a page. Its alphabet means nothing to HTML, so that {@link PageOutput} writes the bytes as they are, in
 * text and in attributes alike.
 *
 * @param text only the alphabet of RFC 4648, section 4, and padding
 */
public record Base64Text(Utf8 text) implements Content {
    /** For any other output than ours: the slow way. */
    @Override
    public void writeTo(TemplateOutput output) {
        output.writeUserContent(text.toString());
    }

    /** The text, as StringTemplate wants it. */
    @Override
    public String toString() {
        return text.toString();
    }
}
