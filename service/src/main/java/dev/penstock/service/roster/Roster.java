package dev.penstock.service.roster;

import dev.penstock.service.handover.Handover;
import dev.penstock.service.handover.Interrupts;
import dev.penstock.service.handover.Permit;
import dev.penstock.service.handover.Waiter.Outcome;
import dev.penstock.service.handover.Watchdog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * The instances of a pool, their number and their fates: the way in for calls, and for the clock. Thread-safe.
 *
 * @param <I> the instances
 */
public final class Roster<I extends PooledInstance> implements Watchdog.Watched {
    private final RosterSettings settings;
    private final Handover<I> handover;
    private final InstanceTable<I> table;
    private final InstanceStops<I> stops;
    private final InstanceFailures<I> failures;
    private final InstanceStarts<I> starts;
    private final PoolSize<I> size;
    private final QueueTime<I> queueTime;
    private final long tickNanos;

    /** A roster without instances, until it is opened. */
    public Roster(
            RosterSettings settings,
            Handover<I> handover,
            InstanceLifecycle<I> lifecycle,
            int min,
            int max) {
        this.settings = settings;
        this.handover = handover;
        table = new InstanceTable<>(handover, min, max);
        stops = new InstanceStops<>(settings.name(), table, handover, lifecycle);
        failures = new InstanceFailures<>(settings.name(), table, handover, lifecycle, stops);
        starts = failures.starts();
        size = new PoolSize<>(settings, table, handover, stops, starts);
        queueTime = new QueueTime<>(table, handover);
        tickNanos = settings.tickNanos();
    }

    /** Starts the least instances, and waits until each was tried once, for some time at most. */
    public void open(long waitNanos) {
        int least;
        table.lock.lock();
        try {
            least = table.min;
            for (int i = 0; i < least; i++) {
                starts.startAnother();
            }
            table.publish();
        } finally {
            table.lock.unlock();
        }
        Watchdog.watch(this);
        starts.await(least, waitNanos);
    }

    /** Returns all instances, those in quarantine included. */
    public List<I> all() {
        return table.all();
    }

    // What calls tell

    /** Notes that a call waits: the pool may grow. */
    public void callWaits() {
        size.callWaits();
    }

    /** Starts an instance for a call that finds the queue full. Returns whether it is to wait for it. */
    public boolean growForRefused() {
        return size.growForRefused();
    }

    /** Gives an instance on that no call uses. */
    public void release(I instance) {
        stops.release(instance);
    }

    /** Makes an instance anew after its call has failed. */
    public void restart(I instance, Throwable failure) {
        failures.restart(instance, failure);
    }

    /** Stops an instance after its call has failed; nothing takes its place. */
    public void stopForGood(I instance, Throwable failure) {
        stops.stopForGood(instance, failure);
    }

    /** Makes an instance anew, or stops it, after its call, since a pool that it owns has failed for good. */
    public void childFailed(I instance) {
        failures.childFailed(instance);
    }

    /** Stops an instance whose call has ended after its deadline. */
    public void leaveQuarantine(I instance) {
        failures.leaveQuarantine(instance);
    }

    /** Changes the bounds, unless the pool is closed. */
    public void resize(int least, int most) {
        size.resize(least, most);
    }

    // The clock

    @Override
    public long tick(long now) {
        long next = now + tickNanos;
        if (settings.callNanos() > 0) {
            for (I each : table.all()) {
                next = earlier(next, tick(each, now, next));
            }
        }
        if (settings.waitNanos() > 0) {
            next = earlier(next, handover.expire(now, next));
        }
        size.scale(now);
        if (table.isGrowable() && now - handover.waitingSince(now) > 0) {
            // The instance that it counted on may have been stopped since, or just as it came.
            size.callWaits();
        }
        failures.sweepEscalatedAgain();
        if (handover.has(Handover.CLOSED | Handover.STOPPED)) {
            stops.sweep();
            starts.wake();
        }
        return next;
    }

