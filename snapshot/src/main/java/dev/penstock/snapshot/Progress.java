package dev.penstock.snapshot;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * The progress of the loading of a table.
 *
 * @param table its name
 * @param rows how many rows have been read
 * @param bytes what all tables take in memory outside the heap at the moment, of every version that can still be
 *     reached
 * @param elapsed since the loading of all tables began
 * @param done whether the table is complete
 */
public record Progress(String table, long rows, long bytes, Duration elapsed, boolean done) {
    public Progress {
        requireNonNull(table);
        requireNonNull(elapsed);
    }

    /**
     * A listener to the loading, called by several threads, but one at a time, a few times a second for each table and
     * once when it is complete.
     */
    @FunctionalInterface
    public interface Listener {
        /** Takes notice, and should be quick about it: the loading waits. What it throws ends the loading. */
        void loading(Progress progress);
    }
}
