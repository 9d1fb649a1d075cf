package dev.penstock.transfer.client;

import java.net.URI;
import java.time.Duration;
import java.util.OptionalLong;

/** An event of a transfer, for its {@link Progress}. */
public sealed interface TransferEvent {
    /**
     * The beginning of a transfer.
     *
     * @param total the length of the whole in bytes, if it is known
     */
    record Started(URI uri, OptionalLong total) implements TransferEvent {}

    /**
     * A number of bytes that have moved.
     *
     * @param bytes that have moved of the whole, those of earlier runs included; less than before after a restart, or
     *     where bytes must be sent again
     */
    record Moved(long bytes, OptionalLong total) implements TransferEvent {}

    /**
     * An interruption, after which the transfer will be tried again.
     *
     * @param why in a sentence
     * @param in the wait until then
     */
    record Retrying(String why, Duration in) implements TransferEvent {}

    /**
     * The continuation of a transfer in its middle.
     *
     * @param offset bytes that are there and are not moved again
     */
    record Resumed(long offset) implements TransferEvent {}

    /**
     * A new beginning of a transfer, at its first byte.
     *
     * @param why in a sentence
     */
    record Restarted(String why) implements TransferEvent {}

    /**
     * A digest that the server has stated, and that was compared and is right.
     *
     * @param algorithm as in RFC 9530, such as {@code sha-256}
     */
    record Verified(String algorithm) implements TransferEvent {}
}
