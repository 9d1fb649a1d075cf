package dev.penstock.http.log;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Tells the log of what was refused or broken off because of what a client sent, a line each, but no more than {@link
 * #MOST_A_SECOND} in a second: whoever sends nonsense must not fill a disk with it, or have event loops wait for a
 * terminal. The next line says how many were left out. Thread-safe.
 */
public final class RejectionLog {
    public static final int MOST_A_SECOND = 100;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final System.Logger logger;
    private final LongSupplier nanos;

    // Guarded by this object.
    private long sinceNanos;
    private int told;
    private long leftOut;

    public RejectionLog(System.Logger logger, LongSupplier nanos) {
        this.logger = logger;
        this.nanos = nanos;
        this.sinceNanos = nanos.getAsLong();
    }

    /**
     * Logs a line.
     *
     * @param what was refused
     * @param reason nothing of the client's bytes
     */
    public void refused(String what, String address, int status, String reason) {
        tell(() -> "Refused %s from %s with %d: %s".formatted(what, address, status, reason));
    }

    /**
     * Logs a line of what a client has brought about in another way.
     *
     * @param line nothing of the client's bytes
     */
    public void tell(Supplier<String> line) {
        long before = mayTell();
        if (before < 0) {
            return;
        }
        if (before > 0) {
            logger.log(
                    System.Logger.Level.INFO,
                    "%d more were refused within a second and are not in this log"
                            .formatted(before));
        }
        logger.log(System.Logger.Level.INFO, line.get());
    }

    /** Returns how many were left out before this one, or -1 if this one is too. */
    private synchronized long mayTell() {
        long now = nanos.getAsLong();
        if (now - sinceNanos >= SECOND) {
            sinceNanos = now;
            told = 0;
        }
        if (told >= MOST_A_SECOND) {
            leftOut++;
            return -1;
        }
        told++;
        long before = leftOut;
        leftOut = 0;
        return before;
    }
}
