package dev.penstock.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.penstock.query.ColumnType;
import dev.penstock.query.QueryException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RowFormatTest {
    static Stream<RowFormat> formats() {
        return Stream.of(
                RowFormat.JSON, RowFormat.NDJSON, RowFormat.CSV, RowFormat.HTML, RowFormat.XML);
    }

    private static MemoryCursor people() {
        return new MemoryCursor()
                .column("id", ColumnType.LONG)
                .column("full name", ColumnType.TEXT)
                .column("born", ColumnType.DATE)
                .column("score", ColumnType.DOUBLE)
                .column("extra", ColumnType.JSON)
                .row("1", "Ann \"A\" <b>, & co", "1970-01-31", "1.5", "{\"a\":\n [1]}")
                .row("-2", "", null, "NaN", null)
                .row(null, null, null, null, null);
    }

    @Test
    void json_rows_areAnArrayOfObjects() throws IOException {
        assertThat(MemoryChannel.written(RowFormat.JSON, people()))
                .isEqualTo(
                        """
                        [{"id":1,"full name":"Ann \\"A\\" <b>, & co","born":"1970-01-31",\
                        "score":1.5,"extra":{"a":  [1]}},
                        {"id":-2,"full name":"","born":null,"score":"NaN","extra":null},
                        {"id":null,"full name":null,"born":null,"score":null,"extra":null}]
                        """);
    }

    @Test
    void ndjson_rows_areALineEach() throws IOException {
        assertThat(MemoryChannel.written(RowFormat.NDJSON, people()).lines())
                .containsExactly(
                        "{\"id\":1,\"full name\":\"Ann \\\"A\\\" <b>, & co\",\"born\":\"1970-01-31\","
                                + "\"score\":1.5,\"extra\":{\"a\":  [1]}}",
                        "{\"id\":-2,\"full name\":\"\",\"born\":null,\"score\":\"NaN\",\"extra\":null}",
                        "{\"id\":null,\"full name\":null,\"born\":null,\"score\":null,\"extra\":null}");
    }

    @Test
    void csv_rows_tellNullFromEmptyText() throws IOException {
        assertThat(MemoryChannel.written(RowFormat.CSV, people()))
                .isEqualTo(
                        """
                        id,full name,born,score,extra\r
                        1,"Ann ""A"" <b>, & co",1970-01-31,1.5,"{""a"":
                         [1]}"\r
                        -2,"",,NaN,\r
                        ,,,,\r
                        """);
    }

    @Test
    void html_rows_areEscapedAndNullsMarked() throws IOException {
        assertThat(MemoryChannel.written(RowFormat.html("A & <B>"), people()))
                .startsWith("<!DOCTYPE html>\n")
                .contains("<title>A &amp; &lt;B&gt;</title>", "<h1>A &amp; &lt;B&gt;</h1>")
                .contains(
                        "<tr><th class=\"n\">id</th><th>full name</th><th>born</th><th class=\"n\">score</th>")
                .contains(
                        "<tr><td class=\"n\">1</td><td>Ann &quot;A&quot; &lt;b&gt;, &amp; co</td>"
                                + "<td>1970-01-31</td><td class=\"n\">1.5</td>")
                .contains("<tr><td class=\"n z\">NULL</td><td class=\"z\">NULL</td>")
                .endsWith("</tbody>\n</table>\n<p>3 rows</p>\n</body>\n</html>\n");
    }

    @Test
    void xml_rows_leaveNullsOut() throws IOException {
        assertThat(MemoryChannel.written(RowFormat.XML, people()))
                .isEqualTo(
                        """
                        <?xml version="1.0" encoding="UTF-8"?>
                        <rows>
                        <row><id>1</id><full_x0020_name>Ann "A" &lt;b&gt;, &amp; co</full_x0020_name>\
                        <born>1970-01-31</born><score>1.5</score><extra>{"a":
                         [1]}</extra></row>
                        <row><id>-2</id><full_x0020_name></full_x0020_name><score>NaN</score></row>
                        <row></row>
                        </rows>
                        """);
    }

    @Test
    void formats_withoutRows_areWholeDocuments() throws IOException {
        MemoryCursor none = new MemoryCursor().column("a", ColumnType.INT);
        assertThat(MemoryChannel.written(RowFormat.JSON, none)).isEqualTo("[]\n");
        assertThat(MemoryChannel.written(RowFormat.NDJSON, none)).isEmpty();
        assertThat(MemoryChannel.written(RowFormat.CSV, none)).isEqualTo("a\r\n");
        assertThat(MemoryChannel.written(RowFormat.HTML, none))
                .endsWith("<p>0 rows</p>\n</body>\n</html>\n");
        assertThat(MemoryChannel.written(RowFormat.XML, none)).endsWith("<rows>\n</rows>\n");
    }

    @Test
    void json_numbersThatJsonDoesNotKnow_areStrings() throws IOException {
        MemoryCursor rows = new MemoryCursor().column("n", ColumnType.DECIMAL);
        rows.row("0.10").row("-0").row("00042").row("Infinity").row("-Infinity").row("NaN");
        rows.row("123456789012345678901234567890.000000000000000001").row("1.0E-7").row("");
        assertThat(MemoryChannel.written(RowFormat.NDJSON, rows).lines())
                .containsExactly(
                        "{\"n\":0.10}",
                        "{\"n\":-0}",
                        "{\"n\":\"00042\"}",
                        "{\"n\":\"Infinity\"}",
                        "{\"n\":\"-Infinity\"}",
                        "{\"n\":\"NaN\"}",
                        "{\"n\":123456789012345678901234567890.000000000000000001}",
                        "{\"n\":1.0E-7}",
                        "{\"n\":\"\"}");
    }

    @Test
    void json_columnThatHoldsNoJson_isAString() throws IOException {
        MemoryCursor rows = new MemoryCursor().column("j", ColumnType.JSON);
        rows.row("[1, {\"a\": null}]").row("{oops").row("").row("1 2").row("\"a\\u0041\"");
        assertThat(MemoryChannel.written(RowFormat.NDJSON, rows).lines())
                .containsExactly(
                        "{\"j\":[1, {\"a\": null}]}",
                        "{\"j\":\"{oops\"}",
                        "{\"j\":\"\"}",
                        "{\"j\":\"1 2\"}",
                        "{\"j\":\"a\\u0041\"}");
    }

    @ParameterizedTest
    @MethodSource("formats")
    void text_thatIsNotUtf8_becomesReplacementCharacters(RowFormat format) throws IOException {
        MemoryCursor rows = new MemoryCursor().column("t", ColumnType.TEXT);
        byte[] broken = {
            'a',
            (byte) 0xFF,
            'b',
            (byte) 0xC0,
            (byte) 0x80,
            (byte) 0xED,
            (byte) 0xA0,
            (byte) 0x80,
            'c',
            (byte) 0xF0
        };
        rows.bytes(broken).row("\u00E9\u20AC\uD83D\uDE00");
        MemoryChannel channel = new MemoryChannel();
        format.write(rows, channel);
        String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(channel.bytes())).toString();
        assertThat(text)
                .contains("a\uFFFDb\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDc\uFFFD")
                .contains("\u00E9\u20AC\uD83D\uDE00");
    }

    @ParameterizedTest
    @MethodSource("formats")
    void text_largerThanTheBuffer_arrivesWhole(RowFormat format) throws IOException {
        String large = "0123456789abcde\u00E9".repeat(100_000);
        MemoryCursor rows = new MemoryCursor().column("t", ColumnType.TEXT).row(large).row("x");
        MemoryChannel channel = new MemoryChannel(1000);
        format.write(rows, channel);
        assertThat(channel.text()).contains(large);
    }

    @ParameterizedTest
    @MethodSource("formats")
    void write_whenTheFirstRowFails_writesNothing(RowFormat format) {
        MemoryChannel channel = new MemoryChannel();
        assertThatThrownBy(() -> format.write(people().failAfter(0), channel))
                .isInstanceOf(QueryException.class);
        assertThat(channel.bytes()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("formats")
    void write_whenALaterRowFails_throwsAndEndsNothing(RowFormat format) throws IOException {
        String whole = MemoryChannel.written(format, people().repeat(1000));
        MemoryChannel channel = new MemoryChannel();
        assertThatThrownBy(() -> format.write(people().repeat(1000).failAfter(999), channel))
                .isInstanceOf(QueryException.class);
        assertThat(whole).startsWith(channel.text());
        assertThat(channel.text()).isNotEmpty().hasSizeLessThan(whole.length());
        assertThat(channel.closed).isFalse();
    }

    @ParameterizedTest
    @MethodSource("formats")
    void write_whenTheChannelFails_throwsItsException(RowFormat format) {
        MemoryChannel channel = new MemoryChannel();
        channel.failAt = 40_000;
        MemoryCursor rows = people().repeat(100_000);
        assertThatThrownBy(() -> format.write(rows, channel)).hasMessage("the client has gone");
        assertThat(rows.closed).isFalse();
    }

    @ParameterizedTest
    @MethodSource("formats")
    void write_manyRows_allocatesNothingForThem(RowFormat format) throws IOException {
        WritableByteChannel nothing = new Nothing();
        format.write(people().repeat(50_000), nothing);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        MemoryCursor rows = people().repeat(50_000);
        long before = threads.getCurrentThreadAllocatedBytes();
        format.write(rows, nothing);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(200_000);
    }

    @Test
    void all_withAServiceOnTheClassPath_listsItLast() throws IOException {
        assertThat(RowFormat.all())
                .extracting(RowFormat::name)
                .containsExactly("json", "ndjson", "csv", "html", "xml", "rowcount");
        RowFormat fromOutside = RowFormat.named("rowcount").orElseThrow();
        assertThat(MemoryChannel.written(fromOutside, people())).isEqualTo("3\n");
        assertThat(RowFormat.named("csv")).contains(RowFormat.CSV);
        assertThat(RowFormat.named("CSV")).isEmpty();
    }

    private static final class Nothing implements WritableByteChannel {
        @Override
        public int write(ByteBuffer source) {
            int count = source.remaining();
            source.position(source.limit());
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
