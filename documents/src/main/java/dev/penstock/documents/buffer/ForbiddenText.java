package dev.penstock.documents.buffer;

/** A text that the parser of XML has let pass and XML does not allow; whoever reads the document knows its place. */
public final class ForbiddenText extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ForbiddenText(String message) {
        super(message);
    }

    /** Returns the failure for a character that XML does not have. */
    public static ForbiddenText character(char c) {
        return new ForbiddenText("XML has no character U+%04X".formatted((int) c));
    }
}
