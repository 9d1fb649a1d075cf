package dev.penstock.service.handover;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The interrupts that pools send to threads that run calls, each delivered within its run and taken back at its end.
 *
 * <p>A thread may run a call of one pool within a call of another, and both may run into their deadlines. One table for
 * all pools therefore says how many interrupts of ours a thread has, and whether its flag was set before the first. At
 * the end of a run the flag is cleared, and set again when it was set before or an outer run was interrupted as well.
 *
 * <p>An interrupt from elsewhere that comes between ours and the end of the run can't be told from ours, and is taken
 * back with it; so is one that came before, while its thread waits for a {@link ReentrantLock}, which hides the flag.
 */
public final class Interrupts {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Condition DELIVERED = LOCK.newCondition();

    /** Threads whose run was interrupted and has not ended. Guarded by the lock; at most one entry a running call. */
    private static final Map<Thread, Pending> PENDING = new HashMap<>();

    private static final class Pending {
        final boolean before;
        int runs;

        Pending(boolean before) {
            this.before = before;
        }
    }

    private Interrupts() {}

    /**
     * Interrupts the run that was seen.
     *
     * @param phase {@link Permit#INTERRUPTED} or {@link Permit#TIMED_OUT}
     * @return false when that run has ended or its phase has changed; then nothing has happened
     */
    public static boolean interrupt(Permit permit, long seen, int phase) {
        Thread thread;
        LOCK.lock();
        try {
            if (!permit.advance(seen, phase)) {
                return false;
            }
            thread = permit.owner(); // now that the run can't end without the lock
            if (thread == null) {
                return true;
            }
            if (!permit.interrupted) {
                permit.interrupted = true;
                PENDING.computeIfAbsent(thread, each -> new Pending(each.isInterrupted())).runs++;
            }
            permit.deliveries++;
        } finally {
            LOCK.unlock();
        }
        try {
            thread.interrupt(); // may close a channel, so not under the lock
        } finally {
            delivered(permit);
        }
        return true;
    }

    private static void delivered(Permit permit) {
        LOCK.lock();
        try {
            permit.deliveries--;
            DELIVERED.signalAll();
        } finally {
            LOCK.unlock();
        }
    }

    /** Ends a run that was interrupted, and returns its phase. */
    static int settle(Permit permit) {
        LOCK.lock();
        try {
            while (permit.deliveries > 0) {
                DELIVERED.awaitUninterruptibly();
            }
            long state = permit.state();
            takeBack(permit);
            permit.advance(state, Permit.IDLE);
            return Permit.phase(state);
        } finally {
            LOCK.unlock();
        }
    }

    static void detach(Permit permit) {
        LOCK.lock();
        try {
            while (permit.deliveries > 0) {
                DELIVERED.awaitUninterruptibly();
            }
            takeBack(permit);
            permit.disown();
        } finally {
            LOCK.unlock();
        }
    }

    /** Takes back the interrupt of a run, if its thread has got one; runs on that thread. */
    private static void takeBack(Permit permit) {
        Thread thread = permit.owner();
        if (!permit.interrupted || thread == null) {
            return;
        }
        permit.interrupted = false;
        Pending pending = PENDING.get(thread);
        if (pending == null) {
            throw new IllegalStateException("An interrupt was sent and not noted: " + thread);
        }
        Thread.interrupted();
        pending.runs--;
        if (pending.runs == 0) {
            PENDING.remove(thread);
        }
        if (pending.runs > 0 || pending.before) {
            thread.interrupt();
        }
    }
}
