package dev.penstock.bench.export;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.server.DatabaseAddress;
import dev.penstock.bench.server.ServerUnderTest;
import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The time for which a query goes on after it is not wanted any more: in the database, when a client is killed in the
 * middle of an export, and in memory, when it is cancelled.
 */
public final class CancelExperiment extends Experiment {
    private static final long ROWS = 1_000_000;
    private static final double GOAL_MILLISECONDS = 1000;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration STALL = Duration.ofMillis(500);
    private static final int READ = 1_000_000;
    private static final int CLIENTS_AFTERWARDS = 8;
    private static final int REQUESTS_AFTERWARDS = 5;
    private static final String CLIENTS = "clients";
    private static final String MEMORY = "memory";

    /** Runs of a query in memory that are cancelled, for each repetition. */
    private static final int CANCELS = 10;

    private static final int WARM_RUNS = 3;
    private static final double MEMORY_GOAL_NANOS = 5e7;
    private static final Duration LOADING = Duration.ofMinutes(10);

    /** A way in which a client goes. */
    private enum Death {
        RESET("connection reset"),
        CLOSE("connection closed"),
        /** Its server's writing blocks by then. */
        STALL("stopped reading, then reset");

        private final String words;

        Death(String words) {
            this.words = words;
        }
    }

    /** The experiment. */
    public CancelExperiment() {
        super(
                "cancel",
                "clients killed in the middle, cancels in memory: how long queries go on; about three minutes");
    }

    @Override
    public List<String> parts() {
        return List.of(CLIENTS, MEMORY);
    }

    @Override
    public Outcome run(Trial trial) throws Exception {
        List<TestDatabase.Kind> kinds = trial.includes(CLIENTS) ? trial.databases() : List.of();
        int questions = trial.includes(MEMORY) ? MemoryCancels.Question.values().length : 0;
        trial.steps(
                ((long) kinds.size() * Death.values().length + questions) * trial.repetitions());
        Outcome outcome = new Outcome(name(), "Queries that nobody wants any more");
        if (!kinds.isEmpty()) {
            clients(outcome, kinds, trial);
        }
        if (questions > 0) {
            memory(outcome, trial);
        }
        return outcome;
    }

    private void clients(Outcome outcome, List<TestDatabase.Kind> kinds, Trial trial)
            throws Exception {
        outcome.text(
                """
                The client reads a megabyte of ten million rows, and goes. From then on the database is asked every
                millisecond whether it still runs the query (pg_stat_activity, information_schema.processlist).
                """);
        Outcome.Table table = outcome.table("Until the query was gone (ms)", "|median|most");
        long rows = trial.scaled(ROWS, 50_000);
        new ServerUnderTest.Plan(name(), trial.heap("64m"), 4)
                .forEach(
                        kinds,
                        kind -> LineitemDatabase.of(kind, rows),
                        trial,
                        server -> {
                            measure(outcome, table, server, trial);
                            server.settle();
                            afterwards(outcome, server);
                        });
    }

