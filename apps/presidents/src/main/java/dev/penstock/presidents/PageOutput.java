package dev.penstock.presidents;

import dev.penstock.format.PageWriter;
import gg.jte.Content;
import gg.jte.TemplateOutput;
import gg.jte.html.OwaspHtmlTemplateOutput;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The output that jte's templates write to: the page's bounded writer, behind jte's own escaping. Failures leave as
 * unchecked ones.
 */
final class PageOutput extends OwaspHtmlTemplateOutput {
    private final PageWriter writer;

    PageOutput(PageWriter writer) {
        super(new Unescaped(writer));
        this.writer = writer;
    }

    @Override
    public void writeUserContent(Content content) {
        if (content instanceof Base64Text base64) {
            try {
                writer.write(base64.text());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        } else {
            super.writeUserContent(content);
        }
    }

    private record Unescaped(PageWriter writer) implements TemplateOutput {
        @Override
        public void writeContent(String value) {
            writeContent(value, 0, value.length());
        }

        @Override
        public void writeContent(String value, int from, int to) {
            try {
                writer.write(value, from, to - from);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void writeBinaryContent(byte[] value) {
            try {
                writer.write(value);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
