package dev.penstock.transfer.draft;

import dev.penstock.http.Exchange;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/**
 * The settings of the protocol, beside its store.
 *
 * @param maxBytes of one upload, as clients are told; nothing where there is no limit
 * @param location of an upload, a URI reference, by a request and the upload's identifier
 * @param clock the time by which uploads expire
 * @param nanoTime the time by which progress is told, as {@link System#nanoTime} has it
 * @param interim whether clients are told of location and progress by 104
 */
public record DraftSettings(
        OptionalLong maxBytes,
        BiFunction<Exchange, String, String> location,
        InstantSource clock,
        LongSupplier nanoTime,
        boolean interim) {
    /** Settings on the system's clocks. */
    public DraftSettings(OptionalLong maxBytes, BiFunction<Exchange, String, String> location) {
        this(maxBytes, location, InstantSource.system(), System::nanoTime, true);
    }
}
