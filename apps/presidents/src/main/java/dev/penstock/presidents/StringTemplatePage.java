package dev.penstock.presidents;

import static java.util.Objects.requireNonNull;

import dev.penstock.format.PageTemplate;
import dev.penstock.format.PageWriter;
import dev.penstock.query.Cursor;
import gg.jte.html.escape.Escape;
import gg.jte.output.StringOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.stringtemplate.v4.NoIndentWriter;
import org.stringtemplate.v4.ST;
import org.stringtemplate.v4.STErrorListener;
import org.stringtemplate.v4.STGroup;
import org.stringtemplate.v4.STGroupFile;
import org.stringtemplate.v4.misc.STMessage;

/** The same page by StringTemplate 4, as in the article: {@code presidents.stg}. */
final class StringTemplatePage implements PageTemplate {
    private static final STGroup GROUP = group();

    @Override
    public void header(PageWriter out) throws IOException {
        write(GROUP.getInstanceOf("header").add("style", new Style(PageStyle.CSS)), out);
    }

    @Override
    public void row(Cursor row, PageWriter out) throws IOException {
        write(GROUP.getInstanceOf("row").add("row", new CursorRow(row)), out);
    }

    @Override
    public void footer(Timings timings, PageWriter out) throws IOException {
        write(GROUP.getInstanceOf("footer").add("timings", timings), out);
    }

    private static void write(ST template, PageWriter out) throws IOException {
        try {
            template.write(new NoIndentWriter(out));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static STGroup group() {
        STGroup group =
                new STGroupFile(
                        requireNonNull(StringTemplatePage.class.getResource("presidents.stg")),
                        "UTF-8",
                        '$',
                        '$');
        group.setListener(new Failures());
        group.registerRenderer(String.class, (text, _, _) -> escape(text));
        group.registerModelAdaptor(
                PresidentRow.class, (_, _, row, _, property) -> property(row, property));
        group.registerModelAdaptor(
                Timings.class, (_, _, timings, _, property) -> property(timings, property));
        group.load();
        return group;
    }

    /** StringTemplate escapes nothing by itself; this is what jte does to text. */
    private static String escape(String text) {
        StringOutput escaped = new StringOutput(text.length() + 16);
        Escape.htmlContent(text, escaped);
        return escaped.toString();
    }

    private static @org.jspecify.annotations.Nullable Object property(
            PresidentRow row, String name) {
        return switch (name) {
            case "name" -> row.name();
            case "from" -> row.from();
            case "to" -> row.to();
            case "summary" -> row.summary();
            case "picture" -> row.picture();
            default -> throw new IllegalArgumentException("presidents.stg: row." + name);
        };
    }

    private static Object property(Timings timings, String name) {
        return switch (name) {
            case "byteOne" -> timings.byteOne();
            case "rowOne" -> timings.rowOne();
            case "close" -> timings.close();
            default -> throw new IllegalArgumentException("presidents.stg: timings." + name);
        };
    }

    /** Text that is not escaped. */
    private record Style(String css) {
        @Override
        public String toString() {
            return css;
        }
    }

    /** Makes failures failures: StringTemplate would only print them, and the client would take half a page for the whole. */
    private static final class Failures implements STErrorListener {
        @Override
        public void compileTimeError(STMessage message) {
            throw new IllegalStateException(message.toString());
        }

        @Override
        public void runTimeError(STMessage message) {
            internalError(message);
        }

        @Override
        public void IOError(STMessage message) {
            if (message.cause instanceof IOException cause) {
                throw new UncheckedIOException(cause);
            }
            internalError(message);
        }

        @Override
        public void internalError(STMessage message) {
            if (message.cause instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(message.toString(), message.cause);
        }
    }
}
