package dev.penstock.daytrader.trade;

import java.math.BigDecimal;
import java.time.Instant;

/** Shares that an account holds, as they were bought by one order. */
public record Holding(
        int holdingID,
        int accountID,
        String symbol,
        double quantity,
        BigDecimal purchasePrice,
        Instant purchaseDate) {
    /** Returns whether an order to sell it is open: then its purchase date is the epoch. */
    public boolean isBeingSold() {
        return purchaseDate.equals(Instant.EPOCH);
    }

    /** The value of all its shares at a price. */
    public BigDecimal worth(BigDecimal price) {
        return price.multiply(BigDecimal.valueOf((long) quantity));
    }
}
