package dev.penstock.daytrader.store;

import static dev.penstock.daytrader.store.TradeConnection.first;
import static dev.penstock.daytrader.store.TradeConnection.list;
import static dev.penstock.daytrader.store.TradeConnection.update;
import static java.util.Objects.requireNonNull;

import dev.penstock.daytrader.trade.Account;
import dev.penstock.daytrader.trade.AccountProfile;
import dev.penstock.daytrader.trade.Credentials;
import dev.penstock.daytrader.trade.Holding;
import dev.penstock.daytrader.trade.MarketSummary;
import dev.penstock.daytrader.trade.Order;
import dev.penstock.daytrader.trade.OrderMode;
import dev.penstock.daytrader.trade.Quote;
import dev.penstock.daytrader.trade.Registration;
import dev.penstock.daytrader.trade.ResetSummary;
import dev.penstock.daytrader.trade.TradeException;
import dev.penstock.daytrader.trade.TradeException.Kind;
import dev.penstock.daytrader.trade.TradeServices;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The services in plain JDBC. For one thread at a time; several objects share a {@link TradeStore}. */
final class JdbcTrade implements TradeServices {
    private final TradeStore store;
    private final TradeConnection connection;
    private final RowReader rows = new RowReader();
    private final Stocks stocks;
    private final OrderDesk desk;
    private final Users users;

    JdbcTrade(TradeStore store, boolean holdsConnection) {
        this.store = store;
        this.connection = new TradeConnection(store.source(), store.isolation(), holdsConnection);
        this.stocks = new Stocks(store, rows);
        this.desk = new OrderDesk(store, rows, stocks);
        this.users = new Users(store, rows);
    }

    void open() throws SQLException {
        connection.open();
    }

    @Override
    public MarketSummary getMarketSummary() throws SQLException {
        return store.summary(this);
    }

    MarketSummary readSummary() throws SQLException {
        return connection.read(stocks::summary);
    }

    @Override
    public Quote createQuote(String symbol, String companyName, BigDecimal price)
            throws SQLException {
        return connection.transact(on -> stocks.create(on, symbol, companyName, price));
    }

    @Override
    public Quote getQuote(String symbol) throws SQLException {
        return connection.read(on -> stocks.quote(on, symbol));
    }

    @Override
    public List<Quote> getQuotes(Collection<String> symbols) throws SQLException {
        return connection.read(on -> stocks.quotes(on, symbols));
    }

    @Override
    public List<Quote> getAllQuotes() throws SQLException {
        return connection.read(stocks::all);
    }

    @Override
    public Quote updateQuotePriceVolume(String symbol, BigDecimal factor, double sharesTraded)
            throws SQLException {
        Quote moved = connection.transact(on -> stocks.move(on, symbol, factor, sharesTraded));
        store.moved(moved);
        return moved;
    }

    @Override
    public Order buy(String userID, String symbol, double quantity, OrderMode mode)
            throws SQLException {
        if (!(quantity >= 1 && quantity <= MOST_SHARES) || quantity != Math.rint(quantity)) {
            throw new TradeException(
                    Kind.INVALID,
                    "The quantity is %s; it must be a whole number from 1 to %,d."
                            .formatted(quantity, MOST_SHARES));
        }
        return submitted(connection.transact(on -> desk.buy(on, userID, symbol, quantity, mode)));
    }

    @Override
    public Order sell(String userID, int holdingID, OrderMode mode) throws SQLException {
        return submitted(connection.transact(on -> desk.sell(on, userID, holdingID, mode)));
    }

    private Order submitted(OrderDesk.Result result) {
        if (result.moved() == null) {
            queueOrder(result.order().orderID());
        } else {
            store.moved(result.moved());
        }
        return result.order();
    }

    @Override
    public void queueOrder(int orderID) {
        var _ = store.completeByAnother(orderID);
    }

    @Override
    public Order completeOrder(int orderID) throws SQLException {
        OrderDesk.Result result = connection.transact(on -> desk.complete(on, orderID));
        store.moved(requireNonNull(result.moved()));
        return result.order();
    }

    @Override
    public CompletableFuture<Order> completeOrderAsync(int orderID) {
        return store.completeByAnother(orderID);
    }

    @Override
    public Order cancelOrder(int orderID) throws SQLException {
        return connection.transact(on -> desk.cancel(on, orderID));
    }

    @Override
    public boolean orderCompleted(String userID, int orderID) throws SQLException {
        return connection.transact(on -> {
            int accountID = OrderDesk.accountID(on, userID);
            return update(
                            on,
                            "UPDATE orderejb SET orderstatus = 'completed' WHERE orderid = ?"
                                    + " AND account_accountid = ? AND orderstatus = 'closed'",
                            statement -> {
                                statement.setInt(1, orderID);
                                statement.setInt(2, accountID);
                            })
                    == 1;
        });
    }

    @Override
    public List<Integer> getLeftOpen(long olderThanMillis, int afterOrderID) throws SQLException {
        Instant before = store.clock().instant().minusMillis(olderThanMillis);
        return connection.read(on ->
                list(
                        on,
                        "SELECT orderid FROM orderejb WHERE orderstatus = 'open' AND opendate <= ?"
                                + " AND orderid > ? ORDER BY orderid"
                                + store.dialect().limit(MOST_ORDERS),
                        statement -> {
                            rows.setTime(statement, 1, before.truncatedTo(ChronoUnit.MILLIS));
                            statement.setInt(2, afterOrderID);
                        },
                        row -> row.getInt(1)));
    }

