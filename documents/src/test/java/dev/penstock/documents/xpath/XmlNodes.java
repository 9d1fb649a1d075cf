package dev.penstock.documents.xpath;

import dev.penstock.documents.format.NodeHandler;
import java.io.StringReader;
import java.util.Objects;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** An adapter that gives the nodes of XML text to a handler. */
final class XmlNodes {
    private static final XMLInputFactory INPUTS = XMLInputFactory.newDefaultFactory();

    static {
        INPUTS.setProperty(XMLInputFactory.IS_COALESCING, true);
        INPUTS.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        INPUTS.setProperty("jdk.xml.maxElementDepth", "0");
    }

    private XmlNodes() {}

    /** Memory of its own for one tree. */
    static SearchMemory memory() {
        return new SearchMemory(new SearchMemory.Shared(1L << 30, 0));
    }

    static NodeTree tree(String xml) {
        NodeTreeBuilder builder = new NodeTreeBuilder(memory());
        read(xml, builder);
        return builder.build();
    }

    static void read(String xml, NodeHandler handler) {
        try {
            XMLStreamReader reader = INPUTS.createXMLStreamReader(new StringReader(xml));
            while (reader.hasNext()) {
                event(reader.next(), reader, handler);
            }
            reader.close();
        } catch (XMLStreamException e) {
            throw new IllegalArgumentException(xml, e);
        }
    }

    private static void event(int event, XMLStreamReader reader, NodeHandler handler) {
        switch (event) {
            case XMLStreamConstants.START_ELEMENT -> start(reader, handler);
            case XMLStreamConstants.END_ELEMENT -> handler.endElement();
            case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
                if (!reader.getText().isEmpty()) {
                    handler.text(reader.getText());
                }
            }
            case XMLStreamConstants.COMMENT -> handler.comment(reader.getText());
            case XMLStreamConstants.PROCESSING_INSTRUCTION ->
                    handler.processingInstruction(
                            reader.getPITarget(),
                            Objects.requireNonNullElse(reader.getPIData(), ""));
            default -> {
                // White space beside the root element, and the end.
            }
        }
    }

    private static void start(XMLStreamReader reader, NodeHandler handler) {
        handler.startElement(qualified(reader.getPrefix(), reader.getLocalName()));
        for (int i = 0; i < reader.getNamespaceCount(); i++) {
            String prefix = reader.getNamespacePrefix(i);
            handler.attribute(
                    prefix == null || prefix.isEmpty() ? "xmlns" : "xmlns:" + prefix,
                    Objects.requireNonNullElse(reader.getNamespaceURI(i), ""));
        }
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            handler.attribute(
                    qualified(reader.getAttributePrefix(i), reader.getAttributeLocalName(i)),
                    reader.getAttributeValue(i));
        }
    }

    private static String qualified(String prefix, String local) {
        return prefix == null || prefix.isEmpty() ? local : prefix + ":" + local;
    }
}
