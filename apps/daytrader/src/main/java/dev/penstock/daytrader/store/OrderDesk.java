package dev.penstock.daytrader.store;

import static dev.penstock.daytrader.store.TradeConnection.first;
import static dev.penstock.daytrader.store.TradeConnection.update;

import dev.penstock.daytrader.trade.Holding;
import dev.penstock.daytrader.trade.Order;
import dev.penstock.daytrader.trade.OrderMode;
import dev.penstock.daytrader.trade.Quote;
import dev.penstock.daytrader.trade.TradeException;
import dev.penstock.daytrader.trade.TradeException.Kind;
import dev.penstock.daytrader.trade.TradeServices;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The submitting, completing and cancelling of orders, each within a transaction. For one thread.
 *
 * <p>Rows are locked in the order account, order, holding, stock. Each statement that takes something, money, an open
 * order or a holding, finds it as it has to be or changes no row, so that two who want the same can't both have it.
 */
final class OrderDesk {
    private static final String TAKE =
            "UPDATE accountejb SET balance = balance - ? WHERE accountid = ?";
    private static final String ONLY_IF_THERE = " AND balance >= ?";

    private final TradeStore store;
    private final RowReader rows;
    private final Stocks stocks;

    OrderDesk(TradeStore store, RowReader rows, Stocks stocks) {
        this.store = store;
        this.rows = rows;
        this.stocks = stocks;
    }

    /** An order and the stock whose price it has moved; null while the order is open. */
    record Result(Order order, @Nullable Quote moved) {}

    Result buy(Connection connection, String userID, String symbol, double quantity, OrderMode mode)
            throws SQLException {
        int orderID = store.keys().order(connection);
        int holdingID = mode == OrderMode.SYNCHRONOUS ? store.keys().holding(connection) : 0;
        int accountID = accountID(connection, userID);
        Quote quote = stocks.quote(connection, symbol);
        Order order =
                new Order(
                        orderID,
                        accountID,
                        Order.Type.BUY,
                        Order.Status.OPEN,
                        now(),
                        null,
                        quote.symbol(),
                        quantity,
                        quote.price(),
                        TradeServices.ORDER_FEE,
                        null);
        charge(connection, order);
        insert(connection, order);
        return mode == OrderMode.SYNCHRONOUS
                ? complete(connection, order, holdingID)
                : new Result(order, null);
    }

    Result sell(Connection connection, String userID, int holdingID, OrderMode mode)
            throws SQLException {
        int orderID = store.keys().order(connection);
        int accountID = accountID(connection, userID);
        Holding holding = holding(connection, holdingID, accountID);
        if (holding.isBeingSold()) {
            throw beingSold(holdingID);
        }
        Quote quote = stocks.quote(connection, holding.symbol());
        Order order =
                new Order(
                        orderID,
                        accountID,
                        Order.Type.SELL,
                        Order.Status.OPEN,
                        now(),
                        null,
                        quote.symbol(),
                        holding.quantity(),
                        quote.price(),
                        TradeServices.ORDER_FEE,
                        holdingID);
        charge(connection, order);
        insert(connection, order);
        markAsBeingSold(connection, holding);
        return mode == OrderMode.SYNCHRONOUS
                ? complete(connection, order, holdingID)
                : new Result(order, null);
    }

    Result complete(Connection connection, int orderID) throws SQLException {
        int holdingID = store.keys().holding(connection);
        return complete(connection, order(connection, orderID), holdingID);
    }

