package dev.penstock.bench.daytrader;

import dev.penstock.bench.server.DatabaseAddress;
import dev.penstock.databases.UnpooledDataSource;
import dev.penstock.daytrader.DayTrader;
import dev.penstock.daytrader.run.DayTraderSettings;
import dev.penstock.daytrader.run.DirectCalls;
import dev.penstock.daytrader.run.PooledCalls;
import dev.penstock.daytrader.run.TradeCalls;
import dev.penstock.daytrader.session.Passwords;
import dev.penstock.daytrader.store.TradeStore;
import dev.penstock.daytrader.trade.Holding;
import dev.penstock.daytrader.trade.TradeServices;
import dev.penstock.http.Admission;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** The application under measurement, in a child. */
final class TradeServer {
    /** Passwords cost next to nothing, since the public application has them in clear. */
    static final int PASSWORD_ITERATIONS = 1;

    /** More than there are clients, so that the ways alone bound what runs at once. */
    private static final Admission ANY = new Admission(10_000, 10_000, Duration.ofMinutes(1));

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** Held, since a logger that nobody holds forgets its level. */
    private static final Logger POOL = Logger.getLogger("com.zaxxer.hikari");

    private final TradeStore store;
    private final int port;
    private final double populatedSeconds;

    private TradeServer(TradeStore store, int port, double populatedSeconds) {
        this.store = store;
        this.port = port;
        this.populatedSeconds = populatedSeconds;
    }

    /** Starts it on a free port; an empty database is filled first. */
    static TradeServer start(TradePlan plan) throws Exception {
        POOL.setLevel(Level.OFF);
        DataSource source =
                plan.connections() == 0
                        ? unpooled(plan.address())
                        : plan.address().pool(plan.connections());
        if (plan.way() == TradeWay.SERVLETS) {
            TradeStore store = store(source);
            return new TradeServer(store, TradeServlet.start(store), 0);
        }
        DayTrader trader = DayTrader.open(source, settings(), store -> calls(store, plan));
        double seconds = 0;
        if (!trader.isPopulated()) {
            long start = System.nanoTime();
            trader.populate((_, _) -> {});
            seconds = (System.nanoTime() - start) / 1e9;
        }
        ServerBuilder server = Server.builder().port(0).accessLog(false);
        int running = plan.running();
        server.admission(running == 0 ? ANY : new Admission(running, running, PATIENCE));
        trader.mount(server);
        return new TradeServer(trader.store(), server.start().port(), seconds);
    }

    static DayTraderSettings settings() {
        return DayTraderSettings.DEFAULT
                .withPlainRequests(true)
                .withPasswordIterations(PASSWORD_ITERATIONS);
    }

    static TradeStore store(DataSource source) throws SQLException {
        return new TradeStore(source, new Passwords(PASSWORD_ITERATIONS), false);
    }

    static DataSource unpooled(DatabaseAddress address) {
        return new UnpooledDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                return address.connect();
            }
        };
    }

    private static TradeCalls calls(TradeStore store, TradePlan plan) {
        return switch (plan.way()) {
            case DIRECT, DIRECT_UNPOOLED, SERVLETS -> new DirectCalls(store);
            case SEMAPHORE -> new SemaphoreCalls(store, plan.atOnce());
            case POOL -> new PooledCalls(store, plan.pools());
            case PEKKO -> PekkoCalls.start(store, plan);
        };
    }

    int port() {
        return port;
    }

    /** The seconds that the filling took; 0 where the database was filled before. */
    double populatedSeconds() {
        return populatedSeconds;
    }

    /** The holdings of a user, which can be sold. */
    List<Integer> holdings(String userID) throws SQLException {
        try (TradeServices trade = store.services()) {
            return trade.getHoldings(userID).stream().map(Holding::holdingID).toList();
        }
    }

    /** The rules of the books that are broken. */
    List<String> broken() throws SQLException {
        return store.checkBooks().broken();
    }
}
