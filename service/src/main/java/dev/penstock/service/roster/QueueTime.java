package dev.penstock.service.roster;

import dev.penstock.service.figures.CallCounters;
import dev.penstock.service.handover.Handover;
import java.time.Duration;

/** The time that a queue takes to be served, by the mean duration of the calls so far. Thread-safe. */
final class QueueTime<I extends PooledInstance> {
    /** A pool that is full may refuse very many calls a second; they do not all add up what was counted. */
    private static final long MEAN_VALID_NANOS = 100_000_000;

    private static final double NANOS = 1e9;
    private static final int MOST_SECONDS = 60;

    private final InstanceTable<I> table;
    private final Handover<I> handover;

    /** The mean run of a call, in nanoseconds, as last added up. */
    private volatile long meanNanos;

    /** Until when that will do. */
    private volatile long meanUntil = System.nanoTime();

    QueueTime(InstanceTable<I> table, Handover<I> handover) {
        this.table = table;
        this.handover = handover;
    }

    /** Returns in what time the present queue will have been served: one second at least, a minute at most. */
    Duration retryAfter() {
        long now = System.nanoTime();
        if (now - meanUntil >= 0) {
            meanUntil = now + MEAN_VALID_NANOS;
            CallCounters sum = counters();
            meanNanos = sum.ranNanos() / Math.max(1, sum.calls());
        }
        long instances = Math.max(1, table.all().size());
        double nanos = (double) meanNanos * handover.waiting() / instances;
        return Duration.ofSeconds(Math.clamp((long) Math.ceil(nanos / NANOS), 1, MOST_SECONDS));
    }

    private CallCounters counters() {
        table.lock.lock();
        try {
            return table.counters();
        } finally {
            table.lock.unlock();
        }
    }
}
