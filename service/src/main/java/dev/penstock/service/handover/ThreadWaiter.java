package dev.penstock.service.handover;

import java.util.concurrent.locks.LockSupport;

/** A blocking call in the queue: its thread is parked. */
public final class ThreadWaiter extends Waiter {
    private final Thread thread = Thread.currentThread();

    /** Creates a waiter for the present thread. */
    public ThreadWaiter(long since, long deadline) {
        super(since, deadline);
    }

    /**
     * Waits until the outcome is decided, without a time limit of its own. An interrupt leaves the queue, unless a
     * permit has just been handed over; the interrupt flag is set in both cases.
     */
    public Outcome await(Handover<?> handover) {
        boolean interrupted = false;
        while (outcome == Outcome.WAITING) {
            LockSupport.park(handover);
            if (Thread.interrupted()) {
                interrupted = true;
                handover.cancel(this);
            }
        }
        if (interrupted) {
            thread.interrupt();
        }
        return outcome;
    }

    @Override
    protected void wake() {
        LockSupport.unpark(thread);
    }
}
