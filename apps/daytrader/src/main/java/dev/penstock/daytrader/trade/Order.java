package dev.penstock.daytrader.trade;

import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An order to buy or to sell.
 *
 * @param completionDate when it was closed; null before
 * @param price of one share, when it was submitted
 * @param fee in money, whatever the quantity
 * @param holdingID of the shares that it has bought or sells; null for an order to buy that is open
 */
public record Order(
        int orderID,
        int accountID,
        Type type,
        Status status,
        Instant openDate,
        @Nullable Instant completionDate,
        String symbol,
        double quantity,
        BigDecimal price,
        BigDecimal fee,
        @Nullable Integer holdingID) {
    /** The kinds of orders. */
    public enum Type {
        BUY("buy"),
        SELL("sell");

        private final String word;

        Type(String word) {
            this.word = word;
        }

        /** The word in the table. */
        public String word() {
            return word;
        }

        /** The type of a word in the table. */
        public static Type of(String word) {
            return word.equals(BUY.word) ? BUY : SELL;
        }
    }

    /** The states of an order: open, closed, completed once its user has seen that; or cancelled while open. */
    public enum Status {
        OPEN("open"),
        CLOSED("closed"),
        COMPLETED("completed"),
        CANCELLED("cancelled");

        private final String word;

        Status(String word) {
            this.word = word;
        }

        /** The word in the table. */
        public String word() {
            return word;
        }

        /**
         * The status of a word in the table.
         *
         * @throws IllegalArgumentException if it is none
         */
        public static Status of(String word) {
            for (Status status : values()) {
                if (status.word.equals(word)) {
                    return status;
                }
            }
            throw new IllegalArgumentException("An order's status is '" + word + "'");
        }
    }

    /** The amount that the account pays for it, or gets if it is negative. */
    public BigDecimal total() {
        BigDecimal shares = price.multiply(BigDecimal.valueOf((long) quantity));
        return type == Type.BUY ? shares.add(fee) : fee.subtract(shares);
    }
}
