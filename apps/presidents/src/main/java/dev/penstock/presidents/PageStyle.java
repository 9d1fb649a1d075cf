package dev.penstock.presidents;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The style sheet that both engines put into the page's head. */
final class PageStyle {
    static final String CSS = read();

    private PageStyle() {}

    private static String read() {
        try (InputStream in =
                requireNonNull(PageStyle.class.getResourceAsStream("presidents.css"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("reading presidents.css", e);
        }
    }
}
