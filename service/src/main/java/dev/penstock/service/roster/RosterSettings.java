package dev.penstock.service.roster;

/**
 * The settings of a roster. Times in nanoseconds, 0 for none.
 *
 * @param name the pool's name, for its threads
 * @param callNanos how long a call may take
 * @param waitNanos how long a call may wait
 * @param targetQueueNanos how long calls may wait before there are more instances; 0 for no time at all
 * @param shrinkNanos for how long an instance must not have been needed before it is stopped; positive
 * @param drainQueue whether calls that wait when the roster is closed are still served
 */
public record RosterSettings(
        String name,
        long callNanos,
        long waitNanos,
        long targetQueueNanos,
        long shrinkNanos,
        boolean drainQueue) {
    private static final long LONGEST_TICK = 250_000_000L;
    private static final long SHORTEST_TICK = 1_000_000L;

    /** Returns how long the clock may not be looked at, when nothing is due. */
    long tickNanos() {
        long shortest = waitNanos == 0 ? LONGEST_TICK : waitNanos / 8;
        if (targetQueueNanos > 0) {
            shortest = Math.min(shortest, targetQueueNanos / 2);
        }
        return Math.clamp(Math.min(shortest, shrinkNanos / 4), SHORTEST_TICK, LONGEST_TICK);
    }
}
