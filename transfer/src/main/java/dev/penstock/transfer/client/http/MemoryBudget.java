package dev.penstock.transfer.client.http;

import java.util.concurrent.Semaphore;

/**
 * The memory that all transfers of a client share, as a number of connections that may be in use at once.
 *
 * <p>A transfer waits for its first connection, first come first served, and takes further ones only while there are
 * any, so that no transfer waits for another that waits for it.
 */
public final class MemoryBudget {
    private final Semaphore connections;

    /**
     * A budget.
     *
     * @throws IllegalArgumentException when it is less than one connection takes
     */
    public MemoryBudget(long bytes, long bytesPerConnection) {
        long count = bytes / bytesPerConnection;
        if (count < 1) {
            throw new IllegalArgumentException(
                    ("A memory budget of %d bytes holds no connection, which takes %d: give it more, or make the"
                                    + " HTTP/2 window (jdk.httpclient.windowsize) smaller")
                            .formatted(bytes, bytesPerConnection));
        }
        connections = new Semaphore((int) Math.min(count, 1 << 20), true);
    }

    /** Takes one connection, waiting for it. */
    public void acquire() throws InterruptedException {
        connections.acquire();
    }

    /** Takes one more connection, if there is one at once. */
    public boolean tryAcquire() {
        return connections.tryAcquire();
    }

    /** Gives one connection back. */
    public void release() {
        connections.release();
    }
}
