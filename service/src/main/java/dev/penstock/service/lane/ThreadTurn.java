package dev.penstock.service.lane;

import java.util.concurrent.locks.LockSupport;

/** A thread that waits for its turn in a lane. */
final class ThreadTurn {
    private final Thread thread = Thread.currentThread();
    private volatile boolean granted;

    private ThreadTurn() {}

    /**
     * Enters the lane of a key and waits until the present thread's call is the first.
     *
     * @throws RuntimeException one of {@link LaneLimits}; the call has left the lane then
     */
    static Turn await(Lanes lanes, Object key, String method) {
        LaneLimits limits = lanes.limits();
        long begin = System.nanoTime();
        ThreadTurn waiter = new ThreadTurn();
        Turn turn = lanes.enter(key, method, waiter::grant);
        while (!waiter.granted) {
            long waited = System.nanoTime() - begin;
            if (Thread.currentThread().isInterrupted()) {
                turn.exit();
                throw limits.interrupted(method);
            }
            if (limits.timeoutNanos() == 0) {
                LockSupport.park(waiter);
            } else if (waited < limits.timeoutNanos()) {
                LockSupport.parkNanos(waiter, limits.timeoutNanos() - waited);
            } else {
                turn.exit();
                throw limits.timedOut(method, waited);
            }
        }
        return turn;
    }

    private void grant() {
        granted = true;
        LockSupport.unpark(thread);
    }
}
