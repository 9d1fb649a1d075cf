package dev.penstock.transfer.client;

/** The file on the server is another than the one of which bytes are here: all begins anew, or fails. */
final class ChangedException extends Exception {
    private static final long serialVersionUID = 1;

    ChangedException(String message) {
        super(message);
    }
}
