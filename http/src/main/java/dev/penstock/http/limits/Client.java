package dev.penstock.http.limits;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client, by its address, and the connections and requests that it has at once. All that comes from the same IPv4
 * address, or from the same 64 leading bits of an IPv6 address, is one client. Thread-safe; kept by {@link Clients}
 * while it is in use.
 */
public final class Client {
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Long key;
    private final ClientLimits.AtOnce most;
    private final boolean proxy;

    /** Those that were admitted; never more than it may have at once. */
    private final AtomicInteger connections = new AtomicInteger();

    private final AtomicInteger requests = new AtomicInteger();

    /** Connections that are told so and closed; never more than it may have of the others. */
    private final AtomicInteger refusedConnections = new AtomicInteger();

    private final AtomicInteger refusedRequests = new AtomicInteger();
    private final ClientLimits limits;

    /** Requests that it may send at once, as of a time; guarded by this object. */
    private double credit;

    private long creditNanos;

    /**
     * @param most what it may have at once
     * @param proxy whether it is believed whom it asks for
     */
    Client(Long key, ClientLimits.AtOnce most, boolean proxy, ClientLimits limits, long now) {
        this.key = key;
        this.most = most;
        this.proxy = proxy;
        this.limits = limits;
        credit = limits.burst();
        creditNanos = now;
    }

    /** What it has in common with what is kept of the same client at another time. */
    public Long key() {
        return key;
    }

    public boolean isProxy() {
        return proxy;
    }

    public ClientLimits.AtOnce most() {
        return most;
    }

    /** A decision on a connection when it is opened, whatever comes or goes afterwards. */
    public enum Verdict {
        ADMITTED,
        /** One too many: it is answered with 429 and closed. */
        REFUSED,
        /** Even answering it would cost too much. */
        HOPELESS
    }

    /**
     * Counts and judges a connection in one step, so that of two that come at once where one has room, one is admitted.
     */
    Verdict addConnection() {
        if (addWithin(connections, most.connections())) {
            return Verdict.ADMITTED;
        }
        return addWithin(refusedConnections, most.connections())
                ? Verdict.REFUSED
                : Verdict.HOPELESS;
    }

    /** Counts a connection that nobody judges. */
    void addUnjudgedConnection() {
        connections.incrementAndGet();
    }

    /** Returns whether nothing of the client is left. */
    boolean removeConnection(Verdict verdict) {
        return switch (verdict) {
            case ADMITTED -> remove(connections);
            case REFUSED -> remove(refusedConnections);
            case HOPELESS -> isIdle();
        };
    }

    /** Counts and judges a request in one step. Returns whether it is one of those that the client may have at once. */
    public boolean addRequest() {
        boolean admitted = addWithin(requests, most.requests());
        if (!admitted) {
            refusedRequests.incrementAndGet();
        }
        return admitted;
    }

    /** Returns whether nothing of the client is left. */
    boolean removeRequest(boolean admitted) {
        return remove(admitted ? requests : refusedRequests);
    }

    private static boolean addWithin(AtomicInteger count, int most) {
        if (most == 0) {
            count.incrementAndGet();
            return true;
        }
        for (int known = count.get(); known < most; known = count.get()) {
            if (count.compareAndSet(known, known + 1)) {
                return true;
            }
        }
        return false;
    }

    private boolean remove(AtomicInteger count) {
        return count.decrementAndGet() == 0 && isIdle();
    }

    /** Returns whether it has nothing; that stays so while its entry in the table is locked. */
    boolean isIdle() {
        return connections.get() == 0
                && requests.get() == 0
                && refusedConnections.get() == 0
                && refusedRequests.get() == 0;
    }

    /** Counts a request against its rate. Returns 0 if that allows it, or else the nanoseconds until it would. */
    long spend(long now) {
        return limits.ratePerSecond() <= 0 || proxy ? 0 : spendCredit(now);
    }

    private synchronized long spendCredit(long now) {
        refill(now);
        if (credit >= 1) {
            credit--;
            return 0;
        }
        return (long) Math.ceil((1 - credit) / limits.ratePerSecond() * NANOS);
    }

    /** Guarded by this object. */
    private void refill(long now) {
        if (now - creditNanos <= 0) {
            return; // another thread's time, or that of a request from before there was a client
        }
        double earned = (now - creditNanos) / NANOS * limits.ratePerSecond();
        credit = Math.min(limits.burst(), credit + earned);
        creditNanos = now;
    }

    /** Returns whether it has been quiet for so long that nothing is lost when it is forgotten. */
    synchronized boolean isRested(long now) {
        if (limits.ratePerSecond() <= 0) {
            return true;
        }
        refill(now);
        return credit >= limits.burst();
    }
}
