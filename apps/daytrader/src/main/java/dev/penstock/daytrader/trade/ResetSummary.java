package dev.penstock.daytrader.trade;

/** The number of rows that a reset of the trade data has deleted, and of those that are left. */
public record ResetSummary(
        int deletedUsers,
        int deletedHoldings,
        int deletedOrders,
        int users,
        int holdings,
        int orders) {}
