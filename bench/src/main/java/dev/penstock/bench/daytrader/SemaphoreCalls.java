package dev.penstock.bench.daytrader;

import dev.penstock.daytrader.run.DirectCalls;
import dev.penstock.daytrader.run.TradeCalls;
import dev.penstock.daytrader.store.TradeStore;
import dev.penstock.daytrader.trade.TradeServices;
import dev.penstock.service.ServiceCall;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Calls on a new object each, of which a fair semaphore lets so many run at once. */
final class SemaphoreCalls implements TradeCalls {
    private final DirectCalls calls;
    private final Semaphore permits;

    SemaphoreCalls(TradeStore store, int atOnce) {
        calls = new DirectCalls(store);
        permits = new Semaphore(atOnce, true);
    }

    @Override
    public <T extends @Nullable Object> T call(
            Part part, ServiceCall<TradeServices, T, SQLException> call) throws SQLException {
        permits.acquireUninterruptibly();
        try {
            return calls.call(part, call);
        } finally {
            permits.release();
        }
    }

    @Override
    public <T> CompletableFuture<T> async(
            Part part, ServiceCall<TradeServices, T, SQLException> call) {
        return calls.async(
                part,
                services -> {
                    permits.acquireUninterruptibly();
                    try {
                        return call.call(services);
                    } finally {
                        permits.release();
                    }
                });
    }

    @Override
    public boolean isReady() {
        return calls.isReady();
    }

    @Override
    public void close() {
        calls.close();
    }
}
