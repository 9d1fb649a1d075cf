package dev.penstock.http;

import dev.penstock.http.limits.PermitQueue;
import java.time.Duration;

/**
 * A limit on the requests of a kind that run at once. Further ones wait in a bounded queue before they have any thread
 * or database connection; beyond its length, or after its timeout, the answer is 503 with {@code Retry-After}. The
 * queue is fair to clients: a free permit goes to the client that has the fewest, in turn among equals, and first come
 * first served for each. Of eight permits or more, an eighth is for clients that do not have all of the others; clients
 * on this machine, and proxies, may take those too. When the queue is full, a client that has at least two fewer,
 * running and waiting, than the one with the most takes that one's newest position. A request has its permit until its
 * response has left for the client or is broken. One that waits costs its connection and its head; a client that leaves
 * while it waits leaves the queue. One instance may serve several routes and servers. Thread-safe.
 *
 * <p>A suspended request ({@link Exchange#suspend}) has given its permit back. When it goes on with a handler on a
 * thread, it takes a permit again, or waits for one in the queue, where it is neither refused nor times out.
 */
public final class Admission {
    private final PermitQueue queue;

    /**
     * @param permits how many requests run at once, at least 1
     * @param queueLimit how many wait at most; 0 for none
     * @param queueTimeout how long one waits at most, positive
     */
    public Admission(int permits, int queueLimit, Duration queueTimeout) {
        queue = new PermitQueue(permits, queueLimit, queueTimeout);
    }

    /** The number of requests that may run at once. */
    public int permits() {
        return queue.permits();
    }

    /** The number of requests that may wait. */
    public int queueLimit() {
        return queue.capacity();
    }

    /** The time that a request may wait. */
    public Duration queueTimeout() {
        return queue.timeout();
    }

    /** The number of requests that run now. */
    public int runningNow() {
        return queue.runningNow();
    }

    /** The number of requests that wait now. */
    public int waitingNow() {
        return queue.waitingNow();
    }

    /** The number of requests refused so far: they found the queue full, or waited too long. */
    public long refused() {
        return queue.refused();
    }

    /**
     * The time for which requests have been refused, with no pause of more than two seconds; zero where none was
     * refused in the last two seconds.
     */
    public Duration refusingFor() {
        return queue.refusingFor();
    }

    /** The queue itself, which only the server uses. */
    @SuppressWarnings("exports")
    public PermitQueue queue() {
        return queue;
    }
}
