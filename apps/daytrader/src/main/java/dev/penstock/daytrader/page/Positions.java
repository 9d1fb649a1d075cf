package dev.penstock.daytrader.page;

import dev.penstock.daytrader.run.TradeCalls;
import dev.penstock.daytrader.run.TradeCalls.Part;
import dev.penstock.daytrader.trade.Holding;
import dev.penstock.daytrader.trade.Quote;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A user's holdings with what they are worth now.
 *
 * @param worth of all
 * @param paid for all, without fees
 */
public record Positions(List<Position> list, BigDecimal worth, BigDecimal paid) {
    /** A holding and what its shares cost now. */
    public record Position(Holding holding, BigDecimal price, BigDecimal worth, BigDecimal paid) {
        /** The profit, negative for a loss. */
        public BigDecimal gain() {
            return worth.subtract(paid);
        }
    }

    public Positions {
        list = List.copyOf(list);
    }

    /** The profit of all positions, negative for a loss. */
    public BigDecimal gain() {
        return worth.subtract(paid);
    }

    static Positions of(TradeCalls calls, String userID) throws SQLException {
        List<Holding> holdings = calls.call(Part.TRADES, services -> services.getHoldings(userID));
        Map<String, BigDecimal> prices = new HashMap<>();
        List<String> symbols = holdings.stream().map(Holding::symbol).distinct().toList();
        for (Quote quote : calls.quotes(symbols)) {
            prices.put(quote.symbol(), quote.price());
        }
        List<Position> list = new ArrayList<>();
        BigDecimal worth = BigDecimal.ZERO;
        BigDecimal paid = BigDecimal.ZERO;
        for (Holding holding : holdings) {
            BigDecimal price = prices.getOrDefault(holding.symbol(), holding.purchasePrice());
            Position position =
                    new Position(
                            holding,
                            price,
                            holding.worth(price),
                            holding.worth(holding.purchasePrice()));
            list.add(position);
            worth = worth.add(position.worth());
            paid = paid.add(position.paid());
        }
        return new Positions(list, worth, paid);
    }
}