    private long tick(I instance, long now, long next) {
        long seen = instance.state();
        int phase = Permit.phase(seen);
        if (phase != Permit.RUNNING && phase != Permit.INTERRUPTED) {
            return next;
        }
        long deadline = instance.deadline();
        if (now - deadline < 0) {
            return deadline;
        }
        Runnable timeout = instance.timeout(now);
        if (Interrupts.interrupt(instance, seen, Permit.TIMED_OUT)) {
            failures.enterQuarantine(instance);
            if (timeout != null) {
                timeout.run();
            }
        }
        return next;
    }

    private static long earlier(long one, long other) {
        return one - other <= 0 ? one : other;
    }

    // Closing

    /** Refuses new calls, and those that wait unless they are to be served. Returns whether it was open. */
    public boolean shut() {
        table.lock.lock();
        try {
            if (table.closed) {
                return false;
            }
            table.closed = true;
            table.publish();
        } finally {
            table.lock.unlock();
        }
        if (!settings.drainQueue()) {
            handover.refuseAll(Outcome.CLOSED);
        }
        stops.sweep();
        starts.wake();
        return true;
    }

    /** Waits until all instances have ended. Returns false when they have not in time, or at an interrupt. */
    public boolean awaitEnd(long nanos) {
        try {
            return table.await(nanos, table::isEmpty);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Interrupts the calls that run and the starts that are under way, and refuses those that wait. */
    public void interruptAll() {
        handover.refuseAll(Outcome.CLOSED);
        // First calls that wait for a thread, so that none of them gets that of a call which is
        // interrupted.
        interruptRunning(false);
        interruptRunning(true);
        starts.interrupt();
        stops.sweep();
    }

    /**
     * Interrupts calls that run.
     *
     * @param attached also those that have a thread
     */
    private void interruptRunning(boolean attached) {
        for (I each : table.all()) {
            long seen = each.state();
            if (Permit.phase(seen) == Permit.RUNNING && (attached || !each.isAttached())) {
                Interrupts.interrupt(each, seen, Permit.INTERRUPTED);
            }
        }
    }

    // Looking

    /** Returns whether the pool is open and has an instance, or needs none before the first call. */
    public boolean isReady() {
        table.lock.lock();
        try {
            return table.isReady();
        } finally {
            table.lock.unlock();
        }
    }

    /** Waits until the pool is ready. Returns false when it is not in time, or is closed. */
    public boolean awaitReady(long nanos) throws InterruptedException {
        return table.await(nanos, () -> table.isReady() || table.closed) && isReady();
    }

    /** Returns how many more calls could run at once, were they to come now. */
    public int freeCapacity() {
        table.lock.lock();
        try {
            int room = table.closed ? 0 : Math.max(0, -table.surplus());
            return table.live + room - table.busy() - handover.waiting();
        } finally {
            table.lock.unlock();
        }
    }

    /** Returns in what time the present queue will have been served: one second at least, a minute at most. */
    public Duration retryAfter() {
        return queueTime.retryAfter();
    }

    /** Returns the counts of this moment. */
    public RosterCounts counts() {
        table.lock.lock();
        try {
            return new RosterCounts(
                    table.min,
                    table.max,
                    table.live,
                    table.busy(),
                    table.starting,
                    table.quarantined,
                    table.stopped,
                    failures.restarts(),
                    failures.runTimeouts(),
                    table.counters());
        } finally {
            table.lock.unlock();
        }
    }

    /**
     * Looks at each instance, by their numbers.
     *
     * @param view quick, and calls no code of users
     */
    public <R> List<R> look(Function<? super I, R> view) {
        table.lock.lock();
        try {
            List<I> sorted = new ArrayList<>(table.all());
            sorted.sort(Comparator.comparingInt(Permit::index));
            return sorted.stream().<R>map(view).toList();
        } finally {
            table.lock.unlock();
        }
    }
}
