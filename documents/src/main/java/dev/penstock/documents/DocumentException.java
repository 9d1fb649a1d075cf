package dev.penstock.documents;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A failure to convert, store or find a document. Its message says what was being done, where, and the remedy. */
public final class DocumentException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Kind kind;

    public DocumentException(Kind kind, String message) {
        this(kind, message, null);
    }

    public DocumentException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = Objects.requireNonNull(kind);
    }

    public Kind kind() {
        return kind;
    }

    /** The kind of a failure. */
    public enum Kind {
        /** The XML is not well-formed; the message has line and column. */
        XML,
        /** The JSON is none, or no document of the format; the message has the path. */
        JSON,
        /** A named limit is exceeded. */
        LIMIT,
        /** The XPath expression is wrong; the message has the position. */
        XPATH,
        /** The document is not in the version that the caller expects. */
        CONFLICT,
        /** Other searches take the memory that this one needs; it can be tried again later. */
        BUSY,
        /** The store can't hold the document, or has failed. */
        STORE,
        /** The input can't be read, or the output can't be written. */
        INPUT_OUTPUT
    }
}
