package dev.penstock.daytrader.trade;

import java.math.BigDecimal;
import java.time.Instant;

/** The account of a user: its money, and how often the user came and went. */
public record Account(
        int accountID,
        String userID,
        Instant creationDate,
        Instant lastLogin,
        int loginCount,
        int logoutCount,
        BigDecimal balance,
        BigDecimal openBalance) {}
