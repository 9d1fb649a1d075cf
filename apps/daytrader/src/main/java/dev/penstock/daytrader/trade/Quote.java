package dev.penstock.daytrader.trade;

import java.math.BigDecimal;

/**
 * A stock and what it costs now.
 *
 * @param symbol such as {@code s:0}
 * @param open the price at which the day began
 * @param change the price less {@code open}
 * @param volume the number of shares that were traded
 */
public record Quote(
        String symbol,
        String companyName,
        BigDecimal price,
        BigDecimal open,
        BigDecimal low,
        BigDecimal high,
        double change,
        double volume) {
    /** The change in percent of the price at which the day began. */
    public double changePercent() {
        return open.signum() == 0 ? 0 : 100 * change / open.doubleValue();
    }
}
