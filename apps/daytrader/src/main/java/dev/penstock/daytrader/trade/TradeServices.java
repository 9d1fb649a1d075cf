package dev.penstock.daytrader.trade;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The business interface of the trading application. An object is used by one thread at a time. Every method is one
 * transaction: where it throws, nothing was changed, save that a connection which breaks during a commit leaves it open
 * whether all or nothing was.
 *
 * <p>Hashing a password takes long. Whoever shares few objects hashes without one, and calls {@link #getCredentials},
 * {@link #countLogin}, {@link #registerHashed} and {@link #updateHashed} instead of {@link #login}, {@link #register}
 * and {@link #updateAccountProfile}.
 *
 * @see TradeException
 */
public interface TradeServices extends AutoCloseable {
    /** The fee of every order. */
    BigDecimal ORDER_FEE = new BigDecimal("24.95");

    /** The beginning of the IDs of users that scenarios have registered. */
    String REGISTERED = "ru:";

    /** The most shares of one order. */
    int MOST_SHARES = 1_000_000;

    /** The most orders or alerts that are shown. */
    int MOST_ORDERS = 500;

    /** The most holdings that are shown. */
    int MOST_HOLDINGS = 1_000;

    /** Returns the market as it was at most 20 s ago. */
    MarketSummary getMarketSummary() throws SQLException;

    /** Makes a stock. */
    Quote createQuote(String symbol, String companyName, BigDecimal price) throws SQLException;

    /** Returns a stock; {@link TradeException} (not found) where there is none. */
    Quote getQuote(String symbol) throws SQLException;

    /** Returns those of some stocks that there are, in their order. */
    List<Quote> getQuotes(Collection<String> symbols) throws SQLException;

    /** Returns all stocks, in the order of their symbols. */
    List<Quote> getAllQuotes() throws SQLException;

    /** Moves a price by a factor, and adds to the volume. Returns the stock as it is then. */
    Quote updateQuotePriceVolume(String symbol, BigDecimal factor, double sharesTraded)
            throws SQLException;

    /**
     * Buys shares. The money is taken when the order is submitted.
     *
     * @param quantity a whole number from 1 to {@link #MOST_SHARES}
     */
    Order buy(String userID, String symbol, double quantity, OrderMode mode) throws SQLException;

    /** Sells a holding, all of it. The money is there when the order is submitted. */
    Order sell(String userID, int holdingID, OrderMode mode) throws SQLException;

    /** Hands an open order over to be completed by another call, without waiting for that. */
    void queueOrder(int orderID);

    /** Completes an open order: shares come or go, and the price moves. */
    Order completeOrder(int orderID) throws SQLException;

    /** Has an open order completed by another call. */
    CompletableFuture<Order> completeOrderAsync(int orderID);

    /** Cancels an open order: the money, or the shares, are back. */
    Order cancelOrder(int orderID) throws SQLException;

    /** Marks a closed order as seen by its user. Returns whether it was this call that did it. */
    boolean orderCompleted(String userID, int orderID) throws SQLException;

    /** Returns the first of the orders that were left open. */
    default List<Integer> getLeftOpen(long olderThanMillis) throws SQLException {
        return getLeftOpen(olderThanMillis, 0);
    }

    /**
     * Returns open orders that were submitted some time ago: they were handed over, and nobody completed them. There
     * are {@link #MOST_ORDERS} at most, by ascending numbers.
     *
     * @param afterOrderID the last one that is known; 0 for the first ones
     */
    List<Integer> getLeftOpen(long olderThanMillis, int afterOrderID) throws SQLException;

    /** Returns a user's orders, the latest first, at most {@link #MOST_ORDERS}. */
    List<Order> getOrders(String userID) throws SQLException;

    /** Returns the orders that were closed since the last call, and marks them as completed: each is told once. */
    List<Order> getClosedOrders(String userID) throws SQLException;

    /** Returns a user's holdings, at most {@link #MOST_HOLDINGS}. */
    List<Holding> getHoldings(String userID) throws SQLException;

    /** Returns a holding. */
    Holding getHolding(int holdingID) throws SQLException;

    /** Returns a user's account. */
    Account getAccountData(String userID) throws SQLException;

    /** Returns a user's profile. */
    AccountProfile getAccountProfileData(String userID) throws SQLException;

    /**
     * Changes a profile.
     *
     * @param newPassword empty to keep the old one
     */
    AccountProfile updateAccountProfile(AccountProfile profile, String newPassword)
            throws SQLException;

    /**
     * Changes a profile.
     *
     * @param newPasswordHash empty to keep the old one
     */
    AccountProfile updateHashed(AccountProfile profile, String newPasswordHash) throws SQLException;

    /** Checks a password and counts the login. */
    Account login(String userID, String password) throws SQLException;

    /** Returns what the password of a user is compared with; empty if there is no such user. */
    Optional<Credentials> getCredentials(String userID) throws SQLException;

    /**
     * Counts a login whose password was found to be right.
     *
     * @param checked what it was compared with; {@link TradeException} (wrong password) if it was changed since
     */
    Account countLogin(Credentials checked) throws SQLException;

    /** Counts the logout. */
    void logout(String userID) throws SQLException;

    /** Makes a user with an account. */
    Account register(Registration registration) throws SQLException;

    /** Makes a user with an account, whose password is hashed already. */
    Account registerHashed(AccountProfile profile, String passwordHash, BigDecimal openBalance)
            throws SQLException;

    /** Deletes the users that scenarios have {@linkplain #REGISTERED registered}, and all that is theirs. */
    ResetSummary resetTrade() throws SQLException;

    /** Gives back the connection, if it holds one. */
    @Override
    void close();
}