    /**
     * Closes an order.
     *
     * @param newHoldingID for the shares, if it is one to buy
     */
    private Result complete(Connection connection, Order order, int newHoldingID)
            throws SQLException {
        int holdingID = order.holdingID() == null ? newHoldingID : order.holdingID();
        Instant now = now();
        int closed =
                update(
                        connection,
                        "UPDATE orderejb SET orderstatus = 'closed', completiondate = ?,"
                                + " holding_holdingid = ? WHERE orderid = ? AND orderstatus = 'open'",
                        statement -> {
                            rows.setTime(statement, 1, now);
                            statement.setInt(2, holdingID);
                            statement.setInt(3, order.orderID());
                        });
        if (closed != 1) {
            throw notOpen(order.orderID());
        }
        if (order.type() == Order.Type.BUY) {
            insertHolding(connection, order, holdingID, now);
        } else {
            deleteHolding(connection, order, holdingID);
        }
        Quote moved =
                stocks.move(
                        connection,
                        order.symbol(),
                        PriceMove.factor(store.random()),
                        order.quantity());
        Order after =
                new Order(
                        order.orderID(),
                        order.accountID(),
                        order.type(),
                        Order.Status.CLOSED,
                        order.openDate(),
                        now,
                        order.symbol(),
                        order.quantity(),
                        order.price(),
                        order.fee(),
                        holdingID);
        return new Result(after, moved);
    }

    Order cancel(Connection connection, int orderID) throws SQLException {
        Order order = order(connection, orderID);
        if (order.status() != Order.Status.OPEN) {
            throw notOpen(orderID);
        }
        // Before the order is taken, since rows are locked in this order; if another was first, all
        // is undone.
        take(connection, order, order.total().negate());
        int cancelled =
                update(
                        connection,
                        "UPDATE orderejb SET orderstatus = 'cancelled', completiondate = ?"
                                + " WHERE orderid = ? AND orderstatus = 'open'",
                        statement -> {
                            rows.setTime(statement, 1, now());
                            statement.setInt(2, orderID);
                        });
        if (cancelled != 1) {
            throw notOpen(orderID);
        }
        if (order.type() == Order.Type.SELL) {
            restoreHolding(connection, order);
        }
        return order(connection, orderID);
    }

    Order order(Connection connection, int orderID) throws SQLException {
        Order order =
                first(
                        connection,
                        "SELECT " + RowReader.ORDER + " FROM orderejb o WHERE o.orderid = ?",
                        statement -> statement.setInt(1, orderID),
                        rows::order);
        if (order == null) {
            throw new TradeException(Kind.NOT_FOUND, "There is no order %d.".formatted(orderID));
        }
        return order;
    }

    static int accountID(Connection connection, String userID) throws SQLException {
        Integer found =
                first(
                        connection,
                        "SELECT accountid FROM accountejb WHERE profile_userid = ?",
                        statement -> statement.setString(1, userID),
                        row -> row.getInt(1));
        if (found == null) {
            throw new TradeException(Kind.NOT_FOUND, "There is no user '%s'.".formatted(userID));
        }
        return found;
    }

    private Holding holding(Connection connection, int holdingID, int accountID)
            throws SQLException {
        Holding holding =
                first(
                        connection,
                        "SELECT "
                                + RowReader.HOLDING
                                + " FROM holdingejb h WHERE h.holdingid = ? AND h.account_accountid = ?",
                        statement -> {
                            statement.setInt(1, holdingID);
                            statement.setInt(2, accountID);
                        },
                        rows::holding);
        if (holding == null) {
            throw new TradeException(
                    Kind.NOT_FOUND,
                    "You have no holding %d; it may have been sold already.".formatted(holdingID));
        }
        return holding;
    }

    /** Takes what an order costs, or gives what it brings. */
    private void charge(Connection connection, Order order) throws SQLException {
        take(connection, order, order.total());
    }

    private void take(Connection connection, Order order, BigDecimal amount) throws SQLException {
        // Whoever is in debt may be given money.
        boolean mayBeNegative = store.isLikeTheOriginal() || amount.signum() <= 0;
        int changed =
                update(
                        connection,
                        mayBeNegative ? TAKE : TAKE + ONLY_IF_THERE,
                        statement -> {
                            statement.setBigDecimal(1, amount);
                            statement.setInt(2, order.accountID());
                            if (!mayBeNegative) {
                                statement.setBigDecimal(3, amount);
                            }
                        });
        if (changed != 1) {
            throw new TradeException(
                    Kind.CONFLICT,
                    "The balance is too small: %s are needed for %,d shares of %s, the fee of %s included."
                            .formatted(
                                    amount, (long) order.quantity(), order.symbol(), order.fee()));
        }
    }

