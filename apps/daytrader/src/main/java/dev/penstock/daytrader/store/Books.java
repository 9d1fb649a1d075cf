package dev.penstock.daytrader.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules that accounts, holdings, orders and stocks keep at any moment, checked by the database, so that nothing is
 * held in memory: no money and no share is lost or made. Each rule is a query of the rows that break it.
 */
public final class Books {
    private static final int MOST_SHOWN = 5;

    private record Rule(String broken, String sql) {}

    private static final List<Rule> RULES =
            List.of(
                    new Rule(
                            "accounts whose balance is not their open balance less bought plus sold less fees",
                            """
                            SELECT a.accountid FROM accountejb a LEFT JOIN
                                (SELECT account_accountid AS account, SUM(CASE WHEN ordertype = 'buy'
                                    THEN CAST(quantity AS DECIMAL(12, 0)) * price + orderfee
                                    ELSE orderfee - CAST(quantity AS DECIMAL(12, 0)) * price END) AS paid
                                FROM orderejb WHERE orderstatus <> 'cancelled' GROUP BY account_accountid) o
                            ON o.account = a.accountid
                            WHERE a.openbalance - COALESCE(o.paid, 0) <> a.balance\
                            """),
                    new Rule(
                            "holdings that no closed order has bought",
                            """
                            SELECT h.holdingid FROM holdingejb h LEFT JOIN orderejb o
                            ON o.holding_holdingid = h.holdingid AND o.ordertype = 'buy'
                                AND o.orderstatus IN ('closed', 'completed')
                                AND o.account_accountid = h.account_accountid
                                AND o.quote_symbol = h.quote_symbol
                                AND o.quantity = h.quantity AND o.price = h.purchaseprice
                            WHERE o.orderid IS NULL\
                            """),
                    new Rule(
                            "holdings that several orders have bought or sell",
                            """
                            SELECT holding_holdingid FROM orderejb
                            WHERE orderstatus <> 'cancelled' AND holding_holdingid IS NOT NULL
                            GROUP BY holding_holdingid, ordertype HAVING COUNT(*) > 1\
                            """),
                    new Rule(
                            "bought shares that are neither held nor sold, or are both",
                            """
                            SELECT b.orderid FROM orderejb b
                            LEFT JOIN holdingejb h ON h.holdingid = b.holding_holdingid
                            LEFT JOIN orderejb s ON s.holding_holdingid = b.holding_holdingid
                                AND s.ordertype = 'sell' AND s.orderstatus IN ('closed', 'completed')
                            WHERE b.ordertype = 'buy' AND b.orderstatus IN ('closed', 'completed')
                                AND ((h.holdingid IS NULL AND s.orderid IS NULL)
                                    OR (h.holdingid IS NOT NULL AND s.orderid IS NOT NULL))\
                            """),
                    new Rule(
                            "sold shares that were not bought by the same account",
                            """
                            SELECT s.orderid FROM orderejb s LEFT JOIN orderejb b
                            ON b.holding_holdingid = s.holding_holdingid AND b.ordertype = 'buy'
                                AND b.account_accountid = s.account_accountid
                                AND b.quote_symbol = s.quote_symbol AND b.quantity = s.quantity
                            WHERE s.ordertype = 'sell' AND b.orderid IS NULL\
                            """),
                    new Rule(
                            "open orders to sell without a holding that is being sold",
                            """
                            SELECT s.orderid FROM orderejb s LEFT JOIN holdingejb h
                            ON h.holdingid = s.holding_holdingid AND h.purchasedate < {day}
                            WHERE s.ordertype = 'sell' AND s.orderstatus = 'open'
                                AND h.holdingid IS NULL\
                            """),
                    new Rule(
                            "holdings that are being sold without an open order",
                            """
                            SELECT h.holdingid FROM holdingejb h LEFT JOIN orderejb s
                            ON s.holding_holdingid = h.holdingid AND s.ordertype = 'sell'
                                AND s.orderstatus = 'open'
                            WHERE h.purchasedate < {day} AND s.orderid IS NULL\
                            """),
                    new Rule(
                            "open orders to buy that have shares, or closed ones without",
                            """
                            SELECT orderid FROM orderejb WHERE ordertype = 'buy'
                                AND ((orderstatus IN ('open', 'cancelled') AND holding_holdingid IS NOT NULL)
                                OR (orderstatus IN ('closed', 'completed') AND holding_holdingid IS NULL))\
                            """),
                    new Rule(
                            "orders with another fee, a wrong type or quantity, or without an account",
                            """
                            SELECT o.orderid FROM orderejb o
                            LEFT JOIN accountejb a ON a.accountid = o.account_accountid
                            WHERE a.accountid IS NULL OR o.orderfee <> 24.95 OR o.quantity < 1
                                OR o.ordertype NOT IN ('buy', 'sell')\
                            """),
                    new Rule(
                            "accounts without a profile",
                            """
                            SELECT a.accountid FROM accountejb a LEFT JOIN accountprofileejb p
                            ON p.userid = a.profile_userid WHERE p.userid IS NULL\
                            """),
                    new Rule(
                            "profiles without an account",
                            """
                            SELECT p.userid FROM accountprofileejb p LEFT JOIN accountejb a
                            ON p.userid = a.profile_userid WHERE a.accountid IS NULL\
                            """),
                    new Rule(
                            "stocks whose price is not between low and high, or whose change is wrong",
                            """
                            SELECT symbol FROM quoteejb WHERE price < low OR price > high OR price < 0.01
                                OR ABS(change1 - (price - open1)) > 0.001\
                            """));

    private static final Rule NOT_NEGATIVE =
            new Rule(
                    "accounts with a negative balance",
                    "SELECT accountid FROM accountejb WHERE balance < 0");

    private Books() {}

    /**
     * The result of a check.
     *
     * @param broken a sentence for each rule that is broken, with the first rows that break it; empty if the books
     *     balance
     */
    public record Report(List<String> broken) {
        public Report {
            broken = List.copyOf(broken);
        }

        /** Returns whether no money and no share was lost or made. */
        public boolean isBalanced() {
            return broken.isEmpty();
        }
    }

    static Report check(Connection connection, boolean mayBeNegative) throws SQLException {
        List<Rule> rules = new ArrayList<>(RULES);
        if (!mayBeNegative) {
            rules.add(NOT_NEGATIVE);
        }
        List<String> broken = new ArrayList<>();
        for (Rule rule : rules) {
            List<String> rows = rows(connection, rule.sql);
            if (!rows.isEmpty()) {
                broken.add("There are " + rule.broken + ": " + String.join(", ", rows));
            }
        }
        return new Report(broken);
    }

    private static List<String> rows(Connection connection, String sql) throws SQLException {
        // The epoch is before this day, whatever the zone.
        String query = sql.replace("{day}", "TIMESTAMP('1971-01-01 00:00:00')");
        if (SqlDialect.of(connection) != SqlDialect.DERBY) {
            query =
                    query.replace(
                            "TIMESTAMP('1971-01-01 00:00:00')", "TIMESTAMP '1971-01-01 00:00:00'");
        }
        try (Statement statement = connection.createStatement()) {
            statement.setMaxRows(MOST_SHOWN);
            try (ResultSet rows = statement.executeQuery(query)) {
                List<String> found = new ArrayList<>();
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
                return found;
            }
        }
    }
}
