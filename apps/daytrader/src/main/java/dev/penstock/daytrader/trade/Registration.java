package dev.penstock.daytrader.trade;

import java.math.BigDecimal;

/** The data of somebody who wants an account. */
public record Registration(AccountProfile profile, String password, BigDecimal openBalance) {
    /** Leaves the password out. */
    @Override
    public String toString() {
        return "Registration[" + profile.userID() + ", " + openBalance + "]";
    }
}
