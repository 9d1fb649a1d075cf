package dev.penstock.server.memory;

import dev.penstock.query.QueryException;
import dev.penstock.snapshot.RefreshFailures;
import dev.penstock.snapshot.Snapshot;
import java.io.IOException;
import java.time.Duration;

/**
 * A keeper of the file from which a server's tables in memory start: on a thread of its own, it brings the tables up to
 * date after a start from the file, and saves those that are newer. Thread-safe.
 */
final class SavedTables implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.penstock.server");

    /** The interval between two savings: each writes all tables. */
    private static final Duration PAUSE = Duration.ofMinutes(10);

    /** The interval after which what failed is tried again; twice as long after each failure more, up to 16 times. */
    private static final Duration RETRY = Duration.ofMinutes(1);

    private static final int MOST_DOUBLINGS = 4;

    /** The time for which closing waits until an unfinished file is deleted. */
    private static final Duration END = Duration.ofSeconds(2);

    private final Snapshot snapshot;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("penstock-memory-file").unstarted(this::run);

    /** The number of the version that the file holds; 0 for none. Used by the thread alone. */
    private long saved;

    private volatile boolean closed;

    /** Failures in a row, of saving too. Used by the thread alone. */
    private int failed;

    /** Those of bringing the tables of the file up to date. */
    private volatile RefreshFailures failures = RefreshFailures.NONE;

    private SavedTables(Snapshot snapshot) {
        this.snapshot = snapshot;
    }

    /** Begins to keep the file that a snapshot has. */
    static SavedTables start(Snapshot snapshot) {
        SavedTables tables = new SavedTables(snapshot);
        // First, since a refresh may come between the two.
        long number = snapshot.version().number();
        tables.saved = snapshot.isFromFile() ? number : 0;
        tables.thread.start();
        return tables;
    }

    private void run() {
        try {
            while (!closed) {
                Duration pause = keep() ? PAUSE : pause(failed);
                if (!closed) {
                    Thread.sleep(pause);
                }
            }
        } catch (InterruptedException e) {
            // It was closed.
        }
    }

    /** Returns how long to wait after so many failures in a row. */
    static Duration pause(int failures) {
        return RETRY.multipliedBy(1L << Math.clamp(failures - 1, 0, MOST_DOUBLINGS));
    }

    /** Returns whether the tables and their file are as new as they should be. */
    private boolean keep() {
        String what = "The tables that came from a file can't be brought up to date: ";
        try {
            if (snapshot.isFromFile()) {
                snapshot.refresh();
            }
            failures = RefreshFailures.NONE;
            what = "The tables in memory can't be saved to their file: ";
            if (!closed && snapshot.version().number() != saved) {
                saved = snapshot.save().number();
            }
            failed = 0;
            return true;
        } catch (IOException | RuntimeException e) {
            failed(what, e);
        } catch (OutOfMemoryError e) {
            // Without this thread, the tables would stay as the file had them.
            failed(what, e);
        }
        return false;
    }

    private void failed(String what, Throwable e) {
        if (closed) {
            return;
        }
        failed++;
        if (snapshot.isFromFile()) {
            RuntimeException last =
                    e instanceof RuntimeException failure
                            ? failure
                            : new IllegalStateException(e.toString(), e);
            failures = new RefreshFailures(failed, last);
        }
        LOG.log(
                System.Logger.Level.WARNING,
                what + (e instanceof QueryException ? e.getMessage() : e));
    }

    /** Returns how often in a row the tables that came from the file could not be brought up to date, and why. */
    RefreshFailures failures() {
        return failures;
    }

    /** Has what is being refreshed or saved end, and keeps the file no more: it stays as it is. */
    void stop() {
        closed = true;
        thread.interrupt();
    }

    /** Stops, and waits a moment until an unfinished file is deleted. */
    @Override
    public void close() {
        stop();
        try {
            thread.join(END);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
