package dev.penstock.service.roster;

import dev.penstock.service.handover.Handover;
import dev.penstock.service.handover.Waiter.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The ends of instances: of those that are too many, that are stopped for good, and of all when the pool is closed; and
 * the refusal of calls for which no instance will come. Thread-safe.
 */
final class InstanceStops<I extends PooledInstance> {
    private final String pool;
    private final InstanceTable<I> table;
    private final Handover<I> handover;
    private final InstanceLifecycle<I> lifecycle;

    /** The last failure that stopped an instance for good. */
    private volatile @Nullable Throwable lastFailure;

    /** Whether the owner was told that all have been stopped; guarded by the table's lock. */
    private boolean told;

    InstanceStops(
            String pool,
            InstanceTable<I> table,
            Handover<I> handover,
            InstanceLifecycle<I> lifecycle) {
        this.pool = pool;
        this.table = table;
        this.handover = handover;
        this.lifecycle = lifecycle;
    }

    /** Gives an instance on that no call uses, or stops it when there are too many. */
    void release(I instance) {
        if (handover.has(Handover.SURPLUS) && retireSurplus(instance)) {
            return;
        }
        if (handover.release(instance)) {
            sweep();
        }
    }

    private boolean retireSurplus(I instance) {
        table.lock.lock();
        try {
            if (table.surplus() <= 0) {
                return false;
            }
            retire(instance);
            table.publish();
            return true;
        } finally {
            table.lock.unlock();
        }
    }

    /** Stops idle instances as long as there are too many, or the pool is closed and no call waits. */
    void sweep() {
        table.lock.lock();
        try {
            while (table.surplus() > 0 || (table.closed && handover.waiting() == 0)) {
                I instance = handover.takeIdle();
                if (instance == null) {
                    break;
                }
                retire(instance);
            }
            table.publish();
        } finally {
            table.lock.unlock();
        }
        refuseWithoutInstances();
    }

    /** Stops up to so many idle instances; under the table's lock. */
    void retireIdle(int most) {
        for (int i = 0; i < most; i++) {
            I instance = handover.takeIdle();
            if (instance == null) {
                break;
            }
            retire(instance);
        }
    }

    /** Stops a live instance that nothing uses; under the table's lock. */
    void retire(I instance) {
        table.live--;
        stop(instance);
    }

    /** Stops an instance that no count has any more; under the table's lock. */
    void stop(I instance) {
        table.stopping++;
        instance.stage = PooledInstance.Stage.STOPPING;
        Thread.ofVirtual()
                .name(pool + "-stop-" + instance.index())
                .start(() -> {
                    lifecycle.stop(instance);
                    table.lock.lock();
                    try {
                        table.stopping--;
                        table.remove(instance);
                        table.publish();
                    } finally {
                        table.lock.unlock();
                    }
                    lifecycle.stopped(instance);
                });
    }

    /** Stops a live instance for good: nothing takes its place. */
    void stopForGood(I instance, Throwable failure) {
        lastFailure = failure;
        table.lock.lock();
        try {
            table.live--;
            table.stopped++;
            stop(instance);
            table.publish();
        } finally {
            table.lock.unlock();
        }
        refuseWithoutInstances();
    }

    /** Notes the failure of a start after which nothing takes the instance's place. */
    void noteFinal(Throwable failure) {
        lastFailure = failure;
    }

    /** Forgets those that were stopped for good; under the table's lock. */
    void forgetStopped() {
        table.stopped = 0;
        told = false;
    }

    /** Refuses those that wait when no instance will come for them. */
    void refuseWithoutInstances() {
        boolean ended;
        boolean tell = false;
        table.lock.lock();
        try {
            ended = table.closed && table.live + table.starting + table.owed == 0;
            if (!ended && !handover.has(Handover.STOPPED)) {
                return;
            }
            if (!ended && !table.closed && !told) {
                told = true;
                tell = true;
            }
        } finally {
            table.lock.unlock();
        }
        handover.refuseAll(ended ? Outcome.CLOSED : Outcome.STOPPED);
        if (tell) {
            lifecycle.failed(lastFailure);
        }
    }
}
