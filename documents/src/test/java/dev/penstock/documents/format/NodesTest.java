package dev.penstock.documents.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.documents.ConverterOptions;
import dev.penstock.documents.DocumentException;
import dev.penstock.documents.convert.Converter;
import dev.penstock.documents.json.JsonToNodes;
import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The nodes that XML and its JSON give: the same ones. */
class NodesTest {
    /** A handler that writes down what it is told. */
    private static final class Recorder implements NodeHandler {
        final List<String> events = new ArrayList<>();

        @Override
        public void startElement(String name) {
            events.add("<" + name);
        }

        @Override
        public void attribute(String name, String value) {
            events.add("@" + name + "=" + value);
        }

        @Override
        public void text(String text) {
            assertThat(text).isNotEmpty();
            assertThat(events.getLast()).doesNotStartWith("\"");
            events.add('"' + text);
        }

        @Override
        public void comment(String text) {
            events.add("!" + text);
        }

        @Override
        public void processingInstruction(String target, String data) {
            events.add("?" + target + "|" + data);
        }

        @Override
        public void endElement() {
            events.add(">");
        }
    }

    private static List<String> ofXml(String xml) {
        Recorder recorder = new Recorder();
        new XmlToNodes(ConverterOptions.exact()).read(new StringReader(xml), recorder);
        return recorder.events;
    }

    private static List<String> ofJson(String json) {
        Recorder recorder = new Recorder();
        new JsonToNodes(ConverterOptions.exact()).read(json, recorder);
        return recorder.events;
    }

    @Test
    void nodes_ofXmlAndOfItsJson_areTheSame() {
        String xml = "<?a b?><r xmlns:p=\"urn:p\" p:c=\"d\">x<![CDATA[y]]> <p:e/> <!--z--></r>";
        assertThat(ofXml(xml))
                .containsExactly(
                        "?a|b",
                        "<r",
                        "@xmlns:p=urn:p",
                        "@p:c=d",
                        "\"xy ",
                        "<p:e",
                        ">",
                        "\" ",
                        "!z",
                        ">")
                .isEqualTo(ofJson(Converter.exact().toJson(xml)));
        assertThat(ofJson(Converter.exact().toJson(xml))).isEqualTo(ofXml(xml));
    }

    @Test
    void nodes_ofCdataThatIsKept_areOneText() {
        Converter kept = Converter.of(ConverterOptions.exact().withCdata(true));
        String xml = "<r>x<![CDATA[y]]>z<![CDATA[]]></r>";
        assertThat(ofJson(kept.toJson(xml))).containsExactly("<r", "\"xyz", ">");
    }

    @Test
    void nodes_ofRandomDocuments_areTheSame() {
        long seed = new Random().nextLong();
        for (int i = 0; i < 200; i++) {
            String xml = RandomXml.next(new Random(seed + i));
            assertThat(ofJson(Converter.exact().toJson(xml)))
                    .as("document %d of seed %d", i, seed)
                    .isEqualTo(ofXml(xml));
            Recorder recorder = new Recorder();
            byte[] bytes = xml.getBytes(StandardCharsets.UTF_8);
            new XmlToNodes(ConverterOptions.exact())
                    .read(new ByteArrayInputStream(bytes), recorder);
            assertThat(recorder.events).isEqualTo(ofXml(xml));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<r><a>x&#1;</a></r>",
                "<r><a b='&#2;'/></r>",
                "<r xmlns:p='u'><a xmlns:p=''/></r>",
                "<r xmlns='u&#1;'/>",
                "<r xmlns:p='u&#1;'/>",
                "<r xmlns:p\udb80\udc00='u'/>",
                "<r><a\udb80\udc00/></r>",
                "<r><?a\udb80\udc00?></r>",
            })
    void nodes_ofWhatTheParserLetsPass_areRefusedWithTheirPlace(String xml) {
        assertThatThrownBy(() -> ofXml(xml))
                .isInstanceOf(DocumentException.class)
                .hasMessageStartingWith("Can't read the XML document at line 1, column ");
    }
}
