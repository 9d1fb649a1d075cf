package dev.penstock.bench.documents;

import dev.penstock.documents.convert.Converter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.XMLStreamWriter;
import org.json.JSONObject;
import org.json.XML;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.xml.XmlMapper;
import tools.jackson.dataformat.xml.XmlWriteFeature;

/** A way from XML to JSON or back, from bytes to bytes; or a copy of the XML by a parser, which is the limit. */
enum Conversion {
    WOODSTOX("copy, Woodstox") {
        @Override
        void convert(byte[] input, OutputStream output) throws Exception {
            copy(Parsers.woodstox(), Parsers.woodstoxOutputs(), input, output);
        }
    },
    AALTO("copy, Aalto") {
        @Override
        void convert(byte[] input, OutputStream output) throws Exception {
            copy(Parsers.aalto(), Parsers.aaltoOutputs(), input, output);
        }
    },
    JDK("copy, the JDK") {
        @Override
        void convert(byte[] input, OutputStream output) throws Exception {
            copy(Parsers.jdk(), XMLOutputFactory.newDefaultFactory(), input, output);
        }
    },
    EXACT("Penstock, exact") {
        @Override
        void convert(byte[] input, OutputStream output) {
            Converter.exact().toJson(new ByteArrayInputStream(input), output);
        }
    },
    PLAIN("Penstock, plain") {
        @Override
        void convert(byte[] input, OutputStream output) {
            Converter.plain().toJson(new ByteArrayInputStream(input), output);
        }
    },
    XML_MAPPER("Jackson's XmlMapper") {
        @Override
        void convert(byte[] input, OutputStream output) {
            JsonNode tree = Mappers.XML.readTree(input);
            Mappers.JSON.writeValue(output, tree);
        }
    },
    ORG_JSON("org.json") {
        @Override
        void convert(byte[] input, OutputStream output) throws Exception {
            JSONObject object = XML.toJSONObject(new String(input, StandardCharsets.UTF_8), true);
            output.write(object.toString().getBytes(StandardCharsets.UTF_8));
        }
    },
    EXACT_BACK("Penstock, exact") {
        @Override
        byte[] input(byte[] xml) throws Exception {
            return converted(EXACT, xml);
        }

        @Override
        void convert(byte[] input, OutputStream output) {
            Converter.exact().toXml(new ByteArrayInputStream(input), output);
        }
    },
    PLAIN_BACK("Penstock, plain") {
        @Override
        byte[] input(byte[] xml) throws Exception {
            return converted(PLAIN, xml);
        }

        @Override
        void convert(byte[] input, OutputStream output) {
            Converter.plain().toXml(new ByteArrayInputStream(input), output);
        }
    },
    XML_MAPPER_BACK("Jackson's XmlMapper") {
        @Override
        byte[] input(byte[] xml) throws Exception {
            return converted(XML_MAPPER, xml);
        }

        @Override
        void convert(byte[] input, OutputStream output) {
            JsonNode tree = Mappers.JSON.readTree(input);
            Mappers.ROOTED.writer().withRootName("people").writeValue(output, tree);
        }
    },
    ORG_JSON_BACK("org.json") {
        @Override
        byte[] input(byte[] xml) throws Exception {
            return converted(ORG_JSON, xml);
        }

        @Override
        void convert(byte[] input, OutputStream output) throws Exception {
            String json = new String(input, StandardCharsets.UTF_8);
            output.write(XML.toString(new JSONObject(json)).getBytes(StandardCharsets.UTF_8));
        }
    };

    private final String label;

    Conversion(String label) {
        this.label = label;
    }

    /** Returns what this conversion reads, of a document. */
    byte[] input(byte[] xml) throws Exception {
        return xml;
    }

    abstract void convert(byte[] input, OutputStream output) throws Exception;

    @Override
    public String toString() {
        return label;
    }

    static byte[] converted(Conversion by, byte[] xml) throws Exception {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        by.convert(xml, output);
        return output.toByteArray();
    }

    /** Parses and writes again, as little as a converter may do. */
    static void copy(
            XMLInputFactory inputs, XMLOutputFactory outputs, byte[] input, OutputStream output)
            throws XMLStreamException {
        XMLStreamReader reader = inputs.createXMLStreamReader(new ByteArrayInputStream(input));
        XMLStreamWriter writer = outputs.createXMLStreamWriter(output, "UTF-8");
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    writer.writeStartElement(reader.getLocalName());
                    for (int i = 0; i < reader.getAttributeCount(); i++) {
                        writer.writeAttribute(
                                reader.getAttributeLocalName(i), reader.getAttributeValue(i));
                    }
                }
                case XMLStreamConstants.CHARACTERS -> writer.writeCharacters(reader.getText());
                case XMLStreamConstants.END_ELEMENT -> writer.writeEndElement();
                default -> {}
            }
        }
        writer.flush();
        writer.close();
    }

    /** Jackson's mappers, which are made when they are needed. */
    private static final class Mappers {
        static final XmlMapper XML = new XmlMapper();
        static final XmlMapper ROOTED =
                XmlMapper.builder().disable(XmlWriteFeature.UNWRAP_ROOT_OBJECT_NODE).build();
        static final JsonMapper JSON = new JsonMapper();
    }
}
