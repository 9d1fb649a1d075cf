package dev.penstock.bench.export;

import dev.penstock.bench.child.Answer;
import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.client.ResponseReader;
import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Progress;
import dev.penstock.bench.experiment.Settings;
import dev.penstock.bench.pages.ServerUnderTest;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.report.Words;
import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Clients that are killed in the middle of a large export: how long their query outlives them in the database. */
public final class CancelExperiment implements Experiment {
    private static final long ROWS = 1_000_000;
    private static final double GOAL_MILLISECONDS = 1000;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int READ = 1_000_000;
    private static final int AFTERWARDS = 40;
    private static final List<TestDatabase.Kind> DATABASES =
            List.of(TestDatabase.Kind.POSTGRESQL, TestDatabase.Kind.MARIADB);

    /** How a client goes. */
    private enum Death {
        /** Its connection is reset, as when its process is killed. */
        RESET,
        /** It closes its connection. */
        CLOSE,
        /** It stops reading, so that the server's writing blocks, and is then killed. */
        STALL
    }

    @Override
    public String name() {
        return "cancel";
    }

    @Override
    public String summary() {
        return "clients killed in the middle: how long their query outlives them; about a minute";
    }

    @Override
    public Outcome run(Settings settings, Progress progress) throws Exception {
        List<TestDatabase.Kind> kinds = settings.databasesOr(DATABASES);
        String heap = settings.heapsOr("64m").getFirst();
        progress.steps((long) kinds.size() * Death.values().length * settings.repetitions());
        Outcome outcome = new Outcome(name(), "Clients killed in the middle of an export");
        outcome.text(
                "The client reads a megabyte of ten million rows, and goes. From then on the database is asked every"
                        + " millisecond whether it still runs the query (pg_stat_activity, information_schema.processlist).");
        List<List<String>> table = new ArrayList<>();
        try (LoadDriver driver = LoadDriver.start(settings.log("load-client"))) {
            for (TestDatabase.Kind kind : kinds) {
                progress.doing("loading " + Words.database(kind));
                long rows = Math.max(50_000, (long) (ROWS * settings.scale()));
                try (LineitemDatabase lineitems = LineitemDatabase.of(kind, rows);
                        ServerUnderTest server =
                                new ServerUnderTest(
                                        "cancel-" + kind,
                                        lineitems.database(),
                                        heap,
                                        4,
                                        false,
                                        settings.log("cancel-" + kind))) {
                    measure(outcome, table, lineitems, server, driver, settings, progress);
                }
            }
        }
        outcome.add(
                new Outcome.Table(
                        "Until the query was gone (ms)", List.of("", "median", "most"), table));
        return outcome;
    }

    private static void measure(
            Outcome outcome,
            List<List<String>> table,
            LineitemDatabase lineitems,
            ServerUnderTest server,
            LoadDriver driver,
            Settings settings,
            Progress progress)
            throws IOException, SQLException {
        TestDatabase.Kind kind = lineitems.database().kind();
        double worst = 0;
        try (Connection connection = lineitems.database().connect()) {
            for (Death death : Death.values()) {
                Samples samples = new Samples();
                for (int i = 0; i < settings.repetitions(); i++) {
                    progress.doing(Words.database(kind) + ", " + death);
                    samples.add(millisecondsUntilGone(connection, kind, server.port(), death));
                    progress.step();
                }
                worst = Math.max(worst, samples.max());
                table.add(
                        List.of(
                                Words.database(kind) + ", " + describe(death),
                                Words.number(samples.median()),
                                Words.number(samples.max())));
                Answer where = new Answer(Map.of("database", kind.name(), "death", death.name()));
                outcome.measured("query outlives client", where, "ms", samples);
            }
        }
        outcome.finding(
                Words.database(kind) + ": the query is gone within a second",
                "at most " + Words.milliseconds(worst),
                worst <= GOAL_MILLISECONDS);
        server.settle();
        LoadFigures afterwards = afterwards(server, driver);
        outcome.finding(
                Words.database(kind) + ": connections usable, or evicted",
                afterwards.completed()
                        + " of "
                        + AFTERWARDS
                        + " exports afterwards were whole "
                        + afterwards.failures(),
                afterwards.completed() == AFTERWARDS);
    }

    private static String describe(Death death) {
        return switch (death) {
            case RESET -> "connection reset";
            case CLOSE -> "connection closed";
            case STALL -> "stopped reading, then reset";
        };
    }

    /** As many at once as there are connections, so that each is used. */
    private static LoadFigures afterwards(ServerUnderTest server, LoadDriver driver)
            throws IOException {
        Load.Group group =
                new Load.Group(
                        "all",
                        "/api/lineitem?format=csv&limit=5000",
                        8,
                        AFTERWARDS / 8,
                        Duration.ZERO,
                        0,
                        new Load.Expected(1, Long.MAX_VALUE, "\n", "\n", 5001));
        return driver.runOne(new Load(server.port(), Duration.ZERO, LIMIT, List.of(group)));
    }

    private static double millisecondsUntilGone(
            Connection connection, TestDatabase.Kind kind, int port, Death death)
            throws IOException, SQLException {
        Socket client = new Socket();
        if (death == Death.STALL) {
            client.setOption(StandardSocketOptions.SO_RCVBUF, 8192);
        }
        client.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        client.getOutputStream()
                .write(
                        ResponseReader.request(
                                "/api/" + LineitemDatabase.VIEW + "?format=csv", port));
        InputStream in = client.getInputStream();
        if (in.readNBytes(READ).length != READ) {
            throw new IOException("the export ended before it was to be broken off");
        }
        awaitQueries(connection, kind, true);
        if (death == Death.STALL) {
            LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
        }
        if (death != Death.CLOSE) {
            client.setOption(StandardSocketOptions.SO_LINGER, 0);
        }
        long start = System.nanoTime();
        client.close();
        awaitQueries(connection, kind, false);
        return (System.nanoTime() - start) / 1e6;
    }

    private static void awaitQueries(Connection connection, TestDatabase.Kind kind, boolean some)
            throws SQLException, IOException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (queries(connection, kind) > 0 != some) {
            if (System.nanoTime() > deadline) {
                throw new IOException(
                        some
                                ? "the query was not seen in the database"
                                : "the query is still there after " + LIMIT);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static int queries(Connection connection, TestDatabase.Kind kind) throws SQLException {
        String sql =
                switch (kind) {
                    case POSTGRESQL ->
                            "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()"
                                    + " AND pid <> pg_backend_pid() AND state <> 'idle'"
                                    + " AND query LIKE '%lineitem_ten%'";
                    case MARIADB, MYSQL ->
                            "SELECT COUNT(*) FROM information_schema.processlist"
                                    + " WHERE db = DATABASE() AND id <> CONNECTION_ID()"
                                    + " AND command <> 'Sleep' AND info LIKE '%lineitem_ten%'";
                    case H2 ->
                            throw new IllegalArgumentException(
                                    "H2 runs inside the server: choose postgresql or mariadb");
                };
        try (Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery(sql)) {
            count.next();
            return count.getInt(1);
        }
    }
}
