package dev.penstock.http.limits;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A number of permits to run, and a bounded queue of requests that wait for one. The queue is fair to clients: a free
 * permit goes to the client that has the fewest, in turn among equals, and first come first served for each. Of eight
 * permits or more, an eighth is for clients that do not have all of the others; clients on this machine, and proxies,
 * may take those too. When the queue is full, a client that has at least two fewer, running and waiting, than the one
 * with the most takes that one's newest position in the queue. Thread-safe.
 */
public final class PermitQueue {
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long YIELD_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** The least number of permits of which some are reserved. */
    private static final int LEAST_TO_RESERVE = 8;

    private final int permits;
    private final int capacity;
    private final Duration timeout;
    private final LongSupplier nanos;

    private final Object lock = new Object();
    private final FairQueue queue;
    private int runningNow;
    private long refused;
    private long refusingSinceNanos;
    private long lastRefusalNanos;
    private long lastYieldNanos;

    /**
     * @param permits how many requests run at once, at least 1
     * @param capacity how many wait at most; 0 for none
     * @param timeout how long one waits at most
     */
    public PermitQueue(int permits, int capacity, Duration timeout) {
        this(permits, capacity, timeout, System::nanoTime);
    }

    PermitQueue(int permits, int capacity, Duration timeout, LongSupplier nanos) {
        if (permits < 1 || capacity < 0 || !timeout.isPositive()) {
            throw new IllegalArgumentException(
                    ("An admission has %d permits and a queue of %d for %s:"
                                    + " it needs at least 1 permit, no negative length, and a positive queue timeout")
                            .formatted(permits, capacity, timeout));
        }
        this.permits = permits;
        this.capacity = capacity;
        this.timeout = timeout;
        this.nanos = nanos;
        this.lastYieldNanos = nanos.getAsLong() - YIELD_NANOS;
        this.queue = new FairQueue(permits < LEAST_TO_RESERVE ? permits : permits - permits / 8);
    }

    /** The number of permits. */
    public int permits() {
        return permits;
    }

    /** The number of requests that may wait. */
    public int capacity() {
        return capacity;
    }

    /** The time that a request may wait. */
    public Duration timeout() {
        return timeout;
    }

    /** The number of requests that run now. */
    public int runningNow() {
        synchronized (lock) {
            return runningNow;
        }
    }

    /** The number of requests that wait now. */
    public int waitingNow() {
        synchronized (lock) {
            return queue.size();
        }
    }

    /** The number of requests refused so far: they found the queue full, or waited too long. */
    public long refused() {
        synchronized (lock) {
            return refused;
        }
    }

    /**
     * The time for which requests have been refused, with no pause of more than two seconds; zero where none was
     * refused in the last two seconds.
     */
    public Duration refusingFor() {
        long now = nanos.getAsLong();
        synchronized (lock) {
            return refused == 0 || now - lastRefusalNanos > PAUSE_NANOS
                    ? Duration.ZERO
                    : Duration.ofNanos(now - refusingSinceNanos);
        }
    }

    private void countRefusal() {
        long now = nanos.getAsLong();
        if (refused == 0 || now - lastRefusalNanos > PAUSE_NANOS) {
            refusingSinceNanos = now;
        }
        lastRefusalNanos = now;
        refused++;
    }

    /** Takes a permit, or joins the queue. A request that was told to run must {@link #leave} in the end. */
    public Decision enter(Waiter waiter) {
        Waiter displaced = null;
        synchronized (lock) {
            if (runningNow < permits && queue.mayStart(waiter)) {
                runningNow++;
                queue.started(waiter.client());
                return Decision.RUN;
            }
            if (queue.size() >= capacity) {
                countRefusal();
                displaced = queue.displaceFor(waiter.client());
                if (displaced == null) {
                    return Decision.REFUSED;
                }
            }
            queue.add(waiter);
        }
        if (displaced != null) {
            displaced.displaced();
        }
        return Decision.WAIT;
    }

    /** Takes a permit again, or joins the queue whatever its length: a request that ran before is never refused. */
    public Decision reenter(Waiter waiter) {
        synchronized (lock) {
            if (runningNow < permits && queue.mayStart(waiter)) {
                runningNow++;
                queue.started(waiter.client());
                return Decision.RUN;
            }
            queue.addResumed(waiter);
            return Decision.WAIT;
        }
    }

    /** Gives the permit of a request that ran to the next that waits. */
    public void leave(Waiter waiter) {
        Waiter next;
        synchronized (lock) {
            queue.ended(waiter.client());
            next = queue.poll();
            if (next == null) {
                runningNow--;
            }
        }
        if (next != null) {
            next.admitted();
        }
    }

    /**
     * Leaves the queue.
     *
     * @param timedOut whether it counts as refused
     * @return false if it was too late: the waiter has been admitted or displaced
     */
    public boolean abandon(Waiter waiter, boolean timedOut) {
        synchronized (lock) {
            boolean waited = queue.remove(waiter);
            if (waited && timedOut) {
                countRefusal();
            }
            return waited;
        }
    }

    /**
     * Returns whether a request that runs for a slow client is to give up its permit: a client waits that has at least
     * two fewer, or any client where this one may be many that can't be told apart. Says so no more often than it takes
     * to see what that has changed.
     */
    public boolean mustYield(Waiter waiter) {
        long now = nanos.getAsLong();
        synchronized (lock) {
            boolean wanted =
                    waiter.mayTakeAll() ? queue.size() > 0 : queue.hasFarMore(waiter.client());
            boolean must = wanted && now - lastYieldNanos >= YIELD_NANOS;
            lastYieldNanos = must ? now : lastYieldNanos;
            return must;
        }
    }

    /** The decision on a request that asks to run. */
    public enum Decision {
        RUN,
        WAIT,
        REFUSED
    }

    /** A request that runs or waits; compared by identity. */
    public interface Waiter {
        /** The client; the same object for all requests of one. */
        Object client();

        /**
         * Returns whether it may have the permits that are reserved for others, as it may be many clients that can't be
         * told apart.
         */
        boolean mayTakeAll();

        /** Called when it may run, on the thread of the request that left; must not block. */
        void admitted();

        /**
         * Called when it has lost its position in the queue to another client's request, on that one's thread; must not
         * block.
         */
        void displaced();
    }
}
