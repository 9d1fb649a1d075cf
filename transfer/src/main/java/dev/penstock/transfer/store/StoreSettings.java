package dev.penstock.transfer.store;

import dev.penstock.transfer.Durability;
import java.time.Duration;
import java.time.InstantSource;

/**
 * The limits and policies of a store. Immutable; {@link #defaults} has them, and each {@code with…} gives a copy in
 * which one differs.
 *
 * @param durability when bytes are forced; {@link Durability#ACKNOWLEDGED} by default, and everywhere but on Linux,
 *     where alone a restart of the process can be told from one of the machine
 * @param limits how much may be kept
 * @param unfinishedAge after so long without a request an upload that is not complete is removed; 24 hours
 * @param finishedAge so long the state of a complete one can still be asked for; 24 hours
 * @param sweepInterval how often a thread of the store removes what has expired; one minute. Zero for none: then the
 *     owner calls {@link UploadStore#sweep}
 * @param clock the time
 */
public record StoreSettings(
        Durability durability,
        StoreLimits limits,
        Duration unfinishedAge,
        Duration finishedAge,
        Duration sweepInterval,
        InstantSource clock) {
    private static final Duration DAY = Duration.ofDays(1);

    /** Checks them. */
    public StoreSettings {
        requirePositive("unfinishedAge", unfinishedAge);
        requirePositive("finishedAge", finishedAge);
        if (sweepInterval.isNegative()) {
            throw new IllegalArgumentException(
                    "sweepInterval is %s; it must not be negative, and is zero for no thread"
                            .formatted(sweepInterval));
        }
    }

    /** The settings that hold unless others are given. */
    public static StoreSettings defaults() {
        return new StoreSettings(
                Durability.ACKNOWLEDGED,
                StoreLimits.defaults(),
                DAY,
                DAY,
                Duration.ofMinutes(1),
                InstantSource.system());
    }

    /** Forces bytes at other moments. */
    public StoreSettings withDurability(Durability value) {
        return new StoreSettings(value, limits, unfinishedAge, finishedAge, sweepInterval, clock);
    }

    /** Has other limits. */
    public StoreSettings withLimits(StoreLimits value) {
        return new StoreSettings(
                durability, value, unfinishedAge, finishedAge, sweepInterval, clock);
    }

    /** Keeps uploads for another time: those that are not complete, and the state of those that are. */
    public StoreSettings withAges(Duration unfinished, Duration finished) {
        return new StoreSettings(durability, limits, unfinished, finished, sweepInterval, clock);
    }

    /** Removes what has expired so often; zero for not by itself. */
    public StoreSettings withSweepInterval(Duration value) {
        return new StoreSettings(durability, limits, unfinishedAge, finishedAge, value, clock);
    }

    /** Takes the time from elsewhere. */
    public StoreSettings withClock(InstantSource value) {
        return new StoreSettings(
                durability, limits, unfinishedAge, finishedAge, sweepInterval, value);
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(
                    "%s is %s; it must be longer than zero".formatted(name, value));
        }
    }
}
