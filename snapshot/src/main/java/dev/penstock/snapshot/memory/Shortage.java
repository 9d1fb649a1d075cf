package dev.penstock.snapshot.memory;

import org.jspecify.annotations.Nullable;

/**
 * A shortage of memory: attempts in a row for which there was too little, and a wait before the next.
 *
 * @param times how many there were
 * @param atNanos when the last was
 */
public record Shortage(int times, long atNanos) {
    /** By then another version's memory may be free. */
    private static final long WAIT_NANOS = 10_000_000_000L;

    private static final int MOST_DOUBLINGS = 5;

    /** Returns the shortage after one attempt more, now. */
    public static Shortage after(@Nullable Shortage before) {
        return new Shortage(before == null ? 1 : before.times + 1, System.nanoTime());
    }

    /** Returns whether the last attempt was a moment ago. */
    boolean isRecent() {
        return System.nanoTime() - atNanos < WAIT_NANOS;
    }

    /** Returns whether it is too soon for another attempt, of which each waits twice as long as the one before. */
    public boolean isTooSoon() {
        return System.nanoTime() - atNanos < WAIT_NANOS << Math.min(times - 1, MOST_DOUBLINGS);
    }
}
