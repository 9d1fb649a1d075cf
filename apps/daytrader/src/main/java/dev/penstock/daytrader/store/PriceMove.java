package dev.penstock.daytrader.store;

import dev.penstock.daytrader.trade.Quote;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.random.RandomGenerator;

/** The rule by which a trade moves the price of a stock. */
final class PriceMove {
    private static final BigDecimal PENNY = new BigDecimal("0.01");
    private static final BigDecimal OF_PENNY = new BigDecimal("600");
    private static final BigDecimal HIGHEST = new BigDecimal("400");
    private static final BigDecimal OF_HIGHEST = new BigDecimal("0.5");
    private static final int DIGITS = 2;

    private PriceMove() {}

    /** Returns a factor of 0.90 to 1.10. */
    static BigDecimal factor(RandomGenerator random) {
        return BigDecimal.valueOf(90 + random.nextInt(21), DIGITS);
    }

    /** Returns the stock as it is after a trade of so many shares. */
    static Quote apply(Quote before, BigDecimal factor, double shares) {
        BigDecimal used = factor;
        if (before.price().compareTo(PENNY) <= 0) {
            used = OF_PENNY;
        } else if (before.price().compareTo(HIGHEST) > 0) {
            used = OF_HIGHEST;
        }
        BigDecimal price =
                before.price().multiply(used).setScale(DIGITS, RoundingMode.HALF_UP).max(PENNY);
        return new Quote(
                before.symbol(),
                before.companyName(),
                price,
                before.open(),
                before.low().min(price),
                before.high().max(price),
                price.subtract(before.open()).doubleValue(),
                before.volume() + shares);
    }
}
