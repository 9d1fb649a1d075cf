package dev.penstock.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Random rows through each format, and back through a parser that is not ours. The seed is the parameter. */
class ReferenceParserTest {
    private static final String[] PIECES = {
        "a",
        "Z",
        "0",
        " ",
        ",",
        "\"",
        "'",
        "\\",
        "\r",
        "\n",
        "\r\n",
        "\t",
        "<",
        ">",
        "&",
        "]]>",
        "&amp;",
        "\u0000",
        "\u0001",
        "\u001F",
        "\u007F",
        "\u0085",
        "\u00E9",
        "\u2028",
        "\u20AC",
        "\uFFFE",
        "\uFFFF",
        "\uD83D\uDE00",
        "\uDBFF\uDFFF",
        "=cmd|'/c'!A1",
        "<script>",
        "--",
        "_x0020_",
        "abcdefghijklmnopqrstuvwxyz"
    };

    private final List<String> names = new ArrayList<>();
    private final List<@Nullable String[]> rows = new ArrayList<>();

    private MemoryCursor random(long seed) {
        Random random = new Random(seed);
        MemoryCursor cursor = new MemoryCursor();
        int columns = 1 + random.nextInt(5);
        for (int i = 0; i < columns; i++) {
            String name = i + text(random);
            names.add(name);
            cursor.column(name, ColumnType.TEXT);
        }
        for (int count = random.nextInt(200); count > 0; count--) {
            @Nullable String[] row = new @Nullable String[columns];
            for (int i = 0; i < columns; i++) {
                row[i] = random.nextInt(5) == 0 ? null : text(random);
            }
            rows.add(row);
            cursor.row(row);
        }
        return cursor;
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(8); length > 0; length--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void json_readByJackson_givesTheSameRows(long seed) throws Exception {
        MemoryCursor cursor = random(seed);
        assertThat(jackson(MemoryChannel.written(RowFormat.JSON, cursor))).isEqualTo(expected());
        MemoryCursor again = new MemoryCursor();
        cursor.columns().forEach(column -> again.column(column.name(), ColumnType.OTHER));
        rows.forEach(again::row);
        String lines = MemoryChannel.written(RowFormat.NDJSON, again);
        assertThat(lines.chars().filter(c -> c == '\n').count()).isEqualTo(rows.size());
        assertThat(jackson(lines)).isEqualTo(expected());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void csv_readByAnIndependentReader_givesTheSameRows(long seed) throws Exception {
        List<List<@Nullable String>> read = csv(MemoryChannel.written(RowFormat.CSV, random(seed)));
        assertThat(read.getFirst()).isEqualTo(names);
        assertThat(read.subList(1, read.size())).isEqualTo(expected());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void xml_readByTheJdk_givesTheSameRows(long seed) throws Exception {
        byte[] document = MemoryChannel.written(RowFormat.XML, random(seed)).getBytes(UTF_8);
        Element root =
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new ByteArrayInputStream(document))
                        .getDocumentElement();
        NodeList found = root.getElementsByTagName("row");
        assertThat(found.getLength()).isEqualTo(rows.size());
        for (int i = 0; i < rows.size(); i++) {
            Element row = (Element) found.item(i);
            for (int column = 0; column < names.size(); column++) {
                NodeList cells = row.getElementsByTagName(XmlName.of(names.get(column)));
                String expected = rows.get(i)[column];
                String cell = cells.getLength() == 0 ? null : cells.item(0).getTextContent();
                assertThat(cell).isEqualTo(expected == null ? null : allowedInXml(expected));
            }
        }
    }

    private static String allowedInXml(String text) {
        return text.replaceAll("[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]", "\uFFFD");
    }

    private List<List<@Nullable String>> expected() {
        List<List<@Nullable String>> expected = new ArrayList<>();
        rows.forEach(row -> expected.add(Arrays.asList(row)));
        return expected;
    }

    private List<List<@Nullable String>> jackson(String json) {
        List<List<@Nullable String>> read = new ArrayList<>();
        List<@Nullable String> row = new ArrayList<>();
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                switch (token) {
                    case START_OBJECT -> row = new ArrayList<>();
                    case PROPERTY_NAME ->
                            assertThat(parser.currentName()).isEqualTo(names.get(row.size()));
                    case VALUE_STRING -> row.add(parser.getString());
                    case VALUE_NULL -> row.add(null);
                    case END_OBJECT -> read.add(row);
                    default -> assertThat(token.isStructStart() || token.isStructEnd()).isTrue();
                }
            }
        }
        return read;
    }

    /** RFC 4180 as it is written, character by character; an empty field without quotes is NULL. */
    private static List<List<@Nullable String>> csv(String text) {
        List<List<@Nullable String>> lines = new ArrayList<>();
        List<@Nullable String> line = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            StringBuilder field = new StringBuilder();
            boolean quoted = text.charAt(at) == '"';
            if (quoted) {
                for (at++; text.charAt(at) != '"' || text.startsWith("\"\"", at); at++) {
                    at += text.charAt(at) == '"' ? 1 : 0;
                    field.append(text.charAt(at));
                }
                at++;
            } else {
                for (; text.charAt(at) != ',' && text.charAt(at) != '\r'; at++) {
                    assertThat(text.charAt(at)).isNotIn('"', '\n');
                    field.append(text.charAt(at));
                }
            }
            line.add(quoted || !field.isEmpty() ? field.toString() : null);
            if (text.charAt(at) == ',') {
                at++;
                continue;
            }
            assertThat(text.startsWith("\r\n", at)).isTrue();
            at += 2;
            lines.add(line);
            line = new ArrayList<>();
        }
        return lines;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select",
                "a b",
                "a.b",
                "1st",
                "\"q\"",
                "xmlThing",
                "a:b",
                "caf\u00E9",
                "_x0041_",
                "\uD83D\uDE00",
                "<",
                "-",
                "\u0391\u03C9",
                "\u0000"
            })
    void xml_anyColumnName_isWellFormedAndReadBack(String name) throws Exception {
        MemoryCursor rows = new MemoryCursor().column(name, ColumnType.INT).row("7");
        byte[] document = MemoryChannel.written(RowFormat.XML, rows).getBytes(UTF_8);
        Element root =
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new ByteArrayInputStream(document))
                        .getDocumentElement();
        Element cell = (Element) root.getElementsByTagName("row").item(0).getFirstChild();
        assertThat(cell.getTextContent()).isEqualTo("7");
        Column column = rows.columns().getFirst();
        assertThat(unescaped(cell.getTagName())).isEqualTo(column.name());
    }

    private static String unescaped(String xmlName) {
        return java.util.regex.Pattern.compile("_x([0-9A-F]{4,6})_")
                .matcher(xmlName)
                .replaceAll(found ->
                        java.util.regex.Matcher.quoteReplacement(
                                Character.toString(Integer.parseInt(found.group(1), 16))));
    }
}
