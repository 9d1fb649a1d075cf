package dev.penstock.daytrader.store;

import dev.penstock.daytrader.trade.TradeServices;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;

/**
 * The rows of the sample users on their way into the database. Accounts, holdings and orders are numbered from 1. For
 * one thread.
 */
final class UserRows implements AutoCloseable {
    private final RowReader rows = new RowReader();
    private final String passwordHash;
    private final Instant now;
    private final PreparedStatement profiles;
    private final PreparedStatement accounts;
    private final PreparedStatement holdings;
    private final PreparedStatement orders;
    private final Population.Batch profileBatch;
    private final Population.Batch accountBatch;
    private final Population.Batch holdingBatch;
    private final Population.Batch orderBatch;
    private int holdingCount;

    UserRows(Connection connection, String passwordHash, Instant now) throws SQLException {
        this.passwordHash = passwordHash;
        this.now = now;
        profiles =
                connection.prepareStatement(
                        "INSERT INTO accountprofileejb (userid, passwd, fullname, address, email,"
                                + " creditcard) VALUES (?, ?, ?, ?, ?, ?)");
        accounts =
                connection.prepareStatement(
                        "INSERT INTO accountejb (accountid, profile_userid, creationdate, lastlogin,"
                                + " logincount, logoutcount, balance, openbalance)"
                                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
        holdings =
                connection.prepareStatement(
                        "INSERT INTO holdingejb (holdingid, purchaseprice, quantity, purchasedate,"
                                + " account_accountid, quote_symbol) VALUES (?, ?, ?, ?, ?, ?)");
        orders =
                connection.prepareStatement(
                        "INSERT INTO orderejb (orderid, ordertype, orderstatus, opendate,"
                                + " completiondate, quantity, price, orderfee, account_accountid,"
                                + " quote_symbol, holding_holdingid)"
                                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        profileBatch = new Population.Batch(connection, profiles);
        accountBatch = new Population.Batch(connection, accounts);
        holdingBatch = new Population.Batch(connection, holdings);
        orderBatch = new Population.Batch(connection, orders);
    }

    void holding(int user, int quote, int shares, long priceCents) throws SQLException {
        holdingCount++;
        BigDecimal price = BigDecimal.valueOf(priceCents, 2);
        holdings.setInt(1, holdingCount);
        holdings.setBigDecimal(2, price);
        holdings.setDouble(3, shares);
        rows.setTime(holdings, 4, now);
        holdings.setInt(5, user + 1);
        holdings.setString(6, "s:" + quote);
        var _ = holdingBatch.add();
        orders.setInt(1, holdingCount);
        orders.setString(2, "buy");
        orders.setString(3, "completed");
        rows.setTime(orders, 4, now);
        rows.setTime(orders, 5, now);
        orders.setDouble(6, shares);
        orders.setBigDecimal(7, price);
        orders.setBigDecimal(8, TradeServices.ORDER_FEE);
        orders.setInt(9, user + 1);
        orders.setString(10, "s:" + quote);
        orders.setInt(11, holdingCount);
        var _ = orderBatch.add();
    }

    /** Takes a user, and returns whether rows were sent. */
    boolean user(int user, long balanceCents, long spentCents) throws SQLException {
        String userID = "uid:" + user;
        profiles.setString(1, userID);
        profiles.setString(2, passwordHash);
        profiles.setString(3, "First:" + user + " Last:" + user);
        profiles.setString(4, user + " Main Street, Anytown");
        profiles.setString(5, userID + "@example.com");
        profiles.setString(6, "%04d-%04d-%04d-%04d".formatted(user / 10_000, user % 10_000, 0, 0));
        var _ = profileBatch.add();
        accounts.setInt(1, user + 1);
        accounts.setString(2, userID);
        rows.setTime(accounts, 3, now);
        rows.setTime(accounts, 4, now);
        accounts.setInt(5, 0);
        accounts.setInt(6, 0);
        accounts.setBigDecimal(7, BigDecimal.valueOf(balanceCents, 2));
        accounts.setBigDecimal(8, BigDecimal.valueOf(balanceCents + spentCents, 2));
        return accountBatch.add();
    }

    /** Sends what is left, and returns the number of holdings. */
    int end() throws SQLException {
        profileBatch.end();
        accountBatch.end();
        holdingBatch.end();
        orderBatch.end();
        return holdingCount;
    }

    @Override
    public void close() throws SQLException {
        try (profiles;
                accounts;
                holdings;
                orders) {
            holdingCount = 0;
        }
    }
}
