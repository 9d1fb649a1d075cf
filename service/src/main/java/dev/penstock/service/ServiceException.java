package dev.penstock.service;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A call that a pool could not make or not finish, as opposed to one whose service threw: that one's own exception
 * reaches the caller as it is. The message names the pool, the limit and a remedy.
 */
public class ServiceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The kind of a failure, for callers that must choose what to do. */
    public enum Kind {
        /** All instances are busy and the queue is full: a {@link CallRejectedException}. */
        REJECTED,
        /** The call waited or ran for too long: a {@link CallTimeoutException}. */
        TIMED_OUT,
        /** The caller was interrupted while it waited; its interrupt flag is set. */
        INTERRUPTED,
        /** The pool is closed, or was closed while the call waited. */
        CLOSED,
        /** The supervision has stopped all instances of the pool. */
        STOPPED,
        /** The type can't be called through a proxy of the kind that was asked for. */
        NO_PROXY
    }

    private final Kind kind;

    ServiceException(Kind kind, String message) {
        this(kind, message, null);
    }

    ServiceException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = requireNonNull(kind);
    }

    /** Returns what went wrong. */
    public final Kind kind() {
        return kind;
    }
}
