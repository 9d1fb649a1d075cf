package dev.penstock.documents.json;

import dev.penstock.documents.format.NodeHandler;

/** A check whether an encoding has all characters of a document that can't be written as references. */
final class MarkupCheck implements NodeHandler {
    private final char most;
    private boolean fits = true;

    /**
     * @param most the last character of the encoding
     */
    MarkupCheck(char most) {
        this.most = most;
    }

    /** Returns whether the nodes that have come can be written. */
    boolean fits() {
        return fits;
    }

    /** Returns whether an encoding with this last character has all of a text. */
    static boolean fits(String text, char most) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > most) {
                return false;
            }
        }
        return true;
    }

    private void check(String markup) {
        fits = fits && fits(markup, most);
    }

    @Override
    public void startElement(String name) {
        check(name);
    }

    @Override
    public void attribute(String name, String value) {
        check(name);
    }

    @Override
    public void text(String text) {}

    @Override
    public void comment(String text) {
        check(text);
    }

    @Override
    public void processingInstruction(String target, String data) {
        check(target);
        check(data);
    }

    @Override
    public void endElement() {}
}
