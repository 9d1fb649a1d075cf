package dev.penstock.service;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A growing delay between attempts to start an instance: the first after {@code first}, each further one {@code factor}
 * times later, never more than {@code longest} apart.
 *
 * @param first the delay before the first repetition; positive
 * @param longest the longest delay; not shorter than the first
 * @param factor by what a delay is longer than the one before; 1 to 100
 * @param jitter the part of each delay that is random, so that instances do not come back all at once; 0 to 1
 */
public record Backoff(Duration first, Duration longest, double factor, double jitter) {
    /** Checks the bounds. */
    public Backoff {
        if (first.isNegative() || first.isZero()) {
            throw new IllegalArgumentException(
                    "Backoff: the first delay is " + first + "; it must be positive.");
        }
        if (longest.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "Backoff: the longest delay "
                            + longest
                            + " is shorter than the first, "
                            + first
                            + ".");
        }
        if (!(factor >= 1 && factor <= 100)) {
            throw new IllegalArgumentException(
                    "Backoff: the factor is " + factor + "; it must be 1 to 100.");
        }
        if (!(jitter >= 0 && jitter <= 1)) {
            throw new IllegalArgumentException(
                    "Backoff: the jitter is " + jitter + "; it must be 0 to 1.");
        }
    }

    /**
     * Returns how long to wait before an attempt to start, in nanoseconds.
     *
     * @param failures how often in a row it has failed, from 1 on; the first repetition is after {@code first}
     */
    long delayNanos(int failures) {
        double most = PoolSettings.nanos(longest);
        double delay = PoolSettings.nanos(first) * Math.pow(factor, failures - 1);
        double random = 1 - jitter * ThreadLocalRandom.current().nextDouble();
        return (long) (Math.min(most, delay) * random);
    }

    /** Returns the default: 100 ms, doubled up to 10 s, a fifth of each delay random. */
    public static Backoff standard() {
        return new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), 2, 0.2);
    }
}
