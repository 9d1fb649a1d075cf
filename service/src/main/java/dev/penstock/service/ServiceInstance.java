package dev.penstock.service;

import dev.penstock.service.async.AsyncInstance;
import dev.penstock.service.handover.Permit;
import dev.penstock.service.thread.InstanceThread;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** One instance of a pool: the service object, the call that it runs and the record of its failures. */
final class ServiceInstance<S> extends AsyncInstance {
    /** The service object and its context; written by the thread that starts it, before its first hand-over. */
    @Nullable S service;

    @Nullable InstanceContext context;

    /** The thread of the service object, in a dedicated pool; written as the service object is. */
    @Nullable InstanceThread thread;

    // The present call; written by the thread that holds the instance.
    String method = "";
    long arrived;
    long started;
    @Nullable Object span;

    /** Failures since the last call that returned; written by whoever holds or starts the instance. */
    int failures;

    /** Times of restarts within the time of the limit; no longer than the limit. Of whoever holds or starts it. */
    private final ArrayDeque<Long> restarts = new ArrayDeque<>(0);

    ServiceInstance(int index) {
        super(index);
    }

    @Override
    public S service() {
        S present = service;
        if (present == null) {
            throw new IllegalStateException(
                    "Instance " + index() + " was handed over before its start");
        }
        return present;
    }

    @Override
    protected @Nullable Runnable timeout(long now) {
        long began = started;
        return timeout(began - arrived, now - began);
    }

    /** Returns the figures of this moment. */
    PoolFigures.Instance figures(long now) {
        boolean runs = Permit.phase(state()) != IDLE;
        return new PoolFigures.Instance(
                index(),
                state(runs),
                counters().calls(),
                Duration.ofNanos(runs ? Math.max(0, now - started) : 0));
    }

    private PoolFigures.State state(boolean runs) {
        return switch (stage()) {
            case STARTING -> PoolFigures.State.STARTING;
            case LIVE -> runs ? PoolFigures.State.BUSY : PoolFigures.State.IDLE;
            case QUARANTINED -> PoolFigures.State.QUARANTINED;
            case STOPPING -> PoolFigures.State.STOPPING;
        };
    }

    /** Counts a restart, and returns false when the limit does not allow it. */
    boolean mayRestart(Supervision supervision, long now) {
        if (supervision.restarts() == Integer.MAX_VALUE) {
            return true;
        }
        long within = PoolSettings.nanos(supervision.within());
        while (!restarts.isEmpty() && now - restarts.getFirst() >= within) {
            restarts.removeFirst();
        }
        if (restarts.size() >= supervision.restarts()) {
            return false;
        }
        restarts.addLast(now);
        return true;
    }

    /** Counts a failure, and returns the nanoseconds until the next start: none after the first. */
    long nextDelay(Backoff backoff) {
        failures = Math.min(failures + 1, 10_000);
        return failures == 1 ? 0 : backoff.delayNanos(failures - 1);
    }
}
