package dev.penstock.daytrader.trade;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

/**
 * The market at a moment.
 *
 * @param average the average price of all stocks, called TSIA
 * @param openAverage the same of the prices at which the day began
 * @param gainers the five whose price has risen most, the first first
 * @param losers the five whose price has fallen most
 */
public record MarketSummary(
        BigDecimal average,
        BigDecimal openAverage,
        double volume,
        List<Quote> gainers,
        List<Quote> losers,
        Instant date) {
    public MarketSummary {
        gainers = List.copyOf(gainers);
        losers = List.copyOf(losers);
    }

    /** The rise of the average, in percent. */
    public double gainPercent() {
        return openAverage.signum() == 0
                ? 0
                : 100 * (average.doubleValue() / openAverage.doubleValue() - 1);
    }
}
