package dev.penstock.transfer.tus;

import dev.penstock.http.Exchange;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Settings of the protocol.
 *
 * @param maxBytes the largest upload
 * @param owner to whom the uploads of a request belong
 * @param location the URL, or path, of the upload of an identifier, for the {@code Location} of a response
 */
public record TusSettings(
        long maxBytes,
        Function<Exchange, String> owner,
        BiFunction<Exchange, String, String> location) {}
