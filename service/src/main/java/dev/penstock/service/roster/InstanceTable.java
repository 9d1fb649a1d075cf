package dev.penstock.service.roster;

import dev.penstock.service.figures.CallCounters;
import dev.penstock.service.handover.Handover;
import dev.penstock.service.handover.Permit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The instances of a pool and their counts by what they do. All fields and methods are guarded by {@link #lock}, except
 * for those that say otherwise.
 *
 * <p>Each instance counts once: as starting, live, in quarantine or stopping. Those that were stopped for good are in
 * no list any more, but count against the largest number. A replacement that may not start yet, because too many
 * instances are in quarantine, is owed.
 */
final class InstanceTable<I extends PooledInstance> {
    final ReentrantLock lock = new ReentrantLock();

    private final Handover<I> handover;
    private final Condition changed = lock.newCondition();
    private final BitSet used = new BitSet();
    private final List<I> members = new ArrayList<>();
    private final CallCounters gone = new CallCounters();
    private volatile List<I> all = List.of();
    private volatile boolean growable;

    int min;
    int max;
    int starting;

    /** Of the live ones, those whose start is not counted as ended yet: calls may not get them before that. */
    int arriving;

    int live;
    int quarantined;
    int stopping;
    int stopped;
    int owed;
    boolean closed;

    InstanceTable(Handover<I> handover, int min, int max) {
        this.handover = handover;
        this.min = min;
        this.max = max;
    }

    /** Returns all instances, those in quarantine included. Needs no lock. */
    List<I> all() {
        return all;
    }

    /** Returns whether there may be more instances, as of the last {@link #publish}. Needs no lock. */
    boolean isGrowable() {
        return growable;
    }

    /** Returns the least number that no instance has, save those in quarantine. */
    int freeIndex() {
        return used.nextClearBit(0);
    }

    /** Adds an instance that is about to start. */
    void add(I instance) {
        used.set(instance.index());
        members.add(instance);
        all = List.copyOf(members);
        handover.register(instance);
        starting++;
    }

    /** Gives the number of an instance in quarantine to the one in its place. */
    void freeIndexOf(I instance) {
        used.clear(instance.index());
    }

    /** Removes an instance that has ended. */
    void remove(I instance) {
        if (!instance.quarantined) {
            used.clear(instance.index());
        }
        members.remove(instance);
        gone.add(instance.counters());
        all = List.copyOf(members);
    }

    /** Returns how many instances there are more than there may be; negative when some are missing. */
    int surplus() {
        return live + starting + owed + stopped - max;
    }

    boolean mayGrow() {
        return !closed && surplus() < 0;
    }

    boolean isReady() {
        return !closed && (live > arriving || (min == 0 && mayGrow()));
    }

    /** Returns whether the pool is closed and no call waits: then no instance is started any more. */
    boolean isOver() {
        return closed && handover.waiting() == 0;
    }

    /** Returns whether nothing is left of it. */
    boolean isEmpty() {
        return live + starting + stopping + quarantined == 0;
    }

    /** Counts running calls, those in quarantine not included. */
    int busy() {
        int busy = 0;
        for (I each : members) {
            if (!each.quarantined && Permit.phase(each.state()) != Permit.IDLE) {
                busy++;
            }
        }
        return Math.min(busy, live);
    }

    CallCounters counters() {
        CallCounters sum = new CallCounters();
        sum.add(gone);
        for (I each : members) {
            sum.add(each.counters());
        }
        return sum;
    }

    /** Brings what is read without the lock in line with the counts, and lets those look who wait for a change. */
    void publish() {
        growable = mayGrow();
        set(Handover.CLOSED, closed);
        set(Handover.SURPLUS, surplus() > 0);
        set(Handover.STOPPED, stopped >= max && live + starting + owed == 0);
        changed.signalAll();
    }

    private void set(int flag, boolean on) {
        if (handover.has(flag) != on) {
            handover.flag(flag, on);
        }
    }

    /** Waits until a condition of the counts holds, and returns false when it does not in time. Takes the lock. */
    boolean await(long nanos, BooleanSupplier condition) throws InterruptedException {
        long left = nanos;
        lock.lock();
        try {
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
