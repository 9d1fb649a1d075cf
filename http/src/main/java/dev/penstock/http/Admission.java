package dev.penstock.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many requests of a kind run at once. Further ones wait in a bounded queue before any
 * thread or database connection is theirs; beyond its length, or after its patience, the answer is 503 with
 * {@code Retry-After}. The queue is fair to clients: a free place goes to the one that has the fewest, in turn among equals,
 * and first come first served for each. Of eight places or more, an
 * eighth is for clients that have not all of the others; those on this machine, and proxies, may take that too. When the queue is full, a client that has at least two fewer, running and waiting, than the one with the
 * most takes that one's newest place in the queue. A request runs until its response has left for the client or is broken. One that waits costs its
 * connection and its head; a client that leaves while waiting leaves the queue. One instance may serve several routes and
 * servers. Thread-safe.
 *
 * <p>A suspended request ({@link Exchange#suspend}) has given its place back. When it goes on with a handler on a thread, it takes a
 * place again, or waits for one in the queue, where it is neither refused nor loses patience.
 */
public final class Admission {
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long YIELD_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** So many places are worth having some reserved. */
    private static final int LEAST_TO_RESERVE = 8;

    private final int running;
    private final int waiting;
    private final Duration patience;

    private final ReentrantLock lock = new ReentrantLock();
    private final FairQueue queue;
    private int runningNow;
    private long refused;
    private long refusingSinceNanos;
    private long lastRefusalNanos;
    private long lastYieldNanos = System.nanoTime() - YIELD_NANOS;

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
        this.queue = new FairQueue(running < LEAST_TO_RESERVE ? running : running - running / 8);
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

    /**
     * For how long it has been refusing requests, with no pause of more than two seconds; nothing where it did not refuse any in
     * the last two.
     */
    public Duration refusingFor() {
        long now = System.nanoTime();
        lock.lock();
        try {
            return refused == 0 || now - lastRefusalNanos > PAUSE_NANOS
                    ? Duration.ZERO
                    : Duration.ofNanos(now - refusingSinceNanos);
        } finally {
            lock.unlock();
        }
    }

    private void countRefusal() {
        long now = System.nanoTime();
        if (refused == 0 || now - lastRefusalNanos > PAUSE_NANOS) {
            refusingSinceNanos = now;
        }
        lastRefusalNanos = now;
        refused++;
    }

    /** Takes a place, or waits for one. Whoever was told to run must {@link #leave} in the end. */
    Decision enter(Waiter waiter) {
        Waiter displaced = null;
        lock.lock();
        try {
            if (runningNow < running && queue.mayStart(waiter)) {
                runningNow++;
                queue.started(waiter.client());
                return Decision.RUN;
            }
            if (queue.size() >= waiting) {
                countRefusal();
                displaced = queue.displaceFor(waiter.client());
                if (displaced == null) {
                    return Decision.REFUSED;
                }
            }
            queue.add(waiter);
        } finally {
            lock.unlock();
        }
        if (displaced != null) {
            displaced.displaced();
        }
        return Decision.WAIT;
    }

    /** Takes a place again, or waits for one, however many do: one that ran before and was suspended is never refused. */
    Decision reenter(Waiter waiter) {
        lock.lock();
        try {
            if (runningNow < running && queue.mayStart(waiter)) {
                runningNow++;
                queue.started(waiter.client());
                return Decision.RUN;
            }
            queue.addResumed(waiter);
            return Decision.WAIT;
        } finally {
            lock.unlock();
        }
    }

    /** Gives the place of one that ran to the next that waits. */
    void leave(Waiter waiter) {
        Waiter next;
        lock.lock();
        try {
            queue.ended(waiter.client());
            next = queue.poll();
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
                countRefusal();
            }
            return waited;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether one that runs, for a client that is slow, is to make room: a client waits that has at least two fewer, or anyone, where it may be
     * many clients that can't be told apart. Not more often than it takes to see what that has changed.
     */
    boolean mustYield(Waiter waiter) {
        long now = System.nanoTime();
        lock.lock();
        try {
            boolean wanted =
                    waiter.mayTakeAll() ? queue.size() > 0 : queue.hasFarMore(waiter.client());
            boolean must = wanted && now - lastYieldNanos >= YIELD_NANOS;
            lastYieldNanos = must ? now : lastYieldNanos;
            return must;
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
        /** Whose it is; the same object for all of one client. */
        Object client();

        /** Whether it may have the places that are reserved for others: it may be many clients that can't be told apart. */
        boolean mayTakeAll();

        /** It may run now. Called on the thread of whoever left; must not block. */
        void admitted();

        /** It has lost its place in the queue to another client's, and is to be refused. Called on the thread of that one; must not block. */
        void displaced();
    }
}
