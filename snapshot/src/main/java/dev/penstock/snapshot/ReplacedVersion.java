package dev.penstock.snapshot;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The end of the version that was replaced last, for which a schedule waits before it makes another one: so that there
 * are no three while short queries still use the first. Thread-safe.
 */
final class ReplacedVersion {
    private final AtomicReference<@Nullable CountDownLatch> end = new AtomicReference<>();

    /**
     * Notes that a version was replaced.
     *
     * @param ended opens at its end
     */
    void set(CountDownLatch ended) {
        end.set(ended);
    }

    /**
     * Waits for the end, once at the most: someone may read that version for hours. An interrupt ends the wait and is
     * kept.
     *
     * @param most the longest wait
     * @return the nanoseconds that it took
     */
    long await(Duration most) {
        CountDownLatch ended = end.getAndSet(null);
        if (ended == null) {
            return 0;
        }
        long start = System.nanoTime();
        try {
            boolean _ = ended.await(most.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return System.nanoTime() - start;
    }
}
