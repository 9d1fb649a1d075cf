package dev.penstock.transfer.client.http;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The waits between the tries of one transfer: exponential, with full jitter. It is for one thread.
 *
 * <p>The first wait is random between nothing and {@code first}, each further one between nothing and twice the limit
 * of the one before, up to {@code longest}. What a server asks for by {@code Retry-After} is waited in full. Progress
 * begins the count anew.
 */
public final class Backoff {
    /** The longest wait that a server may ask for. */
    public static final Duration LONGEST_ASKED = Duration.ofMinutes(15);

    private final int tries;
    private final Duration first;
    private final Duration longest;
    private final RandomGenerator random;
    private int used;

    /** Waits before at most so many further tries in a row. */
    public Backoff(int tries, Duration first, Duration longest, RandomGenerator random) {
        this.tries = tries;
        this.first = first;
        this.longest = longest;
        this.random = random;
    }

    /** Counts from the beginning: something has moved. */
    public void reset() {
        used = 0;
    }

    /** The number of tries in a row that have moved nothing. */
    public int used() {
        return used;
    }

    /**
     * Takes the wait before the next try.
     *
     * @param asked by the server
     * @return nothing when there have been enough tries, or the server asks for more patience than there is
     */
    public Optional<Duration> next(Optional<Duration> asked) {
        if (used >= tries || asked.filter(a -> a.compareTo(LONGEST_ASKED) > 0).isPresent()) {
            return Optional.empty();
        }
        used++;
        long ceiling = first.toNanos();
        for (int i = 1; i < used && ceiling < longest.toNanos(); i++) {
            ceiling *= 2;
        }
        Duration jittered =
                Duration.ofNanos(random.nextLong(Math.min(ceiling, longest.toNanos()) + 1));
        return Optional.of(asked.map(a -> a.plus(jittered.dividedBy(4))).orElse(jittered));
    }
}
