package dev.penstock.daytrader;

import dev.penstock.daytrader.live.MarketFeed;
import dev.penstock.daytrader.page.DayTraderRoutes;
import dev.penstock.daytrader.run.DayTraderSettings;
import dev.penstock.daytrader.run.DirectCalls;
import dev.penstock.daytrader.run.PooledCalls;
import dev.penstock.daytrader.run.TradeCalls;
import dev.penstock.daytrader.run.TradeCalls.Part;
import dev.penstock.daytrader.session.Passwords;
import dev.penstock.daytrader.store.PopulationProgress;
import dev.penstock.daytrader.store.TradeStore;
import dev.penstock.http.server.ServerBuilder;
import java.sql.SQLException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * The trading application on a database.
 *
 * <pre>{@code
 * try (DayTrader trader = DayTrader.open(source, DayTraderSettings.DEFAULT)) {
 *     if (!trader.isPopulated()) {
 *         trader.populate((doing, percent) -> {});
 *     }
 *     ServerBuilder builder = Server.builder();
 *     trader.mount(builder);
 *     ..
 * }
 * }</pre>
 *
 * <p>Thread-safe. Closed after the server that it is mounted on.
 */
public final class DayTrader implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.penstock.daytrader");
    private static final int PUBLISH_SECONDS = 2;
    private static final int SWEEP_SECONDS = 10;
    private static final long LEFT_MILLIS = 10_000;
    private static final int CLOSE_SECONDS = 60;

    /** One thread to publish, and one for orders, which may take long. */
    private static final int THREADS = 2;

    private final TradeStore store;
    private final TradeCalls calls;
    private final DayTraderRoutes routes;
    private final OpenOrders openOrders;
    private final ScheduledExecutorService clock =
            Executors.newScheduledThreadPool(
                    THREADS, Thread.ofPlatform().daemon().name("penstock-daytrader").factory());

    private DayTrader(TradeStore store, TradeCalls calls, DayTraderSettings settings) {
        this.store = store;
        this.calls = calls;
        this.openOrders = new OpenOrders(calls);
        MarketFeed feed = new MarketFeed(calls);
        this.routes = new DayTraderRoutes(store, calls, feed, settings);
        store.onPrice(feed::moved);
        store.completeBy(
                orderID -> calls.async(Part.TRADES, services -> services.completeOrder(orderID)));
        every(PUBLISH_SECONDS, feed::publish);
        every(SWEEP_SECONDS, this::completeLeftOpen);
    }

    /**
     * Opens the application on a database of H2, Derby, MariaDB or PostgreSQL.
     *
     * @param source of connections, best of a pool unless the instances of service pools hold theirs; remains open
     * @throws SQLException if no connection can be had, or it is another database
     */
    public static DayTrader open(DataSource source, DayTraderSettings settings)
            throws SQLException {
        var pools = settings.pools();
        return open(
                source,
                settings,
                store -> pools == null ? new DirectCalls(store) : new PooledCalls(store, pools));
    }

    /**
     * Opens the application with calls of the services that run in a way of the caller's.
     *
     * @param way makes the calls, which are closed with the application; what the settings say about pools is not
     *     looked at
     * @throws SQLException as {@link #open(DataSource, DayTraderSettings)} does
     */
    public static DayTrader open(
            DataSource source, DayTraderSettings settings, Function<TradeStore, TradeCalls> way)
            throws SQLException {
        TradeStore store =
                new TradeStore(
                        source,
                        new Passwords(settings.passwordIterations()),
                        settings.likeTheOriginal());
        return new DayTrader(store, way.apply(store), settings);
    }

    /** Returns whether the database has the sample data. */
    public boolean isPopulated() throws SQLException {
        return store.isPopulated();
    }

    /** Drops the application's tables, and makes and fills them again. */
    public void populate(PopulationProgress progress) throws SQLException {
        routes.populate(progress);
    }

    /** Serves the application at {@code /daytrader}, and for its smaller sister's scripts at {@code /tradelite}. */
    public void mount(ServerBuilder server) {
        routes.mount(server, "/daytrader");
        routes.mount(server, "/tradelite");
    }

    /** The database, for checks. */
    public TradeStore store() {
        return store;
    }

    /** The calls of the services, for figures. */
    public TradeCalls calls() {
        return calls;
    }

    private void every(int seconds, Runnable action) {
        var _ =
                clock.scheduleWithFixedDelay(
                        () -> guarded(action), seconds, seconds, TimeUnit.SECONDS);
    }

    /** A scheduled action that throws is never run again. */
    @SuppressWarnings("CatchingUnchecked")
    private static void guarded(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "DayTrader's regular work failed", e);
        }
    }

    /** Completes orders whose completion was refused or has failed. */
    private void completeLeftOpen() {
        try {
            if (store.isPopulated()) {
                openOrders.complete(LEFT_MILLIS);
            }
        } catch (SQLException e) {
            LOG.log(System.Logger.Level.WARNING, "Open orders can't be looked for", e);
        }
    }

    /** Completes no more orders, and ends the pools. Closing twice does no harm. */
    @Override
    public void close() {
        openOrders.stop();
        clock.shutdown();
        awaitEnd();
        calls.close();
    }

    /** Waits for the regular work that runs, without an interrupt, which closes the files of an embedded database. */
    private void awaitEnd() {
        boolean isInterrupted = false;
        while (!clock.isTerminated()) {
            try {
                if (!clock.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                    LOG.log(System.Logger.Level.WARNING, "DayTrader's regular work does not end");
                    break;
                }
            } catch (InterruptedException _) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