    private void memory(Outcome outcome, Trial trial) throws Exception {
        TestDatabase.Kind kind = trial.databases(TestDatabase.Kind.POSTGRESQL).getFirst();
        long rows = trial.scaled(ROWS, 2_000);
        outcome.text(
                """
                %s rows in memory, in a JVM with a heap of 2 GB. Each query is cancelled by another thread at a random
                moment of the time that it takes.
                """
                        .formatted(Figures.number(10 * rows)));
        Outcome.Table table =
                outcome.table(
                        "In memory: from the cancel to the query's end", "|query|median|most");
        trial.doing("making " + rows + " rows in " + Trial.label(kind));
        double worst = 0;
        try (TestDatabase database = LineitemDatabase.of(kind, rows)) {
            DatabaseAddress source = DatabaseAddress.of(database);
            trial.doing("loading the rows");
            try (Child<MemoryCancels> child =
                    Child.start(
                            "memory-cancels",
                            trial.heap("2g"),
                            List.of("-XX:MaxDirectMemorySize=3g"),
                            trial.log("memory-cancels"),
                            () -> new MemoryCancels(source))) {
                child.call(LOADING, MemoryCancels::load);
                for (MemoryCancels.Question question : MemoryCancels.Question.values()) {
                    trial.doing(question.toString());
                    Long whole = child.call(LOADING, loaded -> loaded.whole(question, WARM_RUNS));
                    Samples samples = new Samples();
                    for (int i = 0; i < trial.repetitions(); i++) {
                        child.call(LOADING, loaded -> loaded.cancelled(question, CANCELS, whole))
                                .forEach(samples::add);
                        trial.step();
                    }
                    if (!samples.isEmpty()) {
                        worst = Math.max(worst, samples.max());
                    }
                    table.row(
                            question,
                            Figures.time(whole),
                            new Outcome.Cell(samples, Figures::time),
                            Figures.time(samples.max()));
                }
            }
        }
        outcome.finding(
                "in memory: the query ends within 50 ms",
                "at most " + Figures.time(worst),
                worst <= MEMORY_GOAL_NANOS);
    }

    private static void measure(
            Outcome outcome, Outcome.Table table, ServerUnderTest server, Trial trial)
            throws IOException, SQLException {
        double worst = 0;
        try (Connection connection = server.database().connect()) {
            for (Death death : Death.values()) {
                String what = server.label() + ", " + death.words;
                Samples samples = new Samples();
                for (int i = 0; i < trial.repetitions(); i++) {
                    trial.doing(what);
                    samples.add(millisecondsUntilGone(connection, server, death));
                    trial.step();
                }
                worst = Math.max(worst, samples.max());
                table.row(what, samples, samples.max());
            }
        }
        outcome.finding(
                server.label() + ": the query is gone within a second",
                "at most " + Figures.milliseconds(worst),
                worst <= GOAL_MILLISECONDS);
    }

    /** More at once than there are connections, so that each is used. */
    private static void afterwards(Outcome outcome, ServerUnderTest server) throws IOException {
        int all = CLIENTS_AFTERWARDS * REQUESTS_AFTERWARDS;
        Load.Expected expected = Load.Expected.rows("\n", 5001, "\n");
        String path = "/api/lineitem?format=csv&limit=5000";
        Load.Group group = new Load.Group(path, CLIENTS_AFTERWARDS, expected);
        LoadFigures figures = server.load(LIMIT, group.requests(REQUESTS_AFTERWARDS));
        outcome.finding(
                server.label() + ": connections usable, or evicted",
                "%d of %d exports afterwards were whole%s"
                        .formatted(
                                figures.completed(),
                                all,
                                figures.failures().isEmpty()
                                        ? ""
                                        : "; failures: " + figures.failures()),
                figures.completed() == all);
    }

    @SuppressWarnings("try") // closing in the middle is what is measured
    private static double millisecondsUntilGone(
            Connection connection, ServerUnderTest server, Death death)
            throws IOException, SQLException {
        TestDatabase.Kind kind = server.database().kind();
        try (Socket client = new Socket()) {
            if (death == Death.STALL) {
                client.setOption(StandardSocketOptions.SO_RCVBUF, 8192);
            }
            client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
            String request =
                    "GET /api/%s?format=csv HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
                            .formatted(LineitemDatabase.VIEW);
            client.getOutputStream().write(request.getBytes(ISO_8859_1));
            if (client.getInputStream().readNBytes(READ).length != READ) {
                throw new IOException("the export ended before it was to be broken off");
            }
            awaitQueries(connection, kind, true);
            if (death == Death.STALL) {
                LockSupport.parkNanos(STALL.toNanos());
            }
            if (death != Death.CLOSE) {
                client.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            long start = System.nanoTime();
            client.close();
            awaitQueries(connection, kind, false);
            return (System.nanoTime() - start) / 1e6;
        }
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
