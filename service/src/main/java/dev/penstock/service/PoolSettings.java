package dev.penstock.service;

import dev.penstock.service.roster.RosterSettings;
import dev.penstock.service.thread.PoolThreads;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The settings that a pool was started with, and its threads. Immutable; times in nanoseconds, 0 for none. */
record PoolSettings<S>(
        String name,
        InstanceFactory<? extends S> factory,
        InstanceHook<? super S> onStart,
        InstanceHook<? super S> onStop,
        Supervision supervision,
        int queue,
        long queueNanos,
        long callNanos,
        long closeNanos,
        boolean drainQueue,
        long targetQueueNanos,
        long shrinkNanos,
        boolean figures,
        @Nullable PoolListener listener,
        PoolThreads threads,
        @Nullable InstanceContext owner) {

    static <S> PoolSettings<S> of(ServicePoolBuilder<S> builder) {
        PoolListener listener = builder.listener;
        return new PoolSettings<>(
                builder.name,
                builder.factory,
                builder.onStart,
                builder.onStop,
                builder.supervision,
                builder.queue,
                nanos(builder.queueTimeout),
                nanos(builder.callTimeout),
                nanos(builder.closeTimeout),
                builder.drainQueue,
                nanos(builder.targetQueueTime),
                nanos(builder.shrinkAfter),
                builder.figures,
                listener == null ? null : new SafeListener(builder.name, listener),
                new PoolThreads(builder.name, builder.dedicated, builder.threads),
                builder.owner);
    }

    /** Returns how long a call may wait; 0 for ever. */
    long waitNanos() {
        if (callNanos == 0) {
            return queueNanos;
        }
        return queueNanos == 0 ? Math.max(1, callNanos / 2) : Math.min(queueNanos, callNanos);
    }

    /** Returns the settings of the pool's roster. */
    RosterSettings roster() {
        return new RosterSettings(
                name, callNanos, waitNanos(), targetQueueNanos, shrinkNanos, drainQueue);
    }

    /** Returns a time in nanoseconds, and one beyond all clocks for what would be too long. */
    static long nanos(Duration time) {
        return time.compareTo(Duration.ofDays(10_000)) > 0 ? Long.MAX_VALUE / 4 : time.toNanos();
    }
}
