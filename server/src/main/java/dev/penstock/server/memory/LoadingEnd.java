package dev.penstock.server.memory;

import dev.penstock.server.config.StartupException;
import dev.penstock.snapshot.ChangeFeed;
import java.time.Duration;

/**
 * The orderly end of a feed where a signal ends the JVM while tables are loaded: a replication slot that was made for
 * them would hold the database's log for ever. The JVM waits for that, for a few seconds at the most, until this is
 * closed, once others listen to signals.
 */
final class LoadingEnd implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final ChangeFeed feed;
    private final Thread hook =
            Thread.ofPlatform().name("penstock-loading-end").unstarted(this::end);
    private volatile boolean begun;

    private LoadingEnd(ChangeFeed feed) {
        this.feed = feed;
    }

    /** Begins to listen. */
    static LoadingEnd of(ChangeFeed feed) {
        LoadingEnd end = new LoadingEnd(feed);
        try {
            Runtime.getRuntime().addShutdownHook(end.hook);
        } catch (IllegalStateException e) {
            // It ends already.
            end.begun = true;
        }
        return end;
    }

    private void end() {
        begun = true;
        // A feed that is being started may wait for the database.
        Thread closing = Thread.ofPlatform().daemon().name("penstock-feed-end").start(feed::close);
        try {
            boolean _ = closing.join(LONGEST);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Does nothing unless a signal has come.
     *
     * @throws StartupException if one has: what was loaded, or failed to be, is of no use any more
     */
    void check() {
        if (begun) {
            throw new StartupException("a signal ended it while it loaded tables into memory");
        }
    }

    @Override
    public void close() {
        try {
            boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // It runs, and the JVM ends behind it.
        }
    }
}
