package dev.penstock.transfer.client;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A switch that ends transfers from another thread.
 *
 * <p>One may be given to any number of transfers. A transfer that is ended so throws a
 * {@link dev.penstock.transfer.TransferException} of kind {@code CANCELLED}; what it has moved stays, and the next
 * call for the same resumes it. Thread-safe.
 */
public final class Cancellation {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Thread, Integer> threads = new HashMap<>();
    private boolean isCancelled;

    /** A switch that is not cancelled yet. */
    public Cancellation() {}

    /** Ends all transfers that it was given to, now and later. */
    public void cancel() {
        lock.lock();
        try {
            isCancelled = true;
            threads.keySet().forEach(Thread::interrupt);
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether {@link #cancel} was called. */
    public boolean isCancelled() {
        lock.lock();
        try {
            return isCancelled;
        } finally {
            lock.unlock();
        }
    }

    /** Has the calling thread interrupted by {@link #cancel}, until {@link #leave}. */
    void enter() throws InterruptedException {
        lock.lock();
        try {
            if (isCancelled) {
                throw new InterruptedException("The transfer was cancelled before it began");
            }
            threads.merge(Thread.currentThread(), 1, Integer::sum);
        } finally {
            lock.unlock();
        }
    }

    /** Ends {@link #enter}, and takes the interrupt back that came from here. */
    void leave() {
        lock.lock();
        try {
            threads.computeIfPresent(
                    Thread.currentThread(), (thread, count) -> count == 1 ? null : count - 1);
            if (isCancelled) {
                Thread.interrupted();
            }
        } finally {
            lock.unlock();
        }
    }
}
