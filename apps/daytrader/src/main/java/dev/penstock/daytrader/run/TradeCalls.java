package dev.penstock.daytrader.run;

import dev.penstock.daytrader.trade.Quote;
import dev.penstock.daytrader.trade.TradeServices;
import dev.penstock.service.ServiceCall;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A way to call the services: on an object of its own, or on one of a pool. Thread-safe. */
public interface TradeCalls extends AutoCloseable {
    /** The kind of a call, by which pools may be split. */
    enum Part {
        /** Reading of stocks and the market. */
        QUOTES,
        /** Logins and registrations, which hash passwords. */
        USERS,
        /** Everything else. */
        TRADES
    }

    /** Calls the services once. */
    <T extends @Nullable Object> T call(Part part, ServiceCall<TradeServices, T, SQLException> call)
            throws SQLException;

    /** Calls the services once, later. */
    <T> CompletableFuture<T> async(Part part, ServiceCall<TradeServices, T, SQLException> call);

    /** Returns those of some stocks that there are, in their order. */
    default List<Quote> quotes(List<String> symbols) throws SQLException {
        return call(Part.QUOTES, services -> services.getQuotes(symbols));
    }

    /** Returns whether calls are answered now. */
    boolean isReady();

    @Override
    void close();
}
