package dev.penstock.server.page;

import dev.penstock.http.text.Html;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The texts of pages: files that lie beside a class, and values escaped for them. */
public final class PageText {
    private PageText() {}

    /** Returns the text of a file that lies beside a class. */
    public static String resource(Class<?> neighbour, String name) {
        try (InputStream in = neighbour.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + name + " is not in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("can't read the resource " + name, e);
        }
    }

    /**
     * Returns text as it stands in an element or a quoted attribute. Braces are escaped too, so that no name is taken
     * for a marker.
     */
    public static String escape(String text) {
        return Html.escape(text).replace("{", "&#123;");
    }
}
