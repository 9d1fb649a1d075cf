package dev.penstock.codegen;

import org.jspecify.annotations.Nullable;

/** What was asked of the generator can't be: the message says what, where, and what to do. */
public final class CodegenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CodegenException(String message) {
        this(message, null);
    }

    CodegenException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
