package dev.penstock.service;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/** A call that was refused at once, because all instances were busy and the queue was full. */
public final class CallRejectedException extends ServiceException {
    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    CallRejectedException(String message, Duration retryAfter) {
        super(Kind.REJECTED, message);
        this.retryAfter = requireNonNull(retryAfter);
    }

    /**
     * Returns in what time the present queue will have been served, by the mean duration of the calls so far: one
     * second at least, a minute at most.
     */
    public Duration retryAfter() {
        return retryAfter;
    }
}
