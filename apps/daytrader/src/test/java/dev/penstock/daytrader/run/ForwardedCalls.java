package dev.penstock.daytrader.run;

import dev.penstock.daytrader.trade.TradeServices;
import dev.penstock.service.ServiceCall;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Calls that others answer, for tests that change some of them. */
public abstract class ForwardedCalls implements TradeCalls {
    /** Those that answer. */
    protected final TradeCalls calls;

    protected ForwardedCalls(TradeCalls calls) {
        this.calls = calls;
    }

    @Override
    public <T extends @Nullable Object> T call(
            Part part, ServiceCall<TradeServices, T, SQLException> call) throws SQLException {
        return calls.call(part, call);
    }

    @Override
    public <T> CompletableFuture<T> async(
            Part part, ServiceCall<TradeServices, T, SQLException> call) {
        return calls.async(part, call);
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
