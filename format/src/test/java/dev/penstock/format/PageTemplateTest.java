package dev.penstock.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.QueryException;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PageTemplateTest {
    private static final class Page implements PageTemplate {
        Timings timings = NONE;

        static final Timings NONE = new Timings(-7, -7, -7);

        @Override
        public void header(PageWriter out) throws IOException {
            out.write("<ul>");
        }

        @Override
        public void row(Cursor row, PageWriter out) throws IOException {
            out.write("<li>");
            out.write(row.text(0));
            out.append("</li>");
        }

        @Override
        public void footer(Timings timings, PageWriter out) throws IOException {
            this.timings = timings;
            out.write("</ul>");
        }
    }

    private final Page page = new Page();
    private final MemoryChannel channel = new MemoryChannel();

    private static MemoryCursor rows() {
        return new MemoryCursor()
                .column("t", ColumnType.TEXT)
                .row("a")
                .row("\u20AC")
                .row((String) null);
    }

    @Test
    void page_withRows_isHeaderRowsFooter() throws IOException {
        MemoryCursor rows = rows();
        PageTemplate.write(page, () -> rows, channel);
        assertThat(channel.text()).isEqualTo("<ul><li>a</li><li>\u20AC</li><li></li></ul>");
        assertThat(rows.closed).isTrue();
        assertThat(channel.closed).isFalse();
    }

    @Test
    void header_isSentBeforeTheQueryStarts() throws IOException {
        PageTemplate.write(
                page,
                () -> {
                    assertThat(channel.text()).isEqualTo("<ul>");
                    assertThat(channel.flushes).isEqualTo(1);
                    return rows();
                },
                channel);
        assertThat(channel.sizeAtFirstFlush).isEqualTo(4);
    }

    @Test
    void timings_ofAPage_growFromByteToRowToClose() throws IOException {
        PageTemplate.write(page, PageTemplateTest::rows, channel);
        PageTemplate.Timings timings = page.timings;
        assertThat(timings.byteOne()).isPositive();
        assertThat(timings.rowOne()).isGreaterThanOrEqualTo(timings.byteOne());
        assertThat(timings.close()).isGreaterThanOrEqualTo(timings.rowOne());
    }

    @Test
    void timings_withoutRows_haveNoRowOne() throws IOException {
        PageTemplate.write(page, () -> rows().repeat(0), channel);
        assertThat(page.timings.rowOne()).isEqualTo(-1);
    }

    @Test
    void page_whenARowFails_closesTheCursorAndWritesNoFooter() {
        MemoryCursor rows = rows().failAfter(1);
        assertThatThrownBy(() -> PageTemplate.write(page, () -> rows, channel))
                .isInstanceOf(QueryException.class);
        assertThat(rows.closed).isTrue();
        assertThat(page.timings).isSameAs(Page.NONE);
        assertThat(channel.text()).isEqualTo("<ul>");
    }

    @Test
    void writer_withTextCutAnywhere_writesTheSameUtf8() throws IOException {
        String text = "a\u00E9\u20AC\uD83D\uDE00".repeat(20_000) + "\uD83D";
        long seed =
                Long.getLong(
                        "penstock.seed",
                        Boolean.getBoolean("penstock.soak") ? System.nanoTime() : 1);
        Random random = new Random(seed);
        PageWriter writer = new PageWriter(channel);
        for (int at = 0; at < text.length(); ) {
            int end = Math.min(text.length(), at + random.nextInt(5000));
            switch (random.nextInt(3)) {
                case 0 -> writer.write(text, at, end - at);
                case 1 -> writer.write(text.toCharArray(), at, end - at);
                default -> {
                    end = Math.min(text.length(), at + 1);
                    writer.write(text.charAt(at));
                }
            }
            at = end;
        }
        writer.close();
        writer.close();
        String expected = text.substring(0, text.length() - 1) + "\uFFFD";
        assertThat(channel.text()).as("-Dpenstock.seed=%d", seed).isEqualTo(expected);
    }

    @Test
    void writer_withHalfAPairBeforeBytes_replacesIt() throws IOException {
        PageWriter writer = new PageWriter(channel);
        writer.write("x\uD83D");
        writer.write(new byte[] {'y'});
        writer.write("\uDE00z");
        writer.close();
        assertThat(channel.text()).isEqualTo("x\uFFFDy\uFFFDz");
    }
}
