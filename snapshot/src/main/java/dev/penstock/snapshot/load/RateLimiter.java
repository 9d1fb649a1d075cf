package dev.penstock.snapshot.load;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** A limit of rows a second, of all threads together. Thread-safe. */
public final class RateLimiter {
    private static final long NANOS = 1_000_000_000L;

    /** Nanoseconds between two looks at whether to go on waiting. */
    private static final long SLICE = NANOS / 5;

    private final double nanosARow;
    private final LongSupplier clock;
    private final LongConsumer sleep;
    private double next;
    private boolean begun;

    /**
     * @param rowsASecond how many; 0 for as many as come
     */
    public RateLimiter(long rowsASecond) {
        this(rowsASecond, System::nanoTime, LockSupport::parkNanos);
    }

    public RateLimiter(long rowsASecond, LongSupplier clock, LongConsumer sleep) {
        nanosARow = rowsASecond == 0 ? 0 : (double) NANOS / rowsASecond;
        this.clock = clock;
        this.sleep = sleep;
    }

    /**
     * Waits until so many rows more may have been read.
     *
     * @param stopped whether that is not worth waiting for any more
     */
    public void passed(long rows, BooleanSupplier stopped) {
        if (nanosARow == 0) {
            return;
        }
        long end = due(rows);
        for (long left = end - clock.getAsLong(); left > 0; left = end - clock.getAsLong()) {
            if (stopped.getAsBoolean() || Thread.currentThread().isInterrupted()) {
                return;
            }
            sleep.accept(Math.min(left, SLICE));
        }
    }

    /** Returns when so many rows more may have been read. */
    private synchronized long due(long rows) {
        long now = clock.getAsLong();
        if (!begun) {
            begun = true;
            next = (double) now;
        }
        // What was not used is not made up for.
        next = Math.max(next, (double) now) + rows * nanosARow;
        return (long) next;
    }
}