    private void insert(Connection connection, Order order) throws SQLException {
        update(
                connection,
                "INSERT INTO orderejb (orderid, ordertype, orderstatus, opendate, quantity, price,"
                        + " orderfee, account_accountid, quote_symbol, holding_holdingid)"
                        + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                statement -> {
                    statement.setInt(1, order.orderID());
                    statement.setString(2, order.type().word());
                    statement.setString(3, order.status().word());
                    rows.setTime(statement, 4, order.openDate());
                    statement.setDouble(5, order.quantity());
                    statement.setBigDecimal(6, order.price());
                    statement.setBigDecimal(7, order.fee());
                    statement.setInt(8, order.accountID());
                    statement.setString(9, order.symbol());
                    if (order.holdingID() == null) {
                        statement.setNull(10, Types.INTEGER);
                    } else {
                        statement.setInt(10, order.holdingID());
                    }
                });
    }

    private void insertHolding(Connection connection, Order order, int holdingID, Instant now)
            throws SQLException {
        update(
                connection,
                "INSERT INTO holdingejb (holdingid, purchaseprice, quantity, purchasedate,"
                        + " account_accountid, quote_symbol) VALUES (?, ?, ?, ?, ?, ?)",
                statement -> {
                    statement.setInt(1, holdingID);
                    statement.setBigDecimal(2, order.price());
                    statement.setDouble(3, order.quantity());
                    rows.setTime(statement, 4, now);
                    statement.setInt(5, order.accountID());
                    statement.setString(6, order.symbol());
                });
    }

    private static void deleteHolding(Connection connection, Order order, int holdingID)
            throws SQLException {
        int deleted =
                update(
                        connection,
                        "DELETE FROM holdingejb WHERE holdingid = ? AND account_accountid = ?",
                        statement -> {
                            statement.setInt(1, holdingID);
                            statement.setInt(2, order.accountID());
                        });
        if (deleted != 1) {
            throw new TradeException(
                    Kind.CONFLICT,
                    "Order %d sells holding %d, which is not there."
                            .formatted(order.orderID(), holdingID));
        }
    }

    private void markAsBeingSold(Connection connection, Holding holding) throws SQLException {
        int marked =
                update(
                        connection,
                        "UPDATE holdingejb SET purchasedate = ? WHERE holdingid = ?"
                                + " AND account_accountid = ? AND purchasedate <> ?",
                        statement -> {
                            rows.setTime(statement, 1, Instant.EPOCH);
                            statement.setInt(2, holding.holdingID());
                            statement.setInt(3, holding.accountID());
                            rows.setTime(statement, 4, Instant.EPOCH);
                        });
        if (marked != 1) {
            throw beingSold(holding.holdingID());
        }
    }

    /** Makes a holding that was sold exist again. The time of its purchase is lost, so it becomes the present time. */
    private void restoreHolding(Connection connection, Order order) throws SQLException {
        int restored =
                update(
                        connection,
                        "UPDATE holdingejb SET purchasedate = ? WHERE holdingid = ?"
                                + " AND account_accountid = ?",
                        statement -> {
                            rows.setTime(statement, 1, now());
                            statement.setObject(2, order.holdingID(), Types.INTEGER);
                            statement.setInt(3, order.accountID());
                        });
        if (restored != 1) {
            throw new TradeException(
                    Kind.CONFLICT,
                    "The shares of order %d are not there.".formatted(order.orderID()));
        }
    }

    private Instant now() {
        return store.clock().instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private static TradeException beingSold(int holdingID) {
        return new TradeException(
                Kind.CONFLICT, "Holding %d is being sold already.".formatted(holdingID));
    }

    private static TradeException notOpen(int orderID) {
        return new TradeException(
                Kind.CONFLICT,
                "Order %d is not open any more: it was completed or cancelled.".formatted(orderID));
    }
}
