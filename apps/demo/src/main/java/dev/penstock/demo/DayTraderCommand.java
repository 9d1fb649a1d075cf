package dev.penstock.demo;

import dev.penstock.daytrader.DayTrader;
import dev.penstock.daytrader.run.DayTraderSettings;
import dev.penstock.daytrader.run.PoolSettings;
import dev.penstock.daytrader.session.Passwords;
import dev.penstock.daytrader.store.Population;
import dev.penstock.daytrader.trade.OrderMode;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.server.StopSignal;
import dev.penstock.server.config.DatabaseOptions;
import dev.penstock.server.config.JdbcTarget;
import dev.penstock.server.config.ListenOptions;
import dev.penstock.server.config.PenstockVersion;
import dev.penstock.server.config.StartupException;
import dev.penstock.server.config.TokenFile;
import dev.penstock.server.database.ConnectionFailure;
import dev.penstock.server.log.ProgressBar;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code penstock daytrader}: the trading application on a database of the user's. */
@Command(
        name = "daytrader",
        description =
                "Runs DayTrader, the trading application, on H2, Derby, MariaDB or PostgreSQL. An empty database is"
                        + " filled first.",
        mixinStandardHelpOptions = true,
        versionProvider = PenstockVersion.class,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  penstock daytrader --jdbc jdbc:postgresql://localhost/trade --user me --instances 50",
            "  penstock daytrader --jdbc 'jdbc:derby:/tmp/trade;create=true' --plain-requests"
        })
final class DayTraderCommand implements Callable<Integer> {
    private static final String DERBY_LOG = "derby.stream.error.file";

    @Mixin private DatabaseOptions database = new DatabaseOptions();
    @Mixin private ListenOptions listen = new ListenOptions();

    @Option(
            names = "--instances",
            paramLabel = "N",
            description =
                    "Runs the services on pools of so many instances. Default: a new object for each request.")
    private @Nullable Integer instances;

    @Option(
            names = "--split",
            description = "With --instances: a pool each for stocks, users and trades.")
    private boolean split;

    @Option(
            names = "--at-once",
            description =
                    "With --instances: the stocks of a page are asked for by several instances at once.")
    private boolean itemsAtOnce;

    @Option(
            names = "--connections",
            paramLabel = "N",
            description =
                    "How many connections are shared. Default: 20, or with --instances one for each, which it holds.")
    private @Nullable Integer connections;

    @Option(
            names = "--orders",
            paramLabel = "MODE",
            description =
                    "When an order is completed: at once (synchronous) or afterwards (asynchronous). Default:"
                            + " ${DEFAULT-VALUE}.")
    private String orders = "synchronous";

    @Option(
            names = "--like-the-original",
            description = "Lets balances become negative, as the public application does.")
    private boolean likeTheOriginal;

    @Option(
            names = "--plain-requests",
            description =
                    "Takes actions by GET and without the token of a form, as the public application's load scripts"
                            + " send them, and serves /scenario.")
    private boolean plainRequests;

    @Option(
            names = "--password-iterations",
            paramLabel = "N",
            description =
                    "The cost of a password's hash: iterations of PBKDF2 with HMAC-SHA-256. Default: ${DEFAULT-VALUE}.")
    private int iterations = Passwords.DEFAULT_ITERATIONS;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "The tokens of those who may use /daytrader/config from other machines, one a line.")
    private @Nullable Path tokenFile;

    @Option(names = "--quotes", paramLabel = "N", description = "How many stocks there are.")
    private int quotes = Population.STANDARD.quotes();

    @Option(names = "--users", paramLabel = "N", description = "How many sample users there are.")
    private int users = Population.STANDARD.users();

    @Option(names = "--seed", paramLabel = "N", description = "Another seed, other sample data.")
    private long seed = Population.STANDARD.seed();

    @Option(
            names = "--rebuild",
            description = "Drops the application's tables, and makes them anew.")
    private boolean rebuild;

    @Override
    public Integer call() {
        listen.begin();
        DayTraderSettings settings = settings();
        JdbcTarget target = database.target();
        keepDerbyQuiet();
        try (TradeConnections source =
                        TradeConnections.open(target, settings.pools(), connections);
                DayTrader trader = DayTrader.open(source.source(), settings)) {
            if (rebuild || !trader.isPopulated()) {
                populate(trader);
            }
            serve(trader, target);
        } catch (SQLException e) {
            throw ConnectionFailure.of(e, target);
        }
        return 0;
    }

    /** Derby would write a log into the directory that the command is called in; what fails is told by exceptions. */
    private static void keepDerbyQuiet() {
        if (System.getProperty(DERBY_LOG) == null) {
            System.setProperty(
                    DERBY_LOG,
                    Path.of(System.getProperty("java.io.tmpdir", "."), "derby.log").toString());
        }
    }

    private DayTraderSettings settings() {
        TokenFile tokens = tokenFile == null ? null : TokenFile.read("--token-file", tokenFile);
        try {
            DayTraderSettings settings =
                    DayTraderSettings.DEFAULT
                            .withPopulation(new Population(quotes, users, seed))
                            .withOrderMode(orderMode())
                            .withLikeTheOriginal(likeTheOriginal)
                            .withPlainRequests(plainRequests)
                            .withPasswordIterations(iterations)
                            .withConfigToken(
                                    token -> tokens != null && tokens.owner(token).isPresent());
            return instances == null
                    ? settings
                    : settings.withPools(
                            new PoolSettings(instances, split, connections == null, itemsAtOnce));
        } catch (IllegalArgumentException e) {
            throw new StartupException(String.valueOf(e.getMessage()), e);
        }
    }

    private OrderMode orderMode() {
        return switch (orders) {
            case "synchronous" -> OrderMode.SYNCHRONOUS;
            case "asynchronous" -> OrderMode.ASYNCHRONOUS;
            default ->
                    throw new StartupException(
                            "--orders "
                                    + orders
                                    + " is no mode: write synchronous or asynchronous");
        };
    }

    static void populate(DayTrader trader) throws SQLException {
        ProgressBar progress = ProgressBar.onStandardError();
        try {
            trader.populate(
                    (doing, percent) -> progress.show("filling DayTrader: " + doing, percent));
        } finally {
            progress.end();
        }
    }

    private void serve(DayTrader trader, JdbcTarget target) {
        ServerBuilder builder =
                listen.apply(Server.builder(), false)
                        .get("/", exchange -> exchange.redirect(303, "/daytrader/app"));
        trader.mount(builder);
        StopSignal stop = StopSignal.listen();
        try (Server server = builder.start()) {
            String base =
                    "%s://%s:%d"
                            .formatted(
                                    listen.scheme(),
                                    listen.host().equals("0.0.0.0") ? "localhost" : listen.host(),
                                    server.port());
            System.out.printf(
                    Locale.ROOT,
                    "DayTrader runs on %s (heap %d MB, started in %.1f s)%n%n  %s/  leads to %s/daytrader/app%n%n"
                            + "Log in as uid:0 with the password xxx. Ctrl-C stops it.%n",
                    target,
                    Math.round(Runtime.getRuntime().maxMemory() / 1048576.0),
                    ManagementFactory.getRuntimeMXBean().getUptime() / 1e3,
                    base,
                    base);
            System.out.flush();
            stop.await();
        } catch (IllegalStateException e) {
            throw new StartupException(String.valueOf(e.getMessage()), e);
        }
    }
}
