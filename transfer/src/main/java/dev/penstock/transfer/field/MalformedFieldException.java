package dev.penstock.transfer.field;

/** A header that is not the structured field that it should be. Its message says where, for the client. */
public final class MalformedFieldException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedFieldException(String message) {
        super(message);
    }
}
