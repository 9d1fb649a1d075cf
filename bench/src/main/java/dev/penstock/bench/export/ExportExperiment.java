package dev.penstock.bench.export;

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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The export of a million rows of {@link Lineitems}: over HTTP, and by a cursor into nothing, against what the
 * drivers can do themselves.
 */
public final class ExportExperiment extends Experiment {
    private static final long ROWS = 1_000_000;
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    /** Something that exports, and what it gave: how much it exports, and how fast it did. */
    private static final class Contender {
        private final String name;
        private final Export export;
        private final Samples rowsPerSecond = new Samples();
        private long rows;
        private long bytes;

        private Contender(String name, Export export) {
            this.name = name;
            this.export = export;
        }

        boolean hasCondition() {
            return name.contains("condition");
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** One export of everything. */
    private interface Export {
        DirectExport.Amount by(Contender contender) throws IOException;
    }

    /**
     * A speed to be reached.
     *
     * @param contender whose
     * @param reference of what
     * @param ratio that share
     */
    private record Goal(String contender, String reference, double ratio) {}

    /** The experiment. */
    public ExportExperiment() {
        super(
                "export",
                "1 million rows as CSV, JSON, NDJSON, against COPY and bare JDBC; about 6 minutes");
    }

    private static List<Goal> goals(TestDatabase.Kind kind) {
        boolean copies = kind == TestDatabase.Kind.POSTGRESQL;
        String reference = copies ? "COPY as csv" : "JDBC";
        List<Goal> goals = new ArrayList<>();
        for (String format : List.of("csv", "json")) {
            double ratio = !copies ? 0.85 : format.equals("csv") ? 0.95 : 0.75;
            goals.add(new Goal("cursor, " + format, reference, ratio));
            goals.add(new Goal("HTTP, " + format, reference, ratio));
        }
        for (String contender :
                List.of(
                        "cursor, condition, csv",
                        "HTTP, condition, csv",
                        "HTTP, condition, json")) {
            goals.add(new Goal(contender, "JDBC, condition", 0.85));
        }
        return goals;
    }

    @Override
    public Outcome run(Trial trial) throws Exception {
        List<TestDatabase.Kind> kinds = trial.databases();
        String heap = trial.heap("64m");
        long rows = trial.scaled(ROWS, 1000);
        // PostgreSQL has two more than the others.
        trial.steps((long) kinds.size() * 12 * (trial.repetitions() + 1));
        String title = "Export of " + Figures.number(rows) + " rows, 16 columns";
        Outcome outcome = new Outcome(name(), title);
        outcome.text(
                """
                Rows a second, medians; each contender in a JVM of its own with a heap of %s. COPY, JDBC and cursor end
                in nothing; HTTP goes over loopback to a client that reads and counts. JDBC is a loop with typed
                getters over all columns, fetch size 1,000, autocommit off. The condition is l_quantity >= %d, which
                most rows pass; rows are those that passed.
                """
                        .formatted(heap, DirectExport.LEAST_QUANTITY));
        new ServerUnderTest.Plan("export-server", heap, 4)
                .forEach(
                        kinds,
                        kind -> LineitemDatabase.of(kind, rows),
                        trial,
                        server -> {
                            try (Run run = new Run(server, heap, trial)) {
                                run.measure();
                                report(outcome, server, run.contenders);
                            }
                        });
        return outcome;
    }

    private static Contender of(Map<String, Contender> contenders, String name) {
        return Objects.requireNonNull(contenders.get(name), name);
    }

    private static void report(
            Outcome outcome, ServerUnderTest server, Map<String, Contender> contenders) {
        Outcome.Table table = outcome.table(server.label(), "|rows/s|least|most|MB/s|rows");
        for (Contender each : contenders.values()) {
            Samples speed = each.rowsPerSecond;
            double megabytes = speed.median() / each.rows * each.bytes / 1e6;
            Object shown = each.bytes == 0 ? "" : megabytes;
            table.row(each, speed, speed.min(), speed.max(), shown, each.rows);
        }
        for (Goal goal : goals(server.database().kind())) {
            Samples own = of(contenders, goal.contender).rowsPerSecond;
            Samples reference = of(contenders, goal.reference).rowsPerSecond;
            double ratio = own.medianRatio(reference);
            outcome.finding(
                    "%s: %s at least %.0f %% of %s"
                            .formatted(
                                    server.label(),
                                    goal.contender,
                                    goal.ratio * 100,
                                    goal.reference),
                    "%s: %s of %s rows/s"
                            .formatted(
                                    Figures.percent(ratio),
                                    Figures.number(own.median()),
                                    Figures.number(reference.median())),
                    ratio >= goal.ratio);
        }
    }

    /** The contenders on one database, each with its JVM. */
    private static final class Run implements AutoCloseable {
        private final ServerUnderTest server;
        private final String heap;
        private final Trial trial;
        private final List<Child<DirectExport>> children = new ArrayList<>();
        private final Map<String, Contender> contenders = new LinkedHashMap<>();

        private Run(ServerUnderTest server, String heap, Trial trial) throws IOException {
            this.server = server;
            this.heap = heap;
            this.trial = trial;
            if (server.database().kind() == TestDatabase.Kind.POSTGRESQL) {
                direct("COPY as csv", child -> child.copy("csv"));
                direct("COPY as text", child -> child.copy("text"));
            }
            direct("JDBC", child -> child.jdbc(false));
            direct("JDBC, condition", child -> child.jdbc(true));
            for (String format : List.of("csv", "json", "ndjson")) {
                direct("cursor, " + format, child -> child.cursor(format, false));
                overHttp("HTTP, " + format, format);
            }
            direct("cursor, condition, csv", child -> child.cursor("csv", true));
            overHttp("HTTP, condition, csv", "csv");
            overHttp("HTTP, condition, json", "json");
        }

        private void direct(String name, Child.Task<DirectExport, DirectExport.Amount> task)
                throws IOException {
            DatabaseAddress from = DatabaseAddress.of(server.database());
            Path log = trial.log("export-" + name.replaceAll("\\W+", "-"));
            Child<DirectExport> child = Child.start(name, heap, log, () -> new DirectExport(from));
            children.add(child);
            contenders.put(name, new Contender(name, _ -> child.call(TIMEOUT, task)));
        }

        private void overHttp(String name, String format) {
            contenders.put(name, new Contender(name, contender -> get(contender, format)));
        }

        /** Gets an export. The first one is checked to have all rows, the others to have as many bytes. */
        private DirectExport.Amount get(Contender contender, String format) throws IOException {
            String condition =
                    contender.hasCondition()
                            ? "&l_quantity=gte." + DirectExport.LEAST_QUANTITY
                            : "";
            String path = "/api/lineitem?format=" + format + condition;
            // Each row has one, and in CSV the header too.
            Load.Expected rows =
                    format.equals("csv")
                            ? Load.Expected.rows("\n", contender.rows + 1, "\n")
                            : Load.Expected.rows("l_orderkey", contender.rows, "");
            long bytes = contender.bytes;
            Load.Expected expected = bytes == 0 ? rows : new Load.Expected(bytes, bytes, "", "", 0);
            LoadFigures figures =
                    server.load(TIMEOUT, new Load.Group(path, 1, expected).requests(1));
            if (figures.completed() != 1) {
                throw new IOException(
                        path + " was not exported: " + figures.failures() + "; see the logs");
            }
            double seconds = figures.latency().max() / 1000;
            return new DirectExport.Amount(0, (long) figures.meanBytes(), seconds);
        }

        private void measure() throws Exception {
            for (Contender contender : contenders.values()) {
                trial.doing(contender + ", warming up");
                Contender counted =
                        of(contenders, contender.hasCondition() ? "JDBC, condition" : "JDBC");
                contender.rows = counted.rows;
                DirectExport.Amount amount = contender.export.by(contender);
                contender.bytes = amount.bytes();
                contender.rows = Math.max(amount.rows(), contender.rows);
                trial.step();
            }
            trial.interleave(
                    0,
                    "",
                    List.copyOf(contenders.values()),
                    (contender, _) ->
                            contender.rowsPerSecond.add(
                                    contender.rows / contender.export.by(contender).seconds()));
        }

        @Override
        public void close() {
            children.forEach(Child::close);
        }
    }
}
