package dev.penstock.service.handover;

import dev.penstock.service.handover.Waiter.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The idle permits and the calls that wait for one. Thread-safe.
 *
 * <p>{@code attention} is zero when nobody waits and nothing is to be heeded: then taking and giving back are one
 * compare and set each. Otherwise both take the lock. The page of the package has the invariants.
 *
 * @param <P> the permits
 */
public final class Handover<P extends Permit> {
    /** The answer to a call that wants to queue. */
    public enum Admission {
        /** It has a permit already. */
        ACQUIRED,
        /** It waits. */
        QUEUED,
        /** The queue is full. */
        FULL,
        /** The pool is closed. */
        CLOSED,
        /** The pool has no instances any more. */
        STOPPED
    }

    /** The pool is closed: nobody queues any more. */
    public static final int CLOSED = 1 << 30;

    /** The pool has no instances any more: nobody queues. */
    public static final int STOPPED = 1 << 29;

    /** There are more instances than there may be: who gives one back must look whether it is to go. */
    public static final int SURPLUS = 1 << 28;

    /** The longest queue. */
    public static final int MOST_WAITING = (1 << 28) - 1;

    /** The waiters that are taken out of the queue under one hold of the lock, at most. */
    private static final int BATCH = 1_024;

    private final ReentrantLock lock = new ReentrantLock();
    private final IdleStack<P> idle = new IdleStack<>();
    private final WaitQueue queue = new WaitQueue();
    private final int limit;

    /** The flags, guarded by the lock. */
    private int flags;

    /** The flags and the number of waiters; written under the lock. */
    private volatile int attention;

    /**
     * Creates one with neither permits nor waiters.
     *
     * @param limit how many may wait, 0 to {@link #MOST_WAITING}
     */
    public Handover(int limit) {
        this.limit = limit;
    }

    /** Makes a permit known before it is first given back. One thread at a time. */
    public void register(P permit) {
        idle.register(permit);
    }

    /** Takes an idle permit if there is one, nobody waits and the pool has no flags. */
    public @Nullable P tryAcquire() {
        return attention == 0 ? idle.pop() : null;
    }

    /** Takes an idle permit whatever the flags; for permits that are to go. */
    public @Nullable P takeIdle() {
        return idle.pop();
    }

    /**
     * Takes those idle permits that are unfit; who looks for a permit meanwhile waits for the moment that it takes, and
     * so finds the others.
     *
     * @param unfit quick, and calls no code of users
     */
    public List<P> takeIdle(Predicate<? super P> unfit) {
        List<P> taken = new ArrayList<>();
        List<P> fit = new ArrayList<>();
        Woken woken = new Woken();
        lock.lock();
        try {
            attention = flags | queue.size() + 1;
            for (P each = idle.pop(); each != null; each = idle.pop()) {
                (unfit.test(each) ? taken : fit).add(each);
            }
            fit.reversed().forEach(idle::push);
            hand(woken);
            publish();
        } finally {
            lock.unlock();
        }
        woken.wake();
        return taken;
    }

    /** Gets a permit for a waiter, or puts it into the queue. */
    public Admission enqueue(Waiter waiter) {
        Woken woken = new Woken();
        lock.lock();
        try {
            return admit(waiter, woken);
        } finally {
            lock.unlock();
            woken.wake();
        }
    }

    private Admission admit(Waiter waiter, Woken woken) {
        if ((flags & CLOSED) != 0) {
            return Admission.CLOSED;
        }
        if ((flags & STOPPED) != 0) {
            return Admission.STOPPED;
        }
        attention = flags | queue.size() + 1; // announced before the look into the stack
        hand(woken);
        Admission admission = Admission.QUEUED;
        P permit = queue.first() == null ? idle.pop() : null;
        if (permit != null) {
            waiter.take(permit);
            admission = Admission.ACQUIRED;
        } else if (queue.size() >= limit && !waiter.isAdmitted()) {
            admission = Admission.FULL;
        } else {
            queue.add(waiter);
        }
        publish();
        return admission;
    }

    /**
     * Gives a permit back: to the first waiter, or to the idle ones.
     *
     * @return whether the pool has flags that may concern the idle permits
     */
    public boolean release(P permit) {
        if (attention == 0) {
            idle.push(permit);
            if (attention == 0) {
                return false;
            }
            return match(null);
        }
        return match(permit);
    }

