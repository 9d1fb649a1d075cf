package dev.penstock.http;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Who asks, by address, and what it has at once. All that comes from the same IPv4 address, or from the same 64 leading bits of an
 * IPv6 address, is one client. Thread-safe; kept by {@link Clients} while it is in use.
 */
final class Client {
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Long key;
    private final ClientLimits.AtOnce most;
    private final boolean proxy;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
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

    Long key() {
        return key;
    }

    boolean isProxy() {
        return proxy;
    }

    ClientLimits.AtOnce most() {
        return most;
    }

    void addConnection() {
        connections.incrementAndGet();
    }

    /** Returns whether nothing of it is left. */
    boolean removeConnection() {
        return connections.decrementAndGet() == 0 && isIdle();
    }

    void addRequest() {
        requests.incrementAndGet();
    }

    /** Returns whether nothing of it is left. */
    boolean removeRequest() {
        return requests.decrementAndGet() == 0 && isIdle();
    }

    boolean isIdle() {
        return connections.get() == 0 && requests.get() == 0;
    }

    /** Whether its latest connection is one too many. */
    boolean hasTooManyConnections() {
        return most.connections() > 0 && connections.get() > most.connections();
    }

    /** Whether even answering its latest connection would cost too much. */
    boolean isHopeless() {
        return most.connections() > 0 && connections.get() > 2L * most.connections();
    }

    /** Whether its latest request is one too many of those at once. */
    boolean hasTooManyRequests() {
        return most.requests() > 0 && requests.get() > most.requests();
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

    /** Whether it has been quiet for so long that nothing is lost when it is forgotten. */
    synchronized boolean isRested(long now) {
        if (limits.ratePerSecond() <= 0) {
            return true;
        }
        refill(now);
        return credit >= limits.burst();
    }
}
