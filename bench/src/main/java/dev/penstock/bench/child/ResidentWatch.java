package dev.penstock.bench.child;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The most resident memory that a child's process has while this is open. */
public final class ResidentWatch implements AutoCloseable {
    private static final long PERIOD_MILLISECONDS = 200;

    private final Child<?> child;
    private final Thread thread;
    private volatile long most;

    /** Begins to watch. */
    public ResidentWatch(Child<?> child) {
        this.child = child;
        thread = Thread.ofPlatform().name("resident memory").daemon().start(this::watch);
    }

    private void watch() {
        try {
            while (true) {
                most = Math.max(most, child.residentBytes());
                TimeUnit.MILLISECONDS.sleep(PERIOD_MILLISECONDS);
            }
        } catch (IOException e) {
            // The process has gone.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the most so far, in bytes. */
    public long mostBytes() {
        return most;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
