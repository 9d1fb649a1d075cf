package dev.penstock.daytrader.store;

import static dev.penstock.daytrader.store.RowReader.text;
import static dev.penstock.daytrader.store.TradeConnection.first;

import dev.penstock.daytrader.trade.Account;
import dev.penstock.daytrader.trade.AccountProfile;
import dev.penstock.daytrader.trade.Credentials;
import dev.penstock.daytrader.trade.ResetSummary;
import dev.penstock.daytrader.trade.TradeException;
import dev.penstock.daytrader.trade.TradeException.Kind;
import dev.penstock.daytrader.trade.TradeServices;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** The statements about users, their profiles and accounts. For one thread. */
final class Users {
    private static final String REGISTERED =
            "profile_userid LIKE '" + TradeServices.REGISTERED + "%'";

    /** Only a reset counts logins like this, and it ends with these accounts gone. */
    private static final String MARKED = REGISTERED + " AND logincount = -1";

    private final TradeStore store;
    private final RowReader rows;

    Users(TradeStore store, RowReader rows) {
        this.store = store;
        this.rows = rows;
    }

    Account account(Connection on, String userID) throws SQLException {
        Account account =
                first(
                        on,
                        "SELECT " + RowReader.ACCOUNT + " FROM accountejb WHERE profile_userid = ?",
                        statement -> statement.setString(1, userID),
                        rows::account);
        if (account == null) {
            throw noUser(userID);
        }
        return account;
    }

    AccountProfile profile(Connection on, String userID) throws SQLException {
        AccountProfile profile =
                first(
                        on,
                        "SELECT userid, fullname, address, email, creditcard FROM accountprofileejb"
                                + " WHERE userid = ?",
                        statement -> statement.setString(1, userID),
                        row ->
                                new AccountProfile(
                                        text(row, 1),
                                        text(row, 2),
                                        text(row, 3),
                                        text(row, 4),
                                        text(row, 5)));
        if (profile == null) {
            throw noUser(userID);
        }
        return profile;
    }

    /** The ones that are stored; MariaDB and Derby find a user whose ID is followed by spaces, too. */
    @Nullable Credentials credentials(Connection on, String userID) throws SQLException {
        return first(
                on,
                "SELECT userid, passwd FROM accountprofileejb WHERE userid = ?",
                statement -> statement.setString(1, userID),
                row -> new Credentials(text(row, 1), text(row, 2)));
    }

    /**
     * Changes a profile.
     *
     * @param passwordHash empty to keep the old one
     */
    AccountProfile update(Connection on, AccountProfile profile, String passwordHash)
            throws SQLException {
        int changed =
                TradeConnection.update(
                        on,
                        "UPDATE accountprofileejb SET fullname = ?, address = ?, email = ?, creditcard = ?"
                                + " WHERE userid = ?",
                        statement -> {
                            statement.setString(1, profile.fullName());
                            statement.setString(2, profile.address());
                            statement.setString(3, profile.email());
                            statement.setString(4, profile.creditCard());
                            statement.setString(5, profile.userID());
                        });
        if (!passwordHash.isEmpty()) {
            TradeConnection.update(
                    on,
                    "UPDATE accountprofileejb SET passwd = ? WHERE userid = ?",
                    statement -> {
                        statement.setString(1, passwordHash);
                        statement.setString(2, profile.userID());
                    });
        }
        // MariaDB counts a row that is as it was before as one that was found.
        if (changed > 1) {
            throw new SQLException("There are %d profiles of a user".formatted(changed));
        }
        return profile(on, profile.userID());
    }

    /** Holds no account while it looks at the password: on Derby it would wait for others who hold that. */
    Account countLogin(Connection on, Credentials checked) throws SQLException {
        String userID = checked.userID();
        // It may have been changed while it was compared.
        if (!checked.equals(credentials(on, userID))) {
            throw TradeException.wrongPassword();
        }
        TradeConnection.update(
                on,
                "UPDATE accountejb SET lastlogin = ?, logincount = logincount + 1 WHERE profile_userid = ?",
                statement -> {
                    rows.setTime(statement, 1, now());
                    statement.setString(2, userID);
                });
        return account(on, userID);
    }

    int countLogout(Connection on, String userID) throws SQLException {
        return TradeConnection.update(
                on,
                "UPDATE accountejb SET logoutcount = logoutcount + 1 WHERE profile_userid = ?",
                statement -> statement.setString(1, userID));
    }

    Account register(
            Connection on, AccountProfile profile, String passwordHash, BigDecimal openBalance)
            throws SQLException {
        int accountID = store.keys().account(on);
        TradeConnection.update(
                on,
                "INSERT INTO accountprofileejb (userid, passwd, fullname, address, email, creditcard)"
                        + " VALUES (?, ?, ?, ?, ?, ?)",
                statement -> {
                    statement.setString(1, profile.userID());
                    statement.setString(2, passwordHash);
                    statement.setString(3, profile.fullName());
                    statement.setString(4, profile.address());
                    statement.setString(5, profile.email());
                    statement.setString(6, profile.creditCard());
                });
        Instant now = now();
        TradeConnection.update(
                on,
                "INSERT INTO accountejb (accountid, profile_userid, creationdate, lastlogin,"
                        + " logincount, logoutcount, balance, openbalance) VALUES (?, ?, ?, ?, 0, 0, ?, ?)",
                statement -> {
                    statement.setInt(1, accountID);
                    statement.setString(2, profile.userID());
                    rows.setTime(statement, 3, now);
                    rows.setTime(statement, 4, now);
                    statement.setBigDecimal(5, openBalance);
                    statement.setBigDecimal(6, openBalance);
                });
        return account(on, profile.userID());
    }

    /**
     * Deletes the registered users and what is theirs. Their accounts are locked and marked first: what trades with
     * them is done then, or waits; and who is registered from then on is not marked, and stays.
     */
    ResetSummary reset(Connection on) throws SQLException {
        TradeConnection.update(
                on, "UPDATE accountejb SET logincount = -1 WHERE " + REGISTERED, _ -> {});
        String marked = " IN (SELECT accountid FROM accountejb WHERE " + MARKED + ")";
        int orders = delete(on, "orderejb WHERE account_accountid" + marked);
        int holdings = delete(on, "holdingejb WHERE account_accountid" + marked);
        delete(
                on,
                "accountprofileejb WHERE userid IN (SELECT profile_userid FROM accountejb WHERE "
                        + MARKED
                        + ")");
        int users = delete(on, "accountejb WHERE " + MARKED);
        TradeConnection.update(
                on, "UPDATE accountejb SET logincount = 0, logoutcount = 0", _ -> {});
        return new ResetSummary(
                users,
                holdings,
                orders,
                count(on, "accountejb"),
                count(on, "holdingejb"),
                count(on, "orderejb"));
    }

    private static int delete(Connection on, String what) throws SQLException {
        return TradeConnection.update(on, "DELETE FROM " + what, _ -> {});
    }

    private static int count(Connection on, String table) throws SQLException {
        Integer count = first(on, "SELECT COUNT(*) FROM " + table, _ -> {}, row -> row.getInt(1));
        return count == null ? 0 : count;
    }

    private Instant now() {
        return store.clock().instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private static TradeException noUser(String userID) {
        return new TradeException(Kind.NOT_FOUND, "There is no user '%s'.".formatted(userID));
    }
}
