package dev.penstock.transfer.store;

import dev.penstock.transfer.digest.ExpectedDigest;
import java.nio.channels.ReadableByteChannel;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;

/**
 * Bytes that are to be added to an upload.
 *
 * @param bodyLength as announced; nothing where it is not known
 * @param isLast whether the upload is complete behind them
 * @param digest that they must have, all or nothing
 * @param progress told the offset that was reached, at most every 256 KiB
 */
public record Append(
        ReadableByteChannel body,
        OptionalLong bodyLength,
        boolean isLast,
        Optional<ExpectedDigest> digest,
        LongConsumer progress) {}
