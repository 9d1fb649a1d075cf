package dev.penstock.daytrader.store;

import static java.util.Objects.requireNonNull;

import dev.penstock.daytrader.trade.Account;
import dev.penstock.daytrader.trade.Holding;
import dev.penstock.daytrader.trade.Order;
import dev.penstock.daytrader.trade.Quote;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Calendar;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;

/**
 * The columns of each table, and the reading of a row of them. Times are those of UTC, whatever the JVM's zone. For one
 * thread.
 */
final class RowReader {
    static final String QUOTE = "symbol, companyname, price, open1, low, high, change1, volume";
    static final String ACCOUNT =
            "accountid, profile_userid, creationdate, lastlogin, logincount, logoutcount, balance, openbalance";
    static final String HOLDING =
            "h.holdingid, h.account_accountid, h.quote_symbol, h.quantity, h.purchaseprice, h.purchasedate";
    static final String ORDER =
            "o.orderid, o.account_accountid, o.ordertype, o.orderstatus, o.opendate, o.completiondate,"
                    + " o.quote_symbol, o.quantity, o.price, o.orderfee, o.holding_holdingid";

    private final Calendar utc = Calendar.getInstance(TimeZone.getTimeZone("UTC"));

    Quote quote(ResultSet row) throws SQLException {
        return new Quote(
                text(row, 1),
                text(row, 2),
                money(row, 3),
                money(row, 4),
                money(row, 5),
                money(row, 6),
                row.getDouble(7),
                row.getDouble(8));
    }

    Account account(ResultSet row) throws SQLException {
        return new Account(
                row.getInt(1),
                text(row, 2),
                requireNonNull(time(row, 3)),
                requireNonNull(time(row, 4)),
                row.getInt(5),
                row.getInt(6),
                money(row, 7),
                money(row, 8));
    }

    Holding holding(ResultSet row) throws SQLException {
        return new Holding(
                row.getInt(1),
                row.getInt(2),
                text(row, 3),
                row.getDouble(4),
                money(row, 5),
                requireNonNull(time(row, 6)));
    }

    Order order(ResultSet row) throws SQLException {
        int holding = row.getInt(11);
        Integer holdingID = row.wasNull() ? null : (Integer) holding;
        return new Order(
                row.getInt(1),
                row.getInt(2),
                Order.Type.of(text(row, 3)),
                Order.Status.of(text(row, 4)),
                requireNonNull(time(row, 5)),
                time(row, 6),
                text(row, 7),
                row.getDouble(8),
                money(row, 9),
                money(row, 10),
                holdingID);
    }

    void setTime(PreparedStatement statement, int index, Instant time) throws SQLException {
        statement.setTimestamp(index, Timestamp.from(time), utc);
    }

    static BigDecimal money(ResultSet row, int index) throws SQLException {
        return requireNonNull(row.getBigDecimal(index));
    }

    static String text(ResultSet row, int index) throws SQLException {
        return requireNonNull(row.getString(index));
    }

    private @Nullable Instant time(ResultSet row, int index) throws SQLException {
        Timestamp time = row.getTimestamp(index, utc);
        return time == null ? null : time.toInstant();
    }
}
