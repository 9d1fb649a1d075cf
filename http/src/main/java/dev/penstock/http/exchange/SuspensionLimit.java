package dev.penstock.http.exchange;

import dev.penstock.http.HttpException;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/** The limits on suspended requests: their number and how long they may wait. Thread-safe. */
public final class SuspensionLimit {
    private static final String RETRY_AFTER_SECONDS = "5";

    private final int most;
    private final Duration longest;

    /** Taken in one step: whoever finds none has not had one for a moment, which another would miss. */
    private final Semaphore free;

    public SuspensionLimit(int most, Duration longest) {
        this.most = most;
        this.longest = longest;
        this.free = new Semaphore(most);
    }

    /** What a client is told that finds no room or waited in vain. */
    public static HttpException unavailable(String message) {
        return new HttpException(503, message).header("Retry-After", RETRY_AFTER_SECONDS);
    }

    public int now() {
        return most - free.availablePermits();
    }

    Duration longest() {
        return longest;
    }

    /** Checks a timeout that a handler asks for. */
    void check(Duration timeout) {
        if (!timeout.isPositive() || timeout.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    ("A request can't be suspended for %s: a suspension is positive,"
                                    + " and at most %s, the server's limit")
                            .formatted(timeout, longest));
        }
    }

    /**
     * One more.
     *
     * @throws HttpException (503) if there are as many as there may be
     */
    public void enter() {
        if (!free.tryAcquire()) {
            throw unavailable("Too many requests are waiting; try again later");
        }
    }

    public void leave() {
        free.release();
    }
}
