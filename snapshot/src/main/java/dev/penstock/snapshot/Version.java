package dev.penstock.snapshot;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;

/**
 * The tables of a snapshot as they were at one moment.
 *
 * @param number counted from 1
 * @param loaded when its loading began
 * @param took how long that took
 * @param rows of all its tables
 * @param bytes of all its tables, outside the heap, without indexes
 */
public record Version(long number, Instant loaded, Duration took, long rows, long bytes) {
    public Version {
        requireNonNull(loaded);
        requireNonNull(took);
    }
}
