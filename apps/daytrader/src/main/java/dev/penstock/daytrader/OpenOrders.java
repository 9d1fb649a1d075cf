package dev.penstock.daytrader;

import dev.penstock.daytrader.run.TradeCalls;
import dev.penstock.daytrader.run.TradeCalls.Part;
import dev.penstock.daytrader.trade.Order;
import dev.penstock.daytrader.trade.TradeException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The completion of orders that were left open, since their completion was refused or has failed. Few are completed at
 * once, so that most instances are there for pages. Used by one thread, and stopped by any.
 */
final class OpenOrders {
    static final int MOST_AT_ONCE = 4;

    private static final System.Logger LOG = System.getLogger("dev.penstock.daytrader");

    private final TradeCalls calls;
    private volatile boolean stopped;

    OpenOrders(TradeCalls calls) {
        this.calls = calls;
    }

    /** Completes all orders that were submitted some time ago, and returns when each was tried once. */
    void complete(long olderThanMillis) throws SQLException {
        int last = 0;
        int failures = 0;
        @Nullable Throwable first = null;
        while (!stopped) {
            int after = last;
            List<Integer> open =
                    calls.call(
                            Part.TRADES, services -> services.getLeftOpen(olderThanMillis, after));
            if (open.isEmpty()) {
                break;
            }
            for (int i = 0; i < open.size() && !stopped; i += MOST_AT_ONCE) {
                int end = Math.min(i + MOST_AT_ONCE, open.size());
                for (CompletableFuture<Order> completion : started(open.subList(i, end))) {
                    Throwable failure = failure(completion);
                    if (failure != null) {
                        failures++;
                        first = first == null ? failure : first;
                    }
                }
            }
            last = open.getLast();
        }
        if (first != null) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "%,d open orders can't be completed now, and stay open; the first because of"
                            .formatted(failures),
                    first);
        }
    }

    private List<CompletableFuture<Order>> started(List<Integer> orders) {
        return orders.stream()
                .map(order -> calls.async(Part.TRADES, trade -> trade.completeOrder(order)))
                .toList();
    }

    /** Waits, and returns why an order is still open; null if it is not, by whomever. */
    private static @Nullable Throwable failure(CompletableFuture<Order> completion) {
        try {
            var _ = completion.join();
            return null;
        } catch (CompletionException e) {
            Throwable cause = e.getCause();
            return cause instanceof TradeException ? null : cause == null ? e : cause;
        }
    }

    /** Begins no more completions; those that run come to their end. */
    void stop() {
        stopped = true;
    }
}
