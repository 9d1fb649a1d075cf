package dev.penstock.snapshot.load;

import java.time.Duration;

/** A listener that is told how far the loading of each table is, by several threads, but one at a time. */
@FunctionalInterface
public interface LoadListener {
    /**
     * Takes notice of rows that were read.
     *
     * @param table the name of their table
     * @param rows how many of it have been read
     * @param bytes what all tables take in memory at the moment
     * @param elapsed since the loading of all tables began
     * @param done whether the table is complete
     */
    void loading(String table, long rows, long bytes, Duration elapsed, boolean done);
}
