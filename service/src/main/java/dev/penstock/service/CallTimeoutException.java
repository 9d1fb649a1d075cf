package dev.penstock.service;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A call that waited or ran for too long. A call that had not begun to run has {@link #ran()} zero. */
public final class CallTimeoutException extends ServiceException {
    private static final long serialVersionUID = 1L;

    private final Duration queued;
    private final Duration ran;

    CallTimeoutException(String message, Duration queued, Duration ran, @Nullable Throwable cause) {
        super(Kind.TIMED_OUT, message, cause);
        this.queued = requireNonNull(queued);
        this.ran = requireNonNull(ran);
    }

    /** Returns how long the call waited for an instance. */
    public Duration queued() {
        return queued;
    }

    /** Returns how long the call ran until it ended, which is zero when it never began. */
    public Duration ran() {
        return ran;
    }
}
