package dev.penstock.documents.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The declarations of XML 1.0, and what looks like one. */
class ConverterDeclarationTest {
    private static String ofBytes(String xml, Charset charset) {
        var json = new ByteArrayOutputStream();
        Converter.exact().toJson(new ByteArrayInputStream(xml.getBytes(charset)), json);
        return json.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<?xml version='1.0'?>",
                "<?xml version=\"1.0\" ?>",
                "<?xml\n\tversion = '1.0'\r\n encoding\t=\n'utf-8' \t standalone='yes'\r?>",
                "<?xml version='1.0' standalone='no'?>",
            })
    void declaration_thatXmlHas_isRead(String declaration) {
        assertThat(Converter.exact().toJson(declaration + "<r/>")).contains("\"r\":null");
        assertThat(ofBytes(declaration + "<r/>", StandardCharsets.UTF_8)).contains("\"r\":null");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<?xml?>",
                "<?xml ?>",
                "<?xml version='1.0' version='1.0'?>",
                "<?xml encoding='UTF-8'?>",
                "<?xml encoding='UTF-8' version='1.0'?>",
                "<?xml version='1.0' standalone='yes' encoding='UTF-8'?>",
                "<?xml version='1.0' encoding='UTF-8' other='x'?>",
                "<?xml version='1.0'encoding='UTF-8'?>",
                "<?xml version='1.0' encoding='UTF-8'standalone='yes'?>",
                "<?xml version='1.0' encoding=''?>",
                "<?xml version='1.0' encoding=' UTF-8'?>",
                "<?xml version='1.0' encoding='8859_1'?>",
                "<?xml version='1.0' encoding='UTF:8'?>",
                "<?xml version='1.0' standalone='YES'?>",
                "<?xml version='1.0' standalone=''?>",
                "<?xml version='1.0' standalone='maybe'?>",
                "<?xml version=1.0?>",
                "<?xml version='1.0\"?>",
                "<?xml version='1.0' ? >",
                "<?xml version=' 1.0'?>",
                "<?xml version='1.0 '?>",
                "<?xml version='2.0'?>",
                "<?xml version='1.1'?>",
                "<?xml VERSION='1.0'?>",
                "<?XML version='1.0'?>",
                "<?Xml version='1.0'?>",
                " <?xml version='1.0'?>",
                "\n<?xml version='1.0'?>",
                "<!--x--><?xml version='1.0'?>",
                "<?xml version='1.0'?><?xml version='1.0'?>",
                "<?xml version='1.0'>",
                "<?xml version='1.0'\u0001?>",
                "\ufeff<?xml version='1.0'\u0001?>",
                "<?xml\u0001version='1.0'?>",
                "<?xml version\u001f='1.0'?>",
                "<?xml version='1.0'\u000cencoding='UTF-8'?>",
                "<?xml version='1.0' \u00a0?>",
                "<?xml version='1.0'\u0085?>",
                "<?xml\u2028version='1.0'?>",
            })
    void declaration_thatXmlHasNot_isRefusedWithItsPlace(String declaration) {
        String xml = declaration + "<r/>";
        assertThatThrownBy(() -> Converter.exact().toJson(xml))
                .isInstanceOfSatisfying(
                        DocumentException.class, e -> assertThat(e.kind()).isEqualTo(Kind.XML))
                .hasMessageMatching("(?s).*line [12], column .*");
        for (var charset : List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16)) {
            assertThatThrownBy(() -> ofBytes(xml, charset))
                    .isInstanceOfSatisfying(
                            DocumentException.class, e -> assertThat(e.kind()).isEqualTo(Kind.XML))
                    .hasMessageMatching("(?s).*line [12], column .*");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<?xml version='1.0'^A?>|line 1, column 20: the character U+0001 is no white space",
                "<?xml\\r\\nversion='1.0'\\r^K?>"
                        + "|line 3, column 1: the character U+000B is no white space",
            })
    void declaration_thatTheParserLetsPass_isNamed(String declaration, String message) {
        String xml =
                declaration.translateEscapes().replace("^A", "\1").replace("^K", "\13") + "<r/>";
        assertThatThrownBy(() -> Converter.exact().toJson(xml))
                .hasMessage("Can't read the XML document at " + message);
    }

    /** Nobody looks at its white space there. */
    @ParameterizedTest
    @ValueSource(strings = {"", "\ufeff"})
    void declaration_thatIsTooLong_isRefused(String mark) {
        for (String space : List.of("\1", " ")) {
            String xml = mark + "<?xml version='1.0'" + " ".repeat(600) + space + "?><r/>";
            String message =
                    "Can't read the XML document: the declaration at line 1, column 1 is longer than"
                            + " 512 characters; use less white space in it";
            assertThatThrownBy(() -> Converter.exact().toJson(xml))
                    .isInstanceOfSatisfying(
                            DocumentException.class,
                            e -> assertThat(e.kind()).isEqualTo(Kind.LIMIT))
                    .hasMessage(message);
            for (var charset : List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16)) {
                assertThatThrownBy(() -> ofBytes(xml, charset)).hasMessage(message);
            }
        }
    }

    @Test
    void declaration_ofFiveHundredCharacters_isRead() {
        String xml = "<?xml version='1.0'" + " ".repeat(479) + "?><r/>";
        assertThat(ofBytes("\ufeff" + xml, StandardCharsets.UTF_8)).contains("\"r\":null");
        assertThat(Converter.exact().toJson(xml)).contains("\"r\":null");
    }

    @Test
    void instruction_thatIsNoDeclaration_mayBeLong() {
        String xml = "<?xml-stylesheet href='" + "x".repeat(600) + "'?><r/>";
        assertThat(Converter.exact().toJson(xml)).contains("\"r\":null");
        assertThat(ofBytes(xml, StandardCharsets.UTF_8)).contains("\"r\":null");
    }

    /** A long encoding's name is cut off by the parser, and would be another one. */
    @Test
    void encoding_thatIsTooLong_isRefused() {
        String xml = "<?xml version='1.0' encoding='" + "x".repeat(70) + "'?><r/>";
        assertThatThrownBy(() -> Converter.exact().toJson(xml))
                .hasMessageContaining("the encoding \"" + "x".repeat(60) + "…\", which is none");
    }

    @ParameterizedTest
    @CsvSource({
        "UTF-8, UTF-16",
        "UTF-8, UCS-2",
        "UTF-8, UTF-32",
        "UTF-16, ISO-8859-1",
        "UTF-16, UTF-32"
    })
    void encoding_thatCantBeTheDeclaredOne_isRefused(String actual, String declared) {
        String xml = "<?xml version='1.0' encoding='%s'?><r>\u00e9</r>".formatted(declared);
        assertThatThrownBy(() -> ofBytes(xml, Charset.forName(actual)))
                .isInstanceOfSatisfying(
                        DocumentException.class, e -> assertThat(e.kind()).isEqualTo(Kind.XML));
    }

    @Test
    void encoding_besideTheMarkOfUtf8_mustBeUtf8() {
        String xml = "\ufeff<?xml version='1.0' encoding='ISO-8859-1'?><r>\u00e9</r>";
        assertThatThrownBy(() -> ofBytes(xml, StandardCharsets.UTF_8))
                .isInstanceOfSatisfying(
                        DocumentException.class, e -> assertThat(e.kind()).isEqualTo(Kind.XML))
                .hasMessageContaining("says the encoding ISO-8859-1, and the document is in UTF-8");
        assertThat(ofBytes(xml.replace("ISO-8859-1", "utf-8"), StandardCharsets.UTF_8))
                .contains("\"r\":\"\u00e9\"");
    }
}
