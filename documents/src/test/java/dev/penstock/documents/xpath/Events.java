package dev.penstock.documents.xpath;

import dev.penstock.documents.format.NodeHandler;

/** A handler that writes what it receives as one line of text. */
final class Events implements NodeHandler {
    private final StringBuilder written = new StringBuilder();

    @Override
    public void startElement(String name) {
        written.append('<').append(name).append('>');
    }

    @Override
    public void attribute(String name, String value) {
        written.append('@').append(name).append('=').append(value).append(' ');
    }

    @Override
    public void text(String text) {
        written.append('"').append(text).append('"');
    }

    @Override
    public void comment(String text) {
        written.append("<!--").append(text).append("-->");
    }

    @Override
    public void processingInstruction(String target, String data) {
        written.append("<?").append(target).append(' ').append(data).append("?>");
    }

    @Override
    public void endElement() {
        written.append("</>");
    }

    @Override
    public String toString() {
        return written.toString();
    }
}
