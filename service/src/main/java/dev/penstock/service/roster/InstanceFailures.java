package dev.penstock.service.roster;

import static java.util.Objects.requireNonNull;

import dev.penstock.service.handover.Handover;
import java.util.concurrent.atomic.LongAdder;

/**
 * The failures of instances: restarts, quarantine at a deadline, and what becomes of an instance whose child has failed
 * for good. Thread-safe.
 */
final class InstanceFailures<I extends PooledInstance> {
    private final InstanceTable<I> table;
    private final Handover<I> handover;
    private final InstanceLifecycle<I> lifecycle;
    private final InstanceStops<I> stops;
    private final InstanceStarts<I> starts;
    private final LongAdder restarts = new LongAdder();
    private final LongAdder runTimeouts = new LongAdder();

    /** Whether the child of an instance has failed for good, and the instance may not have been dealt with. */
    private volatile boolean escalated;

    InstanceFailures(
            String pool,
            InstanceTable<I> table,
            Handover<I> handover,
            InstanceLifecycle<I> lifecycle,
            InstanceStops<I> stops) {
        this.table = table;
        this.handover = handover;
        this.lifecycle = lifecycle;
        this.stops = stops;
        this.starts = new InstanceStarts<>(pool, table, stops, lifecycle, this::escalate);
    }

    InstanceStarts<I> starts() {
        return starts;
    }

    long restarts() {
        return restarts.sum();
    }

    long runTimeouts() {
        return runTimeouts.sum();
    }

    /** Makes an instance anew after its call has failed. No call uses it. */
    void restart(I instance, Throwable failure) {
        if (!lifecycle.mayRestart(instance)) {
            stops.stopForGood(instance, failure);
            return;
        }
        boolean again;
        table.lock.lock();
        try {
            again = !table.isOver() && table.surplus() <= 0;
            if (again) {
                table.live--;
                table.starting++;
                restarts.increment();
                starts.startAgain(instance, lifecycle.delay(instance, false));
            } else {
                stops.retire(instance);
            }
            table.publish();
        } finally {
            table.lock.unlock();
        }
        if (again) {
            lifecycle.restarted(instance, failure);
        }
        stops.refuseWithoutInstances();
    }

    /**
     * Notes that a pool that an instance owns has failed for good; the instance is dealt with as soon as it is idle.
     */
    private void escalate(I instance, Throwable failure) {
        instance.setChildFailure(failure);
        escalated = true;
        Thread.startVirtualThread(this::sweepEscalated);
    }

    /** Deals with idle instances whose children have failed. One that was busy is dealt with after its call. */
    private void sweepEscalated() {
        handover.takeIdle(instance -> instance.childFailure() != null).forEach(this::childFailed);
    }

    /** Makes an instance anew, or stops it, after a pool that it owns has failed for good. No call uses it. */
    void childFailed(I instance) {
        Throwable failure = requireNonNull(instance.childFailure());
        instance.setChildFailure(null);
        if (lifecycle.isFinal(failure)) {
            stops.stopForGood(instance, failure);
        } else {
            restart(instance, failure);
        }
    }

    /** Sweeps again while an instance is marked: it may have become idle just before the mark could be seen. */
    void sweepEscalatedAgain() {
        if (!escalated) {
            return;
        }
        boolean marked = false;
        for (I each : table.all()) {
            marked |= each.childFailure() != null;
        }
        escalated = marked;
        if (marked) {
            Thread.startVirtualThread(this::sweepEscalated);
        }
    }

    /** Notes that an instance's call has run into its deadline, once, and starts another in its place. */
    void enterQuarantine(I instance) {
        table.lock.lock();
        try {
            quarantine(instance);
            table.publish();
        } finally {
            table.lock.unlock();
        }
    }

    private void quarantine(I instance) {
        if (instance.quarantined) {
            return;
        }
        instance.quarantined = true;
        instance.stage = PooledInstance.Stage.QUARANTINED;
        runTimeouts.increment();
        table.live--;
        table.quarantined++;
        table.freeIndexOf(instance);
        if (table.isOver() || table.surplus() >= 0) {
            return;
        }
        if (table.quarantined <= table.max) {
            starts.startAnother();
        } else {
            table.owed++;
        }
    }

    /** Stops an instance whose call has ended after its deadline. */
    void leaveQuarantine(I instance) {
        table.lock.lock();
        try {
            quarantine(instance);
            table.quarantined--;
            stops.stop(instance);
            if (table.owed > 0 && !table.isOver()) {
                table.owed--;
                starts.startAnother();
            }
            table.publish();
        } finally {
            table.lock.unlock();
        }
        stops.refuseWithoutInstances();
    }
}
