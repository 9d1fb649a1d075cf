package dev.penstock.daytrader.store;

import static dev.penstock.daytrader.store.TradeConnection.first;
import static dev.penstock.daytrader.store.TradeConnection.list;
import static dev.penstock.daytrader.store.TradeConnection.update;
import static java.util.Objects.requireNonNull;

import dev.penstock.daytrader.trade.MarketSummary;
import dev.penstock.daytrader.trade.Quote;
import dev.penstock.daytrader.trade.TradeException;
import dev.penstock.daytrader.trade.TradeException.Kind;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The statements about stocks and the market. For one thread. */
final class Stocks {
    private static final int TOP = 5;
    private static final String BY_SYMBOL =
            "SELECT " + RowReader.QUOTE + " FROM quoteejb WHERE symbol = ?";

    private final TradeStore store;
    private final RowReader rows;

    Stocks(TradeStore store, RowReader rows) {
        this.store = store;
        this.rows = rows;
    }

    MarketSummary summary(Connection on) throws SQLException {
        record Totals(@Nullable BigDecimal price, @Nullable BigDecimal open, double volume) {}
        Totals totals =
                requireNonNull(
                        first(
                                on,
                                "SELECT AVG(price), AVG(open1), SUM(volume) FROM quoteejb",
                                _ -> {},
                                row ->
                                        new Totals(
                                                row.getBigDecimal(1),
                                                row.getBigDecimal(2),
                                                row.getDouble(3))));
        return new MarketSummary(
                average(totals.price),
                average(totals.open),
                totals.volume,
                top(on, "change1 DESC"),
                top(on, "change1"),
                store.clock().instant());
    }

    private static BigDecimal average(@Nullable BigDecimal exact) {
        return exact == null ? BigDecimal.ZERO : exact.setScale(2, RoundingMode.HALF_UP);
    }

    private List<Quote> top(Connection on, String order) throws SQLException {
        return list(
                on,
                "SELECT "
                        + RowReader.QUOTE
                        + " FROM quoteejb ORDER BY "
                        + order
                        + ", symbol"
                        + store.dialect().limit(TOP),
                _ -> {},
                rows::quote);
    }

    Quote create(Connection on, String symbol, String companyName, BigDecimal price)
            throws SQLException {
        update(
                on,
                "INSERT INTO quoteejb (symbol, companyname, price, open1, low, high, volume, change1)"
                        + " VALUES (?, ?, ?, ?, ?, ?, 0, 0)",
                statement -> {
                    statement.setString(1, symbol);
                    statement.setString(2, companyName);
                    for (int i = 3; i <= 6; i++) {
                        statement.setBigDecimal(i, price);
                    }
                });
        return quote(on, symbol);
    }

    Quote quote(Connection on, String symbol) throws SQLException {
        Quote quote = find(on, symbol);
        if (quote == null) {
            throw new TradeException(Kind.NOT_FOUND, "There is no stock '%s'.".formatted(symbol));
        }
        return quote;
    }

    private @Nullable Quote find(Connection on, String symbol) throws SQLException {
        return first(on, BY_SYMBOL, statement -> statement.setString(1, symbol), rows::quote);
    }

    List<Quote> quotes(Connection on, Collection<String> symbols) throws SQLException {
        List<Quote> quotes = new ArrayList<>();
        for (String symbol : symbols) {
            Quote quote = find(on, symbol);
            if (quote != null) {
                quotes.add(quote);
            }
        }
        return quotes;
    }

    List<Quote> all(Connection on) throws SQLException {
        return list(
                on,
                "SELECT " + RowReader.QUOTE + " FROM quoteejb ORDER BY symbol",
                _ -> {},
                rows::quote);
    }

    /**
     * Moves the price of a stock. Who moves it at the same time makes this one look again; also where the price is back
     * at what it was, since low and high may have moved.
     *
     * @throws TradeException if there is no such stock
     */
    Quote move(Connection on, String symbol, BigDecimal factor, double shares) throws SQLException {
        while (true) {
            Quote before = quote(on, symbol);
            Quote after = PriceMove.apply(before, factor, shares);
            int changed =
                    update(
                            on,
                            "UPDATE quoteejb SET price = ?, low = ?, high = ?, change1 = ?,"
                                    + " volume = volume + ? WHERE symbol = ? AND price = ?"
                                    + " AND low = ? AND high = ?",
                            statement -> {
                                statement.setBigDecimal(1, after.price());
                                statement.setBigDecimal(2, after.low());
                                statement.setBigDecimal(3, after.high());
                                statement.setDouble(4, after.change());
                                statement.setDouble(5, shares);
                                statement.setString(6, symbol);
                                statement.setBigDecimal(7, before.price());
                                statement.setBigDecimal(8, before.low());
                                statement.setBigDecimal(9, before.high());
                            });
            if (changed == 1) {
                return after;
            }
        }
    }
}
