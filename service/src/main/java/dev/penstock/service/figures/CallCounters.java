package dev.penstock.service.figures;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The counts and durations of one instance's calls. One writer at a time, which is the call that holds the instance;
 * read by any thread, a count at a time.
 *
 * <p>Everything is in one array, because that is what can be read and written without tearing and without a lock.
 */
public final class CallCounters {
    /** Buckets of a histogram; bucket {@code i} has durations from {@code 2^(i-1)} to below {@code 2^i} nanoseconds. */
    public static final int BUCKETS = 48;

    private static final int FAILURES = 2 * BUCKETS;
    private static final int QUEUED_NANOS = FAILURES + 1;
    private static final int RAN_NANOS = FAILURES + 2;
    private static final int LENGTH = FAILURES + 3;
    private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);

    /** Buckets of how long calls ran, then of how long they waited (bucket 0 not kept), then the sums. */
    private final long[] counts = new long[LENGTH];

    /** Counts a call. */
    public void record(long queuedNanos, long ranNanos, boolean failed) {
        add(bucket(ranNanos), 1);
        add(RAN_NANOS, Math.max(0, ranNanos));
        if (queuedNanos > 0) {
            add(BUCKETS + bucket(queuedNanos), 1);
            add(QUEUED_NANOS, queuedNanos);
        }
        if (failed) {
            add(FAILURES, 1);
        }
    }

    /** Adds all that another one has counted. */
    public void add(CallCounters other) {
        for (int i = 0; i < LENGTH; i++) {
            add(i, other.get(i));
        }
    }

    /** Returns how many calls there were. */
    public long calls() {
        return sum(0);
    }

    /** Returns how many of them failed. */
    public long failures() {
        return get(FAILURES);
    }

    /** Returns how long all calls together ran, in nanoseconds. */
    public long ranNanos() {
        return get(RAN_NANOS);
    }

    /** Returns how long all calls together waited, in nanoseconds. */
    public long queuedNanos() {
        return get(QUEUED_NANOS);
    }

    /** Returns how many calls ran for how long, by bucket. */
    public long[] ran() {
        return buckets(0);
    }

    /** Returns how many calls waited for how long, by bucket. */
    public long[] queued() {
        long[] buckets = buckets(BUCKETS);
        buckets[0] = Math.max(0, calls() - sum(BUCKETS));
        return buckets;
    }

    private long[] buckets(int from) {
        long[] buckets = new long[BUCKETS];
        for (int i = 0; i < BUCKETS; i++) {
            buckets[i] = get(from + i);
        }
        return buckets;
    }

    private long sum(int from) {
        long sum = 0;
        for (int i = 0; i < BUCKETS; i++) {
            sum += get(from + i);
        }
        return sum;
    }

    private long get(int i) {
        return (long) COUNTS.getOpaque(counts, i);
    }

    private void add(int i, long amount) {
        COUNTS.setOpaque(counts, i, (long) COUNTS.getOpaque(counts, i) + amount);
    }

    private static int bucket(long nanos) {
        return nanos <= 0 ? 0 : Math.min(BUCKETS - 1, Long.SIZE - Long.numberOfLeadingZeros(nanos));
    }
}
