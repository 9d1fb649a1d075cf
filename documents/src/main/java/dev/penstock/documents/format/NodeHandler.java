package dev.penstock.documents.format;

/**
 * A receiver of the nodes of one XML document, in document order. Names are qualified names as they are written in the
 * document ({@code p:name}); prefixes are bound by the attributes {@code xmlns} and {@code xmlns:p}, which come as
 * attributes do. Adjacent texts are one node, and no text is empty. Not thread-safe: one document, one thread.
 */
public interface NodeHandler {
    /** Begins an element. Its attributes follow at once, before anything else in it. */
    void startElement(String name);

    /**
     * An attribute or a namespace declaration of the element that has just begun.
     *
     * @param name the qualified name; {@code xmlns} and {@code xmlns:p} are declarations
     */
    void attribute(String name, String value);

    /** A text node of the open element. CDATA sections are text. */
    void text(String text);

    /** A comment, in an element or beside the root element. */
    void comment(String text);

    /**
     * A processing instruction, in an element or beside the root element.
     *
     * @param data its data, empty if it has none
     */
    void processingInstruction(String target, String data);

    /** Ends the element that began last. */
    void endElement();
}
