package dev.penstock.server.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of requests that run and wait at once. Bulk reads and short requests have connections of their own: there
 * are as many connections as both may use together, so neither can take the other's last one.
 *
 * @param bulk how many bulk reads run at once
 * @param shortRequests how many short requests run at once
 * @param queueLimit how many requests of either kind wait at the most
 * @param queueTimeout how long one waits at the most
 * @param clients how many clients may be connected; more wait to be accepted
 */
public record ConcurrencyLimits(
        int bulk, int shortRequests, int queueLimit, Duration queueTimeout, int clients) {
    static final int MAX_CONNECTIONS = 10_000;
    static final int MAX_QUEUE = 100_000;
    static final Duration MIN_QUEUE_TIMEOUT = Duration.ofMillis(1);
    static final Duration MAX_QUEUE_TIMEOUT = Duration.ofHours(1);

    /** The 256 KiB that one stream may hold, and its share of everything else: 128 of them run in a heap of 64 MB. */
    private static final long HEAP_BYTES_A_STREAM = 448 * 1024;

    /** A waiting request holds a few KiB; this leaves most of the heap to those that run. */
    private static final long HEAP_BYTES_A_WAITING_REQUEST = 32 * 1024;

    /**
     * A client may leave a request's head unfinished, of 24 KiB at the most, in memory outside the heap that is limited
     * to the heap's size: all of them together take half of it.
     */
    private static final long HEAP_BYTES_A_CLIENT = 2 * 24 * 1024;

    private static final long HEAP_BYTES_A_TRANSFER = 256 * 1024;
    private static final int MIN_TRANSFERS = 96;
    private static final int MAX_TRANSFERS = 1024;
    private static final int MAX_DEFAULT_BULK = 128;
    private static final int MAX_DEFAULT_SHORT = 16;
    private static final int MAX_DEFAULT_QUEUE = 65_536;
    private static final int IDLE_CLIENTS = 1000;
    private static final Duration DEFAULT_QUEUE_TIMEOUT = Duration.ofSeconds(30);

    /**
     * The limits that the user asked for; null where one is to be derived.
     *
     * @param connections how many connections the pool has at the most
     */
    record Requested(
            @Nullable Integer connections,
            @Nullable Integer bulk,
            @Nullable Integer queueLimit,
            @Nullable Duration queueTimeout) {}

    public ConcurrencyLimits {
        OptionRange.check("--bulk-reads", bulk, 1, MAX_CONNECTIONS);
        OptionRange.check("--connections", bulk + shortRequests, 2, MAX_CONNECTIONS);
        OptionRange.check("--queue-limit", queueLimit, 0, MAX_QUEUE);
        OptionRange.check("--queue-timeout", queueTimeout, MIN_QUEUE_TIMEOUT, MAX_QUEUE_TIMEOUT);
        if (clients < 1) {
            throw new IllegalArgumentException("clients " + clients + ": at least 1");
        }
    }

    /**
     * Returns how many transfers of a kind may run at once: each holds a buffer of 64 KiB, and as much again on its
     * way.
     */
    public int transfers(long heapBytes) {
        return clamp(heapBytes / HEAP_BYTES_A_TRANSFER, MIN_TRANSFERS, MAX_TRANSFERS);
    }

    /** Returns the number of connections. */
    int connections() {
        return bulk + shortRequests;
    }

    /**
     * Returns how many clients may be connected: twice those whose requests run or wait, and idle ones, as far as
     * memory allows.
     */
    private static int clients(long heapBytes, int connections, int queueLimit) {
        return clamp(
                heapBytes / HEAP_BYTES_A_CLIENT, 1, 2 * (connections + queueLimit) + IDLE_CLIENTS);
    }

    /**
     * Derives the limits that the user left open.
     *
     * @param heapBytes the size of the heap
     * @param database what the database has left
     */
    static ConcurrencyLimits derive(
            long heapBytes, ConnectionAllowance database, Requested requested) {
        int streams = clamp(heapBytes / HEAP_BYTES_A_STREAM, 1, MAX_DEFAULT_BULK);
        int connections = connections(streams, database, requested);
        int bulk =
                requested.bulk() != null
                        ? OptionRange.check("--bulk-reads", requested.bulk(), 1, connections - 1)
                        : Math.min(
                                streams,
                                connections - clamp(connections / 8, 1, MAX_DEFAULT_SHORT));
        int queueLimit =
                requested.queueLimit() != null
                        ? OptionRange.check("--queue-limit", requested.queueLimit(), 0, MAX_QUEUE)
                        : clamp(heapBytes / HEAP_BYTES_A_WAITING_REQUEST, 64, MAX_DEFAULT_QUEUE);
        return new ConcurrencyLimits(
                bulk,
                connections - bulk,
                queueLimit,
                requested.queueTimeout() != null ? requested.queueTimeout() : DEFAULT_QUEUE_TIMEOUT,
                clients(heapBytes, connections, queueLimit));
    }

    private static int connections(int streams, ConnectionAllowance database, Requested requested) {
        if (requested.connections() != null) {
            int wanted =
                    OptionRange.check("--connections", requested.connections(), 2, MAX_CONNECTIONS);
            requireFree("--connections " + wanted, "lower --connections", wanted, database);
            return wanted;
        }
        if (requested.bulk() != null) {
            int bulk = OptionRange.check("--bulk-reads", requested.bulk(), 1, MAX_CONNECTIONS - 1);
            requireFree("--bulk-reads " + bulk, "lower --bulk-reads", bulk + 1, database);
            int shortRequests = clamp(database.free() - bulk, 1, MAX_DEFAULT_SHORT);
            return Math.min(bulk + shortRequests, MAX_CONNECTIONS);
        }
        requireFree("Penstock", "end some of its clients", 2, database);
        return clamp(database.sensible(), 2, streams + MAX_DEFAULT_SHORT);
    }

    private static void requireFree(
            String who, String remedy, int wanted, ConnectionAllowance database) {
        if (wanted > database.free()) {
            throw new StartupException(
                    who
                            + " needs "
                            + wanted
                            + " connections, but the database has "
                            + database.free()
                            + " left for this user: "
                            + remedy
                            + ", or raise the database's limit");
        }
    }

    private static int clamp(long value, int least, int most) {
        return Math.clamp(value, least, most);
    }
}
