package dev.penstock.documents.format;

import dev.penstock.documents.ConverterOptions;
import dev.penstock.documents.DocumentLimits;
import dev.penstock.documents.buffer.CountedInput;
import dev.penstock.documents.buffer.Scratch;
import dev.penstock.documents.buffer.Sizes;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.jspecify.annotations.Nullable;

/** The conversion of XML to JSON. Thread-safe. */
public final class XmlToJson {
    private final XmlInput input;

    private final Sizes sizes;

    public XmlToJson(ConverterOptions options) {
        this(options, Sizes.DEFAULTS);
    }

    public XmlToJson(ConverterOptions options, Sizes sizes) {
        this.sizes = sizes;
        input = new XmlInput(options);
    }

    /** Converts a document in the encoding that its byte order mark or declaration says. Closes neither stream. */
    public void convert(InputStream xml, OutputStream json) {
        input.read(xml, (reader, counted) -> convert(reader, counted, json));
    }

    /** Converts a document of characters, whatever its declaration says. Closes neither stream. */
    public void convert(Reader xml, OutputStream json) {
        input.read(xml, (reader, counted) -> convert(reader, counted, json));
    }

    private void convert(XMLStreamReader2 reader, @Nullable CountedInput counted, OutputStream json)
            throws XMLStreamException {
        DocumentLimits limits = input.options().limits();
        try (Scratch scratch = new Scratch(limits)) {
            JsonBuilder builder = new JsonBuilder(json, scratch, input.options(), sizes);
            new Run(reader, builder, new Keys(limits), counted).document();
            builder.endDocument();
        }
    }

    /** One conversion. */
    private final class Run {
        private final XMLStreamReader2 reader;
        private final JsonBuilder builder;
        private final Keys keys;
        private final @Nullable CountedInput counted;
        private final StringBuilder text = new StringBuilder();

        Run(
                XMLStreamReader2 reader,
                JsonBuilder builder,
                Keys keys,
                @Nullable CountedInput counted) {
            this.reader = reader;
            this.builder = builder;
            this.keys = keys;
            this.counted = counted;
        }

        void document() throws XMLStreamException {
            String standalone =
                    reader.standaloneSet() ? reader.isStandalone() ? "yes" : "no" : null;
            builder.startDocument(
                    reader.getVersion(), reader.getCharacterEncodingScheme(), standalone);
            int depth = 0;
            while (reader.hasNext()) {
                int event = reader.next();
                if (counted != null) {
                    counted.node();
                }
                if (event == XMLStreamConstants.START_ELEMENT) {
                    depth++;
                } else if (event == XMLStreamConstants.END_ELEMENT) {
                    depth--;
                }
                event(event, depth);
            }
        }

        private void event(int event, int depth) throws XMLStreamException {
            boolean isText = XmlInput.isText(event);
            if (!isText && !text.isEmpty()) {
                builder.text(text.toString().toCharArray(), 0, text.length());
                text.setLength(0);
            }
            switch (event) {
                case XMLStreamConstants.START_ELEMENT -> startElement();
                case XMLStreamConstants.END_ELEMENT -> builder.endElement();
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.SPACE -> {
                    if (depth > 0) {
                        text();
                    }
                }
                case XMLStreamConstants.CDATA -> {
                    input.requireTextLength(reader.getTextLength());
                    builder.cdata(reader.getText());
                }
                case XMLStreamConstants.COMMENT -> {
                    input.requireTextLength(reader.getTextLength());
                    builder.comment(reader.getText());
                }
                case XMLStreamConstants.PROCESSING_INSTRUCTION -> instruction();
                case XMLStreamConstants.DTD -> input.refuseDoctype(reader);
                default -> {}
            }
        }

        private void text() throws XMLStreamException {
            input.requireTextLength(reader.getTextLength() + text.length());
            char[] characters = reader.getTextCharacters();
            if (input.options().keepsCdata()) {
                text.append(characters, reader.getTextStart(), reader.getTextLength());
            } else {
                builder.text(characters, reader.getTextStart(), reader.getTextLength());
            }
        }

        private void instruction() {
            String data = reader.getPIData();
            String target = XmlInput.target(reader);
            input.requireTextLength(target.length() + (data == null ? 0 : data.length()));
            builder.processingInstruction(target, data == null ? "" : data);
        }

        private void startElement() {
            input.requireAttributes(reader);
            String prefix = reader.getPrefix();
            builder.startElement(keys.key(prefix == null ? "" : prefix, reader.getLocalName()));
            for (int i = 0; i < reader.getNamespaceCount(); i++) {
                String declared = reader.getNamespacePrefix(i);
                boolean isDefault = declared == null || declared.isEmpty();
                String uri = reader.getNamespaceURI(i);
                builder.attribute(
                        isDefault ? keys.key("", "xmlns") : keys.key("xmlns", declared),
                        uri == null ? "" : uri);
            }
            for (int i = 0; i < reader.getAttributeCount(); i++) {
                String attributePrefix = reader.getAttributePrefix(i);
                Key key =
                        keys.key(
                                attributePrefix == null ? "" : attributePrefix,
                                reader.getAttributeLocalName(i));
                builder.attribute(key, reader.getAttributeValue(i));
            }
        }
    }
}
