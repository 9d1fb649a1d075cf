package dev.penstock.presidents;

import static java.util.Objects.requireNonNull;

import dev.penstock.format.PageTemplate;
import dev.penstock.format.PageWriter;
import dev.penstock.query.Cursor;
import gg.jte.html.escape.Escape;
import gg.jte.output.StringOutput;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.stringtemplate.v4.NoIndentWriter;
import org.stringtemplate.v4.ST;
import org.stringtemplate.v4.STErrorListener;
import org.stringtemplate.v4.STGroup;
import org.stringtemplate.v4.STGroupFile;
import org.stringtemplate.v4.misc.STMessage;

/** The same page by StringTemplate 4, from {@code presidents.stg}. */
final class StringTemplatePage implements PageTemplate {
    @Override
    public void header(PageWriter out) throws IOException {
        write(Templates.GROUP.getInstanceOf("header").add("style", PageStyle.CSS), out);
    }

    @Override
    public void row(Cursor row, PageWriter out) throws IOException {
        PresidentRow president = new CursorRow(row);
        ST template = Templates.GROUP.getInstanceOf("row");
        template.add("picture", president.picture());
        template.add("name", escaped(president.name()));
        template.add("from", escaped(president.from()));
        template.add("to", escaped(president.to()));
        template.add("summary", escaped(president.summary()));
        write(template, out);
    }

    @Override
    public void footer(Timings timings, PageWriter out) throws IOException {
        ST template = Templates.GROUP.getInstanceOf("footer");
        template.add("byteOne", timings.byteOne());
        template.add("rowOne", timings.rowOne());
        template.add("close", timings.close());
        write(template, out);
    }

    /** StringTemplate escapes nothing by itself; this is what jte does to text. */
    private static @Nullable String escaped(@Nullable String text) {
        if (text == null) {
            return null;
        }
        StringOutput escaped = new StringOutput(text.length() + 16);
        Escape.htmlContent(text, escaped);
        return escaped.toString();
    }

    private static void write(ST template, PageWriter out) throws IOException {
        FirstFailure failure = new FirstFailure();
        template.write(new NoIndentWriter(out), failure);
        failure.rethrow();
    }

    private static STGroup group() {
        STGroup group =
                new STGroupFile(
                        requireNonNull(StringTemplatePage.class.getResource("presidents.stg")),
                        "UTF-8",
                        '$',
                        '$');
        FirstFailure failure = new FirstFailure();
        group.setListener(failure);
        group.load();
        try {
            failure.rethrow();
        } catch (IOException e) {
            throw new IllegalStateException("reading presidents.stg", e);
        }
        return group;
    }

    /** Read when the first page wants them, since most want the other engine's. */
    private static final class Templates {
        static final STGroup GROUP = group();
    }

    /** Makes failures failures: StringTemplate would print them and go on, and half a page would pass for the whole. */
    private static final class FirstFailure implements STErrorListener {
        private @Nullable STMessage first;

        @Override
        public void compileTimeError(STMessage message) {
            keep(message);
        }

        @Override
        public void runTimeError(STMessage message) {
            keep(message);
        }

        @Override
        public void IOError(STMessage message) {
            keep(message);
        }

        @Override
        public void internalError(STMessage message) {
            keep(message);
        }

        private void keep(STMessage message) {
            if (first == null) {
                first = message;
            }
        }

        private void rethrow() throws IOException {
            if (first == null) {
                return;
            }
            if (first.cause instanceof IOException cause) {
                throw cause;
            }
            throw new IllegalStateException("presidents.stg: " + first, first.cause);
        }
    }
}
