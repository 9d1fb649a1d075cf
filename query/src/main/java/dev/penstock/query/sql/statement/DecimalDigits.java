package dev.penstock.query.sql.statement;

import java.math.BigDecimal;

/**
 * The number of digits that a number has at most.
 *
 * @param whole before the point
 * @param fraction after it
 */
public record DecimalDigits(int whole, int fraction) {
    public int all() {
        return whole + fraction;
    }

    public static DecimalDigits of(BigDecimal number) {
        int fraction = Math.max(number.scale(), 0);
        return new DecimalDigits(Math.max(number.precision() - number.scale(), 1), fraction);
    }
}
