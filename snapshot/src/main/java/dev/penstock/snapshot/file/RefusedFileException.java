package dev.penstock.snapshot.file;

/** A refusal of a file of which nothing is believed. Its message is the reason, to stand behind the file's name. */
public final class RefusedFileException extends Exception {
    private static final long serialVersionUID = 1;

    RefusedFileException(String reason) {
        super(reason);
    }

    RefusedFileException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
