package dev.penstock.daytrader.store;

import static java.util.Objects.requireNonNull;

import dev.penstock.daytrader.session.Passwords;
import dev.penstock.daytrader.trade.MarketSummary;
import dev.penstock.daytrader.trade.Order;
import dev.penstock.daytrader.trade.Quote;
import dev.penstock.daytrader.trade.TradeServices;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The database of the application, and what all instances of {@link TradeServices} on it share: the blocks of keys and
 * the market summary, which is read once in 20 s. Thread-safe.
 */
public final class TradeStore {
    private static final long SUMMARY_NANOS = 20_000_000_000L;

    private final DataSource source;
    private final SqlDialect dialect;
    private final Passwords passwords;
    private final boolean isLikeTheOriginal;
    private final Clock clock;
    private final Supplier<RandomGenerator> random;
    private final Isolation isolation = new Isolation();
    private final KeyBlocks keys = new KeyBlocks();
    private final ReentrantLock reading = new ReentrantLock();
    private volatile @Nullable CachedSummary summary;
    private volatile Consumer<Quote> onPrice = _ -> {};
    private volatile IntFunction<CompletableFuture<Order>> completions =
            orderID ->
                    CompletableFuture.failedFuture(
                            new IllegalStateException("Nobody completes order " + orderID));

    private record CachedSummary(MarketSummary summary, long nanos) {}

    /**
     * A store on a database, which may be empty.
     *
     * @param source of connections of their own or of a pool; remains open
     * @param isLikeTheOriginal whether a balance may become negative, as in the public application
     * @throws SQLException if no connection can be had, or it is none of the four databases
     */
    public TradeStore(DataSource source, Passwords passwords, boolean isLikeTheOriginal)
            throws SQLException {
        this(source, passwords, isLikeTheOriginal, Clock.systemUTC(), ThreadLocalRandom::current);
    }

    /** The same, with the source of times and the one of the factors by which prices move. */
    public TradeStore(
            DataSource source,
            Passwords passwords,
            boolean isLikeTheOriginal,
            Clock clock,
            Supplier<RandomGenerator> random)
            throws SQLException {
        this.source = requireNonNull(source);
        this.passwords = requireNonNull(passwords);
        this.isLikeTheOriginal = isLikeTheOriginal;
        this.clock = clock;
        this.random = random;
        try (Connection connection = source.getConnection()) {
            this.dialect = SqlDialect.of(connection);
        }
    }

    /** The hashing of the users' passwords. */
    public Passwords passwords() {
        return passwords;
    }

    /** Returns a new instance of the services, which takes a connection for each unit of work. */
    public TradeServices services() {
        return new JdbcTrade(this, false);
    }

    /** Returns a new instance of the services, which holds a connection until it is closed. */
    public TradeServices holdingServices() {
        return new JdbcTrade(this, true);
    }

    /** The same, with the connection opened now. */
    public TradeServices connectedServices() throws SQLException {
        JdbcTrade trade = new JdbcTrade(this, true);
        trade.open();
        return trade;
    }

    /** Sets the function that completes orders which were submitted without being completed. Call it before any is. */
    public void completeBy(IntFunction<CompletableFuture<Order>> others) {
        completions = others;
    }

    /** The listener to each price that a trade has moved; must not block, nor throw. */
    public void onPrice(Consumer<Quote> listener) {
        onPrice = listener;
    }

    /** Returns whether the database has the application's tables with at least one stock. */
    public boolean isPopulated() throws SQLException {
        try (Connection connection = source.getConnection()) {
            return Schema.exists(connection, "keygenejb")
                    && TradeConnection.first(
                                    connection,
                                    "SELECT keyval FROM keygenejb WHERE keyname = 'order'",
                                    _ -> {},
                                    row -> row.getInt(1))
                            != null;
        }
    }

    /** Drops the application's tables, and makes and fills them again. Sessions are the caller's business. */
    public void populate(Population population, PopulationProgress progress) throws SQLException {
        try (Connection connection = source.getConnection()) {
            population.create(connection, dialect, passwords, clock, progress);
        } finally {
            keys.forget();
            forgetSummary();
        }
    }

    /** Forgets the summary, also that of whoever reads the previous data at this moment. */
    private void forgetSummary() {
        reading.lock();
        try {
            summary = null;
        } finally {
            reading.unlock();
        }
    }

    /** Compares all accounts, holdings and orders with each other; see {@link Books}. */
    public Books.Report checkBooks() throws SQLException {
        try (Connection connection = source.getConnection()) {
            return Books.check(connection, isLikeTheOriginal);
        }
    }

    MarketSummary summary(JdbcTrade reader) throws SQLException {
        CachedSummary known = summary;
        if (known != null && System.nanoTime() - known.nanos < SUMMARY_NANOS) {
            return known.summary;
        }
        // While one reads the new one, others have the old one, and wait only where there is none.
        if (known != null && !reading.tryLock()) {
            return known.summary;
        } else if (known == null) {
            reading.lock();
        }
        try {
            CachedSummary present = summary;
            if (present == null || System.nanoTime() - present.nanos >= SUMMARY_NANOS) {
                present = new CachedSummary(reader.readSummary(), System.nanoTime());
                summary = present;
            }
            return present.summary;
        } finally {
            reading.unlock();
        }
    }

    void moved(Quote quote) {
        onPrice.accept(quote);
    }

    CompletableFuture<Order> completeByAnother(int orderID) {
        return completions.apply(orderID);
    }

    DataSource source() {
        return source;
    }

    Isolation isolation() {
        return isolation;
    }

    SqlDialect dialect() {
        return dialect;
    }

    boolean isLikeTheOriginal() {
        return isLikeTheOriginal;
    }

    Clock clock() {
        return clock;
    }

    RandomGenerator random() {
        return random.get();
    }

    KeyBlocks keys() {
        return keys;
    }
}
