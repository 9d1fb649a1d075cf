package dev.penstock.service.roster;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * The starts of instances, each on a virtual thread of its own, repeated with the back-off until one succeeds or the
 * instance is not wanted any more. Thread-safe.
 */
final class InstanceStarts<I extends PooledInstance> {
    private final String pool;
    private final InstanceTable<I> table;
    private final InstanceStops<I> stops;
    private final InstanceLifecycle<I> lifecycle;
    private final Escalation<I> escalation;

    /** Threads that start an instance, and attempts that have ended; guarded by the table's lock. */
    private final Set<Thread> starters = new HashSet<>();

    private int attempts;

    /** The failure for good of a pool that an instance owns. */
    @FunctionalInterface
    interface Escalation<I> {
        void childFailed(I instance, Throwable failure);
    }

    InstanceStarts(
            String pool,
            InstanceTable<I> table,
            InstanceStops<I> stops,
            InstanceLifecycle<I> lifecycle,
            Escalation<I> escalation) {
        this.pool = pool;
        this.table = table;
        this.stops = stops;
        this.lifecycle = lifecycle;
        this.escalation = escalation;
    }

    /** Waits until so many attempts have ended, for some time at most; an interrupt ends the wait, its flag set. */
    void await(int wanted, long nanos) {
        try {
            var _ = table.await(nanos, () -> attempts >= wanted);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts another instance; under the table's lock. */
    void startAnother() {
        I instance = lifecycle.create(table.freeIndex());
        table.add(instance);
        start(instance, 0, false);
    }

    /** Starts an instance that is counted as starting, after its service object is stopped; under the table's lock. */
    void startAgain(I instance, long delay) {
        instance.stage = PooledInstance.Stage.STARTING;
        start(instance, delay, true);
    }

    private void start(I instance, long delay, boolean stopFirst) {
        Thread thread =
                Thread.ofVirtual()
                        .name(pool + "-start-" + instance.index())
                        .unstarted(() -> {
                            if (stopFirst) {
                                lifecycle.stop(instance);
                            }
                            startRepeatedly(instance, delay);
                        });
        starters.add(thread);
        thread.start();
    }

    private void startRepeatedly(I instance, long firstDelay) {
        long delay = firstDelay;
        while (true) {
            pause(delay);
            if (isGivenUp(instance)) {
                return;
            }
            instance.setChildFailure(null);
            Throwable failure =
                    lifecycle.start(instance, child -> escalation.childFailed(instance, child));
            if (failure == null) {
                started(instance);
                return;
            }
            boolean last = lifecycle.isFinal(failure) || !lifecycle.mayRestart(instance);
            if (last) {
                stops.noteFinal(failure);
            }
            attempted(instance, last);
            if (last) {
                return;
            }
            delay = lifecycle.delay(instance, true);
        }
    }

    /** Waits before an attempt, less long when the instance is not wanted any more. */
    private void pause(long nanos) {
        long until = System.nanoTime() + nanos;
        long left = nanos;
        while (left > 0 && isWanted()) {
            LockSupport.parkNanos(this, left);
            Thread.interrupted();
            left = until - System.nanoTime();
        }
    }

    private boolean isWanted() {
        table.lock.lock();
        try {
            return !table.isOver() && table.surplus() <= 0;
        } finally {
            table.lock.unlock();
        }
    }

    /** Gives an instance up before its start, when the pool is closed and serves no more calls, or is too large. */
    private boolean isGivenUp(I instance) {
        table.lock.lock();
        try {
            if (!table.isOver() && table.surplus() <= 0) {
                return false;
            }
            end(instance);
        } finally {
            table.lock.unlock();
        }
        stops.refuseWithoutInstances();
        return true;
    }

    /** Counts a failed attempt, and ends the instance after its last one. */
    private void attempted(I instance, boolean last) {
        table.lock.lock();
        try {
            attempts++;
            if (last) {
                table.stopped++;
                end(instance);
            } else {
                table.publish();
            }
        } finally {
            table.lock.unlock();
        }
        if (last) {
            lifecycle.stopped(instance);
            stops.refuseWithoutInstances();
        }
    }

    private void end(I instance) {
        table.starting--;
        starters.remove(Thread.currentThread());
        table.remove(instance);
        table.publish();
    }

    private void started(I instance) {
        Thread.interrupted(); // closing may have interrupted the factory
        table.lock.lock();
        try {
            table.starting--;
            table.live++;
            table.arriving++;
            instance.stage = PooledInstance.Stage.LIVE;
            starters.remove(Thread.currentThread());
            table.publish();
        } finally {
            table.lock.unlock();
        }
        try {
            stops.release(instance);
        } finally {
            counted(); // not before: who awaits the start finds the instance idle
        }
        tellResized();
    }

    private void counted() {
        table.lock.lock();
        try {
            table.arriving--;
            attempts++;
            table.publish();
        } finally {
            table.lock.unlock();
        }
    }

    /** Tells of the present number of instances and its bounds. */
    void tellResized() {
        int size;
        int min;
        int max;
        table.lock.lock();
        try {
            size = table.live + table.starting;
            min = table.min;
            max = table.max;
        } finally {
            table.lock.unlock();
        }
        lifecycle.resized(size, min, max);
    }

    /** Lets the threads look whether their instances are still wanted. */
    void wake() {
        table.lock.lock();
        try {
            starters.forEach(LockSupport::unpark);
        } finally {
            table.lock.unlock();
        }
    }

    /** Interrupts the starts that are under way. */
    void interrupt() {
        List<Thread> interrupted;
        table.lock.lock();
        try {
            interrupted = List.copyOf(starters);
        } finally {
            table.lock.unlock();
        }
        interrupted.forEach(Thread::interrupt);
    }
}
