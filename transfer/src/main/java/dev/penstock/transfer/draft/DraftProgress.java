package dev.penstock.transfer.draft;

import dev.penstock.http.Exchange;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The progress of an append, as its client is told: the offset that the store keeps whatever happens. At first once a
 * second at most, and half as often after each {@link #BATCH} times, so that an append of hours stays within the number
 * of informational responses that a request may have. For the request's thread.
 */
final class DraftProgress implements LongConsumer {
    private static final int BATCH = 90;
    private static final long FIRST_INTERVAL_NANOS = 1_000_000_000L;

    private final Exchange exchange;
    private final DraftVersion version;
    private final LongSupplier nanoTime;
    private long intervalNanos = FIRST_INTERVAL_NANOS;
    private long toldNanos;
    private int count;

    DraftProgress(Exchange exchange, DraftVersion version, LongSupplier nanoTime) {
        this.exchange = exchange;
        this.version = version;
        this.nanoTime = nanoTime;
        toldNanos = nanoTime.getAsLong();
    }

    @Override
    public void accept(long offset) {
        long now = nanoTime.getAsLong();
        if (now - toldNanos < intervalNanos) {
            return;
        }
        toldNanos = now;
        if (++count % BATCH == 0) {
            intervalNanos *= 2;
        }
        exchange.inform(
                104,
                DraftRequest.VERSION,
                Integer.toString(version.number()),
                DraftRequest.OFFSET,
                Long.toString(offset));
    }
}