    @Override
    public List<Order> getOrders(String userID) throws SQLException {
        return connection.read(on -> orders(on, userID, "ORDER BY o.orderid DESC"));
    }

    @Override
    public List<Order> getClosedOrders(String userID) throws SQLException {
        List<Order> closed =
                connection.read(on ->
                        orders(on, userID, "AND o.orderstatus = 'closed' ORDER BY o.orderid"));
        if (closed.isEmpty()) {
            return closed;
        }
        return connection.transact(on -> {
            List<Order> told = new ArrayList<>();
            for (Order order : closed) {
                int marked =
                        update(
                                on,
                                "UPDATE orderejb SET orderstatus = 'completed' WHERE orderid = ?"
                                        + " AND orderstatus = 'closed'",
                                statement -> statement.setInt(1, order.orderID()));
                if (marked == 1) {
                    told.add(order);
                }
            }
            return told;
        });
    }

    /** Reads orders of a user, at most {@link #MOST_ORDERS}, by a condition and an order. */
    private List<Order> orders(Connection on, String userID, String which) throws SQLException {
        // Not by one statement with a join: Derby's would hold the account's lock while it waits
        // for an order's.
        int accountID = OrderDesk.accountID(on, userID);
        return list(
                on,
                "SELECT "
                        + RowReader.ORDER
                        + " FROM orderejb o WHERE o.account_accountid = ? "
                        + which
                        + store.dialect().limit(MOST_ORDERS),
                statement -> statement.setInt(1, accountID),
                rows::order);
    }

    @Override
    public List<Holding> getHoldings(String userID) throws SQLException {
        return connection.read(on -> {
            int accountID = OrderDesk.accountID(on, userID);
            return list(
                    on,
                    "SELECT "
                            + RowReader.HOLDING
                            + " FROM holdingejb h WHERE h.account_accountid = ? ORDER BY h.holdingid DESC"
                            + store.dialect().limit(MOST_HOLDINGS),
                    statement -> statement.setInt(1, accountID),
                    rows::holding);
        });
    }

    @Override
    public Holding getHolding(int holdingID) throws SQLException {
        Holding holding =
                connection.read(on ->
                        first(
                                on,
                                "SELECT "
                                        + RowReader.HOLDING
                                        + " FROM holdingejb h WHERE h.holdingid = ?",
                                statement -> statement.setInt(1, holdingID),
                                rows::holding));
        if (holding == null) {
            throw new TradeException(
                    Kind.NOT_FOUND, "There is no holding %d.".formatted(holdingID));
        }
        return holding;
    }

    @Override
    public Account getAccountData(String userID) throws SQLException {
        return connection.read(on -> users.account(on, userID));
    }

    @Override
    public AccountProfile getAccountProfileData(String userID) throws SQLException {
        return connection.read(on -> users.profile(on, userID));
    }

    @Override
    public AccountProfile updateAccountProfile(AccountProfile profile, String newPassword)
            throws SQLException {
        return updateHashed(
                profile, newPassword.isEmpty() ? "" : store.passwords().hash(newPassword));
    }

    @Override
    public AccountProfile updateHashed(AccountProfile profile, String newPasswordHash)
            throws SQLException {
        return connection.transact(on -> users.update(on, profile, newPasswordHash));
    }

    @Override
    public Account login(String userID, String password) throws SQLException {
        // A connection that is not held is given back while the password is hashed.
        Credentials credentials = getCredentials(userID).orElse(null);
        if (credentials == null) {
            store.passwords().matchesNobody(password);
        }
        if (credentials == null
                || !store.passwords().matches(password, credentials.passwordHash())) {
            throw TradeException.wrongPassword();
        }
        return countLogin(credentials);
    }

    @Override
    public Optional<Credentials> getCredentials(String userID) throws SQLException {
        return Optional.ofNullable(connection.read(on -> users.credentials(on, userID)));
    }

    @Override
    public Account countLogin(Credentials checked) throws SQLException {
        return connection.transact(on -> users.countLogin(on, checked));
    }

    @Override
    public void logout(String userID) throws SQLException {
        connection.transact(on -> users.countLogout(on, userID));
    }

    @Override
    public Account register(Registration registration) throws SQLException {
        return registerHashed(
                registration.profile(),
                store.passwords().hash(registration.password()),
                registration.openBalance());
    }

    @Override
    public Account registerHashed(
            AccountProfile profile, String passwordHash, BigDecimal openBalance)
            throws SQLException {
        try {
            return connection.transact(
                    on -> users.register(on, profile, passwordHash, openBalance));
        } catch (SQLException e) {
            String state = e.getSQLState();
            if (state != null && state.startsWith("23")) {
                throw new TradeException(
                        Kind.CONFLICT,
                        "The user ID '%s' is taken; choose another.".formatted(profile.userID()));
            }
            throw e;
        }
    }

    @Override
    public ResetSummary resetTrade() throws SQLException {
        return connection.transact(users::reset);
    }

    @Override
    public void close() {
        connection.close();
    }
}
