package dev.penstock.server.config;

import org.jspecify.annotations.Nullable;

/**
 * A refusal of something that the user asked for: a setting, an address, a database. The message is one sentence with
 * cause and remedy; it is all that the user sees.
 */
public final class StartupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StartupException(String message) {
        this(message, null);
    }

    public StartupException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
