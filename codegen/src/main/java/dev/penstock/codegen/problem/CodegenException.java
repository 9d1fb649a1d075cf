package dev.penstock.codegen.problem;

import org.jspecify.annotations.Nullable;

/** A request that the generator can't meet: the message says which, where, and what to do. */
public final class CodegenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CodegenException(String message) {
        this(message, null);
    }

    public CodegenException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
