package dev.penstock.bench.waits;

import java.io.IOException;

/** The most resident memory that a server's process has while this is open. */
final class ResidentWatch implements AutoCloseable {
    private static final long PERIOD_MILLISECONDS = 200;

    private final WaitUnderTest server;
    private final Thread thread;
    private volatile long most;

    ResidentWatch(WaitUnderTest server) {
        this.server = server;
        thread = Thread.ofPlatform().name("resident memory").daemon().start(this::watch);
    }

    private void watch() {
        try {
            while (true) {
                most = Math.max(most, server.residentBytes());
                Thread.sleep(PERIOD_MILLISECONDS);
            }
        } catch (IOException e) {
            // The process has gone.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** In bytes. */
    long most() {
        return most;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
