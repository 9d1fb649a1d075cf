package dev.penstock.http;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * How many requests of a kind run at once. Further ones wait in a bounded queue, first come first served, before any
 * thread or database connection is theirs; beyond its length, or after its patience, the answer is 503 with
 * {@code Retry-After}. A request runs until its response has left for the client or is broken. One that waits costs its
 * connection and its head; a client that leaves while waiting leaves the queue. One instance may serve several routes and
 * servers. Thread-safe.
 *
 * <p>A suspended request ({@link Exchange#suspend}) has given its place back. When it goes on with a handler on a thread, it takes a
 * place again, or waits for one in the queue, where it is neither refused nor loses patience.
 */
public final class Admission {
    private final int running;
    private final int waiting;
    private final Duration patience;

    private final ReentrantLock lock = new ReentrantLock();
    private final SequencedSet<Waiter> queue = new LinkedHashSet<>();
    private int runningNow;
    private long refused;

    /**
     * @param running how many run at once, at least 1
     * @param waiting how many wait at the most; 0 for none
     * @param patience how long one waits at the most, more than nothing
     */
    public Admission(int running, int waiting, Duration patience) {
        if (running < 1 || waiting < 0 || !patience.isPositive()) {
            throw new IllegalArgumentException(
                    "Admission of %d running and %d waiting for %s: at least 1 must run, and patience be positive"
                            .formatted(running, waiting, patience));
        }
        this.running = running;
        this.waiting = waiting;
        this.patience = patience;
    }

    /** How many run at once. */
    public int running() {
        return running;
    }

    /** How many may wait. */
    public int waiting() {
        return waiting;
    }

    /** How long one may wait. */
    public Duration patience() {
        return patience;
    }

    /** How many run now. */
    public int runningNow() {
        lock.lock();
        try {
            return runningNow;
        } finally {
            lock.unlock();
        }
    }

    /** How many wait now. */
    public int waitingNow() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    /** How many were refused so far: found the queue full, or lost patience. */
    public long refused() {
        lock.lock();
        try {
            return refused;
        } finally {
            lock.unlock();
        }
    }

    /** Takes a place, or waits for one. Whoever was told to run must {@link #leave} in the end. */
    Decision enter(Waiter waiter) {
        lock.lock();
        try {
            if (runningNow < running) {
                runningNow++;
                return Decision.RUN;
            }
            if (queue.size() < waiting) {
                queue.add(waiter);
                return Decision.WAIT;
            }
            refused++;
            return Decision.REFUSED;
        } finally {
            lock.unlock();
        }
    }

    /** Takes a place again, or waits for one, however many do: one that ran before and was suspended is never refused. */
    Decision reenter(Waiter waiter) {
        lock.lock();
        try {
            if (runningNow < running) {
                runningNow++;
                return Decision.RUN;
            }
            queue.add(waiter);
            return Decision.WAIT;
        } finally {
            lock.unlock();
        }
    }

    /** Gives the place to the next that waits. */
    void leave() {
        Waiter next;
        lock.lock();
        try {
            next = pollFirst();
            if (next == null) {
                runningNow--;
            }
        } finally {
            lock.unlock();
        }
        if (next != null) {
            next.admitted();
        }
    }

    private @Nullable Waiter pollFirst() {
        return queue.isEmpty() ? null : queue.removeFirst();
    }

    /**
     * Stops waiting.
     *
     * @param lostPatience whether it counts as refused
     * @return false if it was too late: the waiter has been admitted
     */
    boolean abandon(Waiter waiter, boolean lostPatience) {
        lock.lock();
        try {
            boolean waited = queue.remove(waiter);
            if (waited && lostPatience) {
                refused++;
            }
            return waited;
        } finally {
            lock.unlock();
        }
    }

    /** What became of a request that asks to run. */
    enum Decision {
        RUN,
        WAIT,
        REFUSED
    }

    /** A request that waits; compared by identity. */
    interface Waiter {
        /** It may run now. Called on the thread of whoever left; must not block. */
        void admitted();
    }
}