    private boolean match(@Nullable P permit) {
        Woken woken = new Woken();
        boolean flagged;
        lock.lock();
        try {
            hand(woken);
            if (permit != null) {
                Waiter first = firstWanted(woken);
                if (first == null) {
                    idle.push(permit);
                } else {
                    hand(first, permit, woken);
                }
            }
            publish();
            flagged = flags != 0;
        } finally {
            lock.unlock();
        }
        woken.wake();
        return flagged;
    }

    /** Hands idle permits to the first waiters, as long as there are both. */
    private void hand(Woken woken) {
        for (Waiter first = firstWanted(woken); first != null; first = firstWanted(woken)) {
            P permit = idle.pop();
            if (permit == null) {
                return;
            }
            hand(first, permit, woken);
        }
    }

    private void hand(Waiter waiter, P permit, Woken woken) {
        waiter.permit = permit;
        settle(waiter, Outcome.HANDED, woken);
    }

    /** Returns the first waiter that somebody still wants; drops those before it. */
    private @Nullable Waiter firstWanted(Woken woken) {
        Waiter first = queue.first();
        while (first != null && first.isAbandoned()) {
            settle(first, Outcome.CANCELLED, woken);
            first = queue.first();
        }
        return first;
    }

    private void settle(Waiter waiter, Outcome outcome, Woken woken) {
        queue.remove(waiter);
        waiter.outcome = outcome;
        woken.add(waiter);
    }

    private void publish() {
        attention = flags | queue.size();
    }

    /** Takes a waiter out of the queue. Returns false when its outcome had been decided. */
    public boolean cancel(Waiter waiter) {
        lock.lock();
        try {
            if (waiter.outcome != Outcome.WAITING) {
                return false;
            }
            queue.remove(waiter);
            waiter.outcome = Outcome.CANCELLED;
            publish();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the wait of those whose deadline has come. Returns the next one's deadline, or a default. */
    public long expire(long now, long otherwise) {
        while (true) {
            Woken woken = new Woken();
            lock.lock();
            try {
                Waiter first = firstWanted(woken);
                while (first != null && now - first.deadline() >= 0 && woken.count < BATCH) {
                    settle(first, Outcome.TIMED_OUT, woken);
                    first = firstWanted(woken);
                }
                publish();
                if (woken.count < BATCH) {
                    return first == null ? otherwise : first.deadline();
                }
            } finally {
                lock.unlock();
                woken.wake();
            }
        }
    }

    /** Ends the wait of all. */
    public void refuseAll(Outcome outcome) {
        boolean more = true;
        while (more) {
            Woken woken = new Woken();
            lock.lock();
            try {
                Waiter first = queue.first();
                while (first != null && woken.count < BATCH) {
                    settle(first, outcome, woken);
                    first = queue.first();
                }
                publish();
                more = first != null;
            } finally {
                lock.unlock();
            }
            woken.wake();
        }
    }

    /** Sets or clears a flag. */
    public void flag(int flag, boolean set) {
        lock.lock();
        try {
            flags = set ? flags | flag : flags & ~flag;
            publish();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a flag is set. */
    public boolean has(int flag) {
        return (attention & flag) != 0;
    }

    /** Returns how many wait. */
    public int waiting() {
        return attention & MOST_WAITING;
    }

    /** Returns since when the first one waits, or a default when nobody does. */
    public long waitingSince(long otherwise) {
        lock.lock();
        try {
            Waiter first = queue.first();
            return first == null ? otherwise : first.since();
        } finally {
            lock.unlock();
        }
    }

    /** A chain of waiters whose outcome is decided, to be woken in that order after the lock is left. */
    private static final class Woken {
        private @Nullable Waiter first;
        private @Nullable Waiter last;
        private int count;

        void add(Waiter waiter) {
            if (last == null) {
                first = waiter;
            } else {
                last.next = waiter;
            }
            last = waiter;
            count++;
        }

        void wake() {
            Waiter each = first;
            while (each != null) {
                Waiter after = each.next;
                each.next = null;
                each.wake();
                each = after;
            }
        }
    }
}
