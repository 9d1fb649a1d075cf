package dev.penstock.daytrader.run;

import dev.penstock.daytrader.store.TradeStore;
import dev.penstock.daytrader.trade.TradeServices;
import dev.penstock.service.ServiceCall;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Calls on a new object each, as the public application makes them. How many run at once is the caller's business, and
 * how many connections that takes the data source's; at most 500 that were asked for by {@link #async} are there at
 * once.
 */
public final class DirectCalls implements TradeCalls {
    private static final int MOST_LATER = 500;

    private final TradeStore store;
    private final Semaphore later = new Semaphore(MOST_LATER);
    private final AtomicBoolean closed = new AtomicBoolean();

    public DirectCalls(TradeStore store) {
        this.store = store;
    }

    @Override
    public <T extends @Nullable Object> T call(
            Part part, ServiceCall<TradeServices, T, SQLException> call) throws SQLException {
        try (TradeServices services = store.services()) {
            return call.call(services);
        }
    }

    @Override
    public <T> CompletableFuture<T> async(
            Part part, ServiceCall<TradeServices, T, SQLException> call) {
        CompletableFuture<T> future = new CompletableFuture<>();
        if (closed.get() || !later.tryAcquire()) {
            future.completeExceptionally(
                    new RejectedExecutionException(
                            "%d calls run already, or the application is closed"
                                    .formatted(MOST_LATER)));
            return future;
        }
        Thread.startVirtualThread(() -> {
            try {
                future.complete(call(part, call));
            } catch (SQLException | RuntimeException | Error e) {
                future.completeExceptionally(e);
            } finally {
                later.release();
            }
        });
        return future;
    }

    @Override
    public boolean isReady() {
        return !closed.get();
    }

    /** Takes no more calls for later, and waits for those that run. Closing twice does no harm. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            later.acquireUninterruptibly(MOST_LATER);
        }
    }
}
