package dev.penstock.query.sql;

import dev.penstock.query.QueryException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Bytes of heap that wide cells may take together. Whoever asks waits in line until there is enough. Thread-safe.
 */
final class ByteBudget {
    /** The one that all databases of this process share unless they are told otherwise: a quarter of the largest heap. */
    static final ByteBudget PROCESS =
            new ByteBudget(Runtime.getRuntime().maxMemory() / 4, Duration.ofSeconds(30));

    private static final int UNIT = 1024;
    private static final long TURN_MILLIS = 50;

    private final long bytes;
    private final Duration patience;
    private final Semaphore units;

    ByteBudget(long bytes, Duration patience) {
        if (bytes < UNIT) {
            throw new IllegalArgumentException("a budget of " + bytes + " bytes for wide rows");
        }
        this.bytes = bytes;
        this.patience = patience;
        this.units = new Semaphore((int) Math.min(bytes / UNIT, Integer.MAX_VALUE), true);
    }

    /** All there is. */
    long bytes() {
        return bytes;
    }

    /** What is not taken. */
    long available() {
        return (long) units.availablePermits() * UNIT;
    }

    /** Waits for so many bytes, and gives them as a hold that is released once. */
    Hold reserve(long wanted, Session session) {
        int count = Math.toIntExact(Math.ceilDiv(wanted, UNIT));
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            // In turns, so that a cancel is noticed; a turn that fails loses its place, which only
            // matters under a crowd.
            while (!units.tryAcquire(count, TURN_MILLIS, TimeUnit.MILLISECONDS)) {
                session.requireNotCancelled();
                if (System.nanoTime() - deadline > 0) {
                    throw new QueryException(
                            QueryException.Kind.UNAVAILABLE,
                            "waited %d s for %d bytes of the %d that wide rows may take together"
                                    .formatted(patience.toSeconds(), wanted, bytes));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QueryException(
                    QueryException.Kind.CANCELLED, "interrupted while waiting for a wide row", e);
        }
        return new Hold(this, count);
    }

    /** A part of the budget. */
    record Hold(ByteBudget budget, int count) {
        void release() {
            budget.units.release(count);
        }
    }
}
