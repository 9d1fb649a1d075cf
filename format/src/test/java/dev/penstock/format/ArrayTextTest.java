package dev.penstock.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.query.ColumnType;
import dev.penstock.query.Utf8;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.Random;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** PostgreSQL's texts of arrays as JSON. */
class ArrayTextTest {
    private static String json(String array, ColumnType type) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ByteOutput out = new ByteOutput(Channels.newChannel(bytes));
        byte[] text = ("<" + array + ">").getBytes(UTF_8);
        Utf8 cell = new Utf8().set(text, 1, text.length - 2);
        boolean written = new ArrayText(JsonRow.TEXT, new JsonSyntax()).write(cell, type, out);
        out.drain();
        assertThat(written || bytes.size() == 0).isTrue();
        return written ? bytes.toString(UTF_8) : "none";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | INT | []",
                "{1,NULL,-3} | INT | [1,null,-3]",
                "{{1,2},{3,NULL}} | INT | [[1,2],[3,null]]",
                "{{{1}},{{2}}} | LONG | [[[1]],[[2]]]",
                "[0:1]={5,6} | INT | [5,6]",
                "[1:1][-2:-1]={{5,6}} | INT | [[5,6]]",
                "{1.50,NaN,1e+100,-0,Infinity} | DECIMAL | [1.50,\"NaN\",1e+100,-0,\"Infinity\"]",
                "{t,f,NULL} | BOOLEAN | [true,false,null]",
                "{a,\"NULL\",null,\"\",\"{x}\",\" y \",\"b, \\\"c\\\" \\\\\"} | TEXT"
                        + " | [\"a\",\"NULL\",null,\"\",\"{x}\",\" y \",\"b, \\\"c\\\" \\\\\"]",
                "{\"{\\\"a\\\": [1, \\\"x\\\\\\\"y\\\"]}\",\"null\",x} | JSON"
                        + " | [{\"a\": [1, \"x\\\"y\"]},null,\"x\"]",
                "{\"2026-11-21 13:45:00.25\",infinity} | TIMESTAMP"
                        + " | [\"2026-11-21T13:45:00.25\",\"infinity\"]",
                "{\"2026-11-21 11:45:00+00\"} | TIMESTAMP_UTC | [\"2026-11-21T11:45:00Z\"]",
                "{\"0044-03-15 12:00:00 BC\"} | TIMESTAMP | [\"0044-03-15 12:00:00 BC\"]",
                "{2026-11-21} | DATE | [\"2026-11-21\"]",
                "{\"\\\\x00ff\"} | BINARY | [\"\\\\x00ff\"]"
            })
    void array_ofAKind_becomesJson(String array, ColumnType type, String expected)
            throws IOException {
        assertThat(json(array, type)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "{",
                "}",
                "{1",
                "{1,}",
                "{,1}",
                "{1}}",
                "{1}x",
                "{\"a}",
                "[0:1]",
                "[0:1]={1",
                "{{1}",
                "1,2",
                "{1{2}}",
                "{\"a\\"
            })
    void text_thatIsNoArray_writesNothing(String text) throws IOException {
        assertThat(json(text, ColumnType.INT)).isEqualTo("none");
    }

    @Test
    void texts_ofAnyLengthAndKind_comeThrough() throws IOException {
        int[] lengths = {0, 1, 63, 64, 65, 127, 129, 4096, 16_383, 16_384, 16_385, 40_000};
        Random random = new Random(7);
        for (int i = 0; i < 300; i++) {
            StringJoiner array = new StringJoiner(",", "{", "}");
            StringJoiner expected = new StringJoiner(",", "[", "]");
            for (int j = random.nextInt(4); j >= 0; j--) {
                String text = text(random, lengths[random.nextInt(lengths.length)]);
                array.add('"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"');
                expected.add(
                        '"'
                                + text.replace("\\", "\\\\")
                                        .replace("\"", "\\\"")
                                        .replace("\n", "\\n")
                                + '"');
            }
            assertThat(json(array.toString(), ColumnType.TEXT)).isEqualTo(expected.toString());
        }
    }

    private static String text(Random random, int length) {
        String[] parts = {"a", "\\", "\"", "{", "}", ",", "é", "\uD801\uDC37", "\n", " ", "NULL"};
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            text.append(parts[random.nextInt(parts.length)]);
        }
        return text.toString();
    }
}
