package dev.penstock.demo;

import dev.penstock.daytrader.DayTrader;
import dev.penstock.daytrader.run.DayTraderSettings;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.server.config.JdbcTarget;
import dev.penstock.server.config.StartupException;
import dev.penstock.server.log.FirstSentence;
import dev.penstock.server.page.Example;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Predicate;

/** The demo's DayTrader: on a database of its own beside the sample data, since its tables are nobody else's. */
final class DemoTrader implements AutoCloseable {
    static final Example EXAMPLE =
            new Example(
                    "DayTrader",
                    "A whole trading application: log in as uid:0 with the password xxx, buy, sell, and watch the"
                            + " market move.",
                    "/daytrader/app",
                    "");

    /** Numbered, and raised with each change of the data. */
    private static final String NAME = "daytrader-1";

    private static final String SETTINGS =
            ";CACHE_SIZE=4096;TRACE_LEVEL_FILE=0;DB_CLOSE_DELAY=-1;IFEXISTS=FALSE";

    private final TradeConnections connections;
    private final DayTrader trader;

    private DemoTrader(TradeConnections connections, DayTrader trader) {
        this.connections = connections;
        this.trader = trader;
    }

    /**
     * Opens it in the demo's directory, filled if need be.
     *
     * @param configToken whether a token lets somebody configure it from another machine
     */
    static DemoTrader open(Path directory, Predicate<String> configToken) {
        String url = "jdbc:h2:file:" + directory.resolve(NAME).toAbsolutePath() + SETTINGS;
        JdbcTarget target = new JdbcTarget(url, DemoDatabase.USER, "", List.of());
        TradeConnections connections = TradeConnections.open(target, null, null);
        try {
            DayTrader trader =
                    DayTrader.open(
                            connections.source(),
                            DayTraderSettings.DEFAULT
                                    .withPlainRequests(true)
                                    .withConfigToken(configToken));
            if (!trader.isPopulated()) {
                DayTraderCommand.populate(trader);
            }
            return new DemoTrader(connections, trader);
        } catch (SQLException e) {
            connections.close();
            throw new StartupException(
                    "can't prepare DayTrader's data in %s (%s): name another directory with --data"
                            .formatted(directory, FirstSentence.one(e.getMessage())),
                    e);
        }
    }

    void mount(ServerBuilder builder) {
        trader.mount(builder);
    }

    @Override
    public void close() {
        trader.close();
        connections.close();
    }
}
