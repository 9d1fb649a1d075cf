package dev.penstock.transfer.stream;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * A limit on the bytes a second that streams move, together where they share it. In any stretch of time, at most as
 * many bytes go through as in that time and a tenth of a second more at the full rate. Thread-safe; a thread that has
 * to wait sleeps, and an interrupt ends its wait with an {@link InterruptedIOException}, with the interrupt still set.
 */
public final class RateLimit {
    private static final long MOST = 1L << 40;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** What was not used lately may be made up for, as far as this goes back. */
    private static final long CREDIT_NANOS = SECOND / 10;

    private final long bytesPerSecond;
    private final Ticker ticker;

    /** What moves at once, so that others get their turn. */
    private final int mostAtOnce;

    /** When all that was granted is paid for. Guarded by this. */
    private long paidNanos;

    /** A clock that one can wait by. */
    interface Ticker {
        /** The clock of the system. */
        Ticker SYSTEM =
                new Ticker() {
                    @Override
                    public long nanoTime() {
                        return System.nanoTime();
                    }

                    @Override
                    public void sleep(long nanos) throws InterruptedException {
                        TimeUnit.NANOSECONDS.sleep(nanos);
                    }
                };

        long nanoTime();

        void sleep(long nanos) throws InterruptedException;
    }

    RateLimit(long bytesPerSecond, Ticker ticker) {
        if (bytesPerSecond < 1 || bytesPerSecond > MOST) {
            throw new IllegalArgumentException(
                    "A rate can be 1 to %d bytes a second, not %d".formatted(MOST, bytesPerSecond));
        }
        this.bytesPerSecond = bytesPerSecond;
        this.ticker = ticker;
        mostAtOnce = Math.clamp(bytesPerSecond / 10, 1, Integer.MAX_VALUE);
        paidNanos = ticker.nanoTime();
    }

    /**
     * A limit of so many bytes a second.
     *
     * @param bytes 1 to 2<sup>40</sup>
     */
    public static RateLimit bytesPerSecond(long bytes) {
        return new RateLimit(bytes, Ticker.SYSTEM);
    }

    /** A stage that waits for its turn. */
    Stage stage() {
        return new Stage() {
            @Override
            public int mayRead(int wanted) throws IOException {
                return take(wanted);
            }

            @Override
            public void unused(int bytes) {
                giveBack(bytes);
            }

            @Override
            public void passed(ByteBuffer bytes) {
                // They were counted before.
            }
        };
    }

    /** Waits until bytes may be moved, and returns their number: at least 1, and no more than are wanted. */
    private int take(int wanted) throws IOException {
        int granted = Math.min(wanted, mostAtOnce);
        long waitNanos = reserve(granted);
        try {
            if (waitNanos > 0) {
                ticker.sleep(waitNanos);
            }
            return granted;
        } catch (InterruptedException _) {
            giveBack(granted);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while waiting for its rate");
        }
    }

    private synchronized long reserve(int bytes) {
        long now = ticker.nanoTime();
        if (paidNanos - now < -CREDIT_NANOS) {
            paidNanos = now - CREDIT_NANOS;
        }
        paidNanos += price(bytes);
        return paidNanos - now;
    }

    private synchronized void giveBack(int bytes) {
        paidNanos -= bytes * SECOND / bytesPerSecond;
    }

    private long price(int bytes) {
        return Math.ceilDiv(bytes * SECOND, bytesPerSecond);
    }
}
