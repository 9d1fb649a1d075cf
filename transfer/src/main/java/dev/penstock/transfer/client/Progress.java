package dev.penstock.transfer.client;

/**
 * A listener of one transfer.
 *
 * <p>It is called on the threads that move the bytes, one call at a time, so it must return soon; what it throws ends
 * the transfer.
 */
@FunctionalInterface
public interface Progress {
    /** A listener that does nothing. */
    Progress NONE = event -> {};

    /** Is told what has happened. */
    void on(TransferEvent event);
}
