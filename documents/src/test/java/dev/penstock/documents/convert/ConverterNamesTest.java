package dev.penstock.documents.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The names of the fifth edition of XML 1.0, which are more than those of the fourth. */
class ConverterNamesTest {
    /** The first and the last character of each range of the production NameStartChar, but the colon. */
    private static final int[][] STARTS = {
        {'A', 'Z'},
        {'_', '_'},
        {'a', 'z'},
        {0xc0, 0xd6},
        {0xd8, 0xf6},
        {0xf8, 0x2ff},
        {0x370, 0x37d},
        {0x37f, 0x1fff},
        {0x200c, 0x200d},
        {0x2070, 0x218f},
        {0x2c00, 0x2fef},
        {0x3001, 0xd7ff},
        {0xf900, 0xfdcf},
        {0xfdf0, 0xfffd},
        {0x10000, 0xeffff},
    };

    /** Those that NameChar has more. */
    private static final int[][] PARTS = {
        {'-', '.'}, {'0', '9'}, {0xb7, 0xb7}, {0x300, 0x36f}, {0x203f, 0x2040},
    };

    private static boolean isIn(int[][] ranges, int c) {
        return IntStream.range(0, ranges.length)
                .anyMatch(i -> ranges[i][0] <= c && c <= ranges[i][1]);
    }

    private static boolean isRead(String xml) {
        try {
            assertThat(Converter.exact().toXml(Converter.exact().toJson(xml))).isEqualTo(xml);
            return true;
        } catch (DocumentException e) {
            assertThat(e.kind()).as(xml).isEqualTo(Kind.XML);
            assertThat(e).hasMessageContaining("line 1, column ");
            return false;
        }
    }

    @Test
    void names_atTheEdgesOfEachRange_areReadOrRefused() {
        var characters = new TreeSet<Integer>();
        for (int[][] ranges : List.of(STARTS, PARTS)) {
            for (int[] range : ranges) {
                characters.addAll(List.of(range[0] - 1, range[0], range[1], range[1] + 1));
            }
        }
        // Between tags and names, these begin something else.
        characters.removeAll(List.of((int) '/', (int) ':'));
        for (int c : characters) {
            String name = Character.toString(c);
            assertThat(isRead("<" + name + "/>")).as("U+%04X", c).isEqualTo(isIn(STARTS, c));
            boolean isPart = isIn(STARTS, c) || isIn(PARTS, c);
            assertThat(isRead("<e" + name + "/>")).as("U+%04X", c).isEqualTo(isPart);
            assertThat(isRead("<e a" + name + "=\"\"/>")).as("U+%04X", c).isEqualTo(isPart);
            assertThat(isRead("<e><?p" + name + "?></e>")).as("U+%04X", c).isEqualTo(isPart);
        }
    }

    /** Letters that Unicode had not yet, or not as letters, when the fourth edition was written. */
    @ParameterizedTest
    @ValueSource(strings = {"\u1780\u17b6", "\u13a0", "\u09ce", "\u2d00", "\u0220", "\ud800\udf30"})
    void names_thatTheFourthEditionLacks_comeBack(String name) {
        String xml =
                "<%1$s:%1$s xmlns:%1$s=\"u\" %1$s=\"1\"><?%1$s?><%1$s/></%1$s:%1$s>"
                        .formatted(name);
        String json = Converter.exact().toJson(xml);
        assertThat(json).contains("\"" + name + ":" + name + "\"");
        assertThat(Converter.exact().toXml(json)).isEqualTo(xml);
        var fromBytes = new ByteArrayOutputStream();
        for (var charset : List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16)) {
            fromBytes.reset();
            Converter.exact().toJson(new ByteArrayInputStream(xml.getBytes(charset)), fromBytes);
            assertThat(fromBytes.toString(StandardCharsets.UTF_8)).isEqualTo(json);
        }
    }

    /** Other things that only XML 1.1 allows, apart from names, stay errors. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<r xmlns:p='u'>\\n<a xmlns:p=''/></r>|2|the prefix p can't be undeclared",
                "<r>\\n<a>x&#1;</a></r>|2|XML has no character U+0001",
                "<r>\\n<a>&#x1f;x</a></r>|2|XML has no character U+001F",
                "<r>\\n<a>&#8;</a></r>|2|XML has no character U+0008",
                "<r>\\n<a b='&#12;'/></r>|2|XML has no character U+000C",
                "<r>\\n<a b='&#0;'/></r>|2|null character not allowed",
            })
    void document_thatOnlyXml11Has_isRefused(String xml, int line, String message) {
        String document = xml.translateEscapes();
        List<Runnable> readings = new ArrayList<>();
        readings.add(() -> Converter.exact().toJson(document));
        readings.add(() -> Converter.x2j(document));
        assertThat(readings)
                .allSatisfy(reading ->
                        assertThatThrownBy(reading::run)
                                .isInstanceOfSatisfying(
                                        DocumentException.class,
                                        e -> assertThat(e.kind()).isEqualTo(Kind.XML))
                                .hasMessageContaining("line " + line + ", column ")
                                .hasMessageContaining(message));
    }
}
