package dev.penstock.documents.format;

import dev.penstock.documents.ConverterOptions;
import dev.penstock.documents.buffer.CountedInput;
import dev.penstock.documents.buffer.ForbiddenText;
import dev.penstock.documents.buffer.Problems;
import java.io.InputStream;
import java.io.Reader;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.jspecify.annotations.Nullable;

/** The reading of XML as its nodes in document order. Thread-safe. Streams stay open. */
public final class XmlToNodes {
    private final XmlInput input;

    public XmlToNodes(ConverterOptions options) {
        input = new XmlInput(options.withCdata(false));
    }

    /** Reads a document in the encoding that its byte order mark or declaration says. */
    public void read(InputStream xml, NodeHandler handler) {
        input.read(xml, (reader, counted) -> read(reader, counted, handler));
    }

    /** Reads a document of characters, whatever its declaration says. */
    public void read(Reader xml, NodeHandler handler) {
        input.read(xml, (reader, counted) -> read(reader, counted, handler));
    }

    private void read(XMLStreamReader2 reader, @Nullable CountedInput counted, NodeHandler handler)
            throws XMLStreamException {
        int depth = 0;
        while (reader.hasNext()) {
            int event = reader.next();
            if (counted != null) {
                counted.node();
            }
            if (event == XMLStreamConstants.START_ELEMENT) {
                depth++;
                startElement(reader, handler);
            } else if (event == XMLStreamConstants.END_ELEMENT) {
                depth--;
                handler.endElement();
            } else {
                leaf(reader, event, depth, handler);
            }
        }
    }

    private void leaf(XMLStreamReader2 reader, int event, int depth, NodeHandler handler) {
        switch (event) {
            case XMLStreamConstants.CHARACTERS, XMLStreamConstants.SPACE -> {
                input.requireTextLength(reader.getTextLength());
                if (depth > 0 && reader.getTextLength() > 0) {
                    handler.text(allowed(reader.getText()));
                }
            }
            case XMLStreamConstants.COMMENT -> {
                input.requireTextLength(reader.getTextLength());
                handler.comment(reader.getText());
            }
            case XMLStreamConstants.PROCESSING_INSTRUCTION -> {
                String data = reader.getPIData();
                input.requireTextLength(data == null ? 0 : data.length());
                handler.processingInstruction(XmlInput.target(reader), data == null ? "" : data);
            }
            case XMLStreamConstants.DTD -> input.refuseDoctype(reader);
            default -> {}
        }
    }

    private void startElement(XMLStreamReader2 reader, NodeHandler handler) {
        input.requireAttributes(reader);
        handler.startElement(name(reader.getPrefix(), reader.getLocalName()));
        for (int i = 0; i < reader.getNamespaceCount(); i++) {
            String prefix = reader.getNamespacePrefix(i);
            String uri = reader.getNamespaceURI(i);
            handler.attribute(
                    prefix == null || prefix.isEmpty() ? "xmlns" : name("xmlns", prefix),
                    uri == null ? "" : allowed(uri));
        }
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            handler.attribute(
                    name(reader.getAttributePrefix(i), reader.getAttributeLocalName(i)),
                    allowed(reader.getAttributeValue(i)));
        }
    }

    /** Returns a text that has no characters that only references could bring into it. */
    private static String allowed(String text) {
        int at = Names.firstForbidden(text);
        if (at >= 0) {
            throw ForbiddenText.character(text.charAt(at));
        }
        return text;
    }

    private String name(@Nullable String prefix, String local) {
        int limit = input.options().limits().nameLength();
        if (local.length() + (prefix == null ? 0 : prefix.length() + 1) > limit) {
            throw Problems.limit(
                    "read the XML document", "nameLength", limit, "raise it or use shorter names");
        }
        String qualified = prefix == null || prefix.isEmpty() ? local : prefix + ":" + local;
        if (!Names.isQualified(qualified)) {
            throw new ForbiddenText("\"%s\" is no name of XML".formatted(qualified));
        }
        return qualified;
    }
}
