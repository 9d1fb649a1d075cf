package dev.penstock.service;

import dev.penstock.service.figures.CallCounters;
import dev.penstock.service.roster.RosterCounts;
import java.time.Duration;

/**
 * The figures of a pool at one moment. The counts are read one after the other while calls go on, so that they may
 * differ by the few calls of that moment.
 *
 * @param name the pool's name
 * @param min the least instances
 * @param max the most instances
 * @param size instances that exist: idle, busy and starting
 * @param idle instances that wait for a call
 * @param busy instances that run one, those in quarantine not counted
 * @param starting instances that are being made, or wait for their next attempt
 * @param quarantined instances whose call ran into its deadline and has not ended yet
 * @param stopped instances that the supervision has stopped for good
 * @param waiting calls in the queue, and those that wait for their keys
 * @param longestWait how long the first call in the queue has waited; zero when none does
 * @param calls calls that ran to their end; this and the following counts are since the pool's start
 * @param failures those that threw
 * @param rejections calls that were refused because the queue was full
 * @param timeouts calls that did not end in time
 * @param restarts instances that were made anew
 * @param queueTime how long calls waited
 * @param callTime how long calls ran
 */
public record PoolFigures(
        String name,
        int min,
        int max,
        int size,
        int idle,
        int busy,
        int starting,
        int quarantined,
        int stopped,
        int waiting,
        Duration longestWait,
        long calls,
        long failures,
        long rejections,
        long timeouts,
        long restarts,
        Histogram queueTime,
        Histogram callTime) {

    /** Puts together what the pool's parts have counted. */
    static PoolFigures of(
            String name,
            RosterCounts counts,
            int waiting,
            Duration longestWait,
            Refusals.Counted refused) {
        CallCounters calls = counts.calls();
        return new PoolFigures(
                name,
                counts.min(),
                counts.max(),
                counts.live() + counts.starting(),
                counts.live() - counts.busy(),
                counts.busy(),
                counts.starting(),
                counts.quarantined(),
                counts.stopped(),
                waiting,
                longestWait,
                calls.calls(),
                calls.failures(),
                refused.rejections(),
                refused.queueTimeouts() + counts.runTimeouts(),
                counts.restarts(),
                new Histogram(calls.queued(), calls.queuedNanos()),
                new Histogram(calls.ran(), calls.ranNanos()));
    }

    /** The activity of an instance. */
    public enum State {
        /** It is being made, or waits for its next attempt. */
        STARTING,
        /** It waits for a call. */
        IDLE,
        /** It runs a call. */
        BUSY,
        /** Its call ran into the deadline and has not ended yet. */
        QUARANTINED,
        /** It is being stopped. */
        STOPPING
    }

    /**
     * An instance at one moment.
     *
     * @param index its number, from 0; one in quarantine or at its end may have the same as the one in its place
     * @param state what it does
     * @param calls calls that it ran to their end, those before its restarts included
     * @param running how long its present call has run; zero when it runs none
     */
    public record Instance(int index, State state, long calls, Duration running) {}

    /**
     * Durations by their order of magnitude. Bucket {@code i} has those below {@code 2^i} nanoseconds that are in no
     * lower one, so that bucket 0 has those of no measurable length. Immutable.
     */
    public static final class Histogram {
        /** The number of buckets; the last one has all that is longer. */
        public static final int BUCKETS = 48;

        private final long[] counts;
        private final long totalNanos;

        Histogram(long[] counts, long totalNanos) {
            this.counts = counts;
            this.totalNanos = totalNanos;
        }

        /** Returns the count of a bucket. */
        public long count(int bucket) {
            return counts[bucket];
        }

        /** Returns the bound that the durations of a bucket are below, in nanoseconds. */
        public static long bound(int bucket) {
            return bucket == BUCKETS - 1 ? Long.MAX_VALUE : 1L << bucket;
        }

        /** Returns how many durations there are. */
        public long count() {
            long sum = 0;
            for (long each : counts) {
                sum += each;
            }
            return sum;
        }

        /** Returns the sum of all durations, in nanoseconds. */
        public long totalNanos() {
            return totalNanos;
        }

        /** Returns the mean duration; zero when there is none. */
        public Duration mean() {
            long count = count();
            return Duration.ofNanos(count == 0 ? 0 : totalNanos / count);
        }

        /**
         * Returns the bound of the bucket that holds a quantile: at most twice the true value.
         *
         * @param fraction 0 to 1
         */
        public Duration quantile(double fraction) {
            long rank = (long) Math.ceil(fraction * count());
            long sum = 0;
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                sum += counts[bucket];
                if (sum >= rank && sum > 0) {
                    return Duration.ofNanos(bound(bucket));
                }
            }
            return Duration.ZERO;
        }
    }
}
