package dev.penstock.presidents;

import dev.penstock.format.PageTemplate;
import dev.penstock.format.PageWriter;
import dev.penstock.presidents.templates.JtefooterGenerated;
import dev.penstock.presidents.templates.JteheaderGenerated;
import dev.penstock.presidents.templates.JtepageGenerated;
import dev.penstock.presidents.templates.JterowGenerated;
import dev.penstock.query.Cursor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Supplier;

/**
 * The page by jte. Its templates ({@code src/main/jte}) are compiled with this module, each to a class {@code
 * Jte…Generated}, and called as what they are: static methods with typed parameters.
 */
final class JtePage implements PageTemplate {
    @Override
    public void header(PageWriter out) throws IOException {
        render(() -> JteheaderGenerated.render(new PageOutput(out), null, PageStyle.CSS));
    }

    @Override
    public void row(Cursor row, PageWriter out) throws IOException {
        render(() -> JterowGenerated.render(new PageOutput(out), null, new CursorRow(row)));
    }

    @Override
    public void footer(Timings timings, PageWriter out) throws IOException {
        render(() -> JtefooterGenerated.render(new PageOutput(out), null, timings));
    }

    /** The whole page by one template, {@code page.jte}. */
    static void whole(
            Iterable<? extends PresidentRow> rows, Supplier<Timings> timings, PageWriter out)
            throws IOException {
        render(() ->
                JtepageGenerated.render(new PageOutput(out), null, PageStyle.CSS, rows, timings));
    }

    private static void render(Runnable template) throws IOException {
        try {
            template.run();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
