package dev.penstock.bench.export;

import dev.penstock.bench.child.Answer;
import dev.penstock.bench.child.Child;
import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Interleaved;
import dev.penstock.bench.experiment.Progress;
import dev.penstock.bench.experiment.Settings;
import dev.penstock.bench.pages.ServerUnderTest;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.report.Words;
import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The export of a million rows of {@link Lineitems}: over HTTP, and by a cursor into nothing, against what the drivers can
 * do themselves.
 */
public final class ExportExperiment implements Experiment {
    private static final long ROWS = 1_000_000;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final List<TestDatabase.Kind> DATABASES =
            List.of(TestDatabase.Kind.POSTGRESQL, TestDatabase.Kind.MARIADB);

    /** Something that exports. */
    private sealed interface Contender {
        String name();
    }

    /** In a JVM of its own, into nothing. */
    private record Direct(String name, ExportClient.Way way, String format) implements Contender {}

    /** From a server to a client. */
    private record OverHttp(String name, String path) implements Contender {}

    /**
     * A speed to be reached.
     *
     * @param contender whose
     * @param reference of what
     * @param ratio that share
     */
    private record Goal(String contender, String reference, double ratio) {}

    @Override
    public String name() {
        return "export";
    }

    @Override
    public String summary() {
        return "1 million rows as CSV, JSON, NDJSON, against COPY and bare JDBC; about 6 minutes";
    }

    private static List<Contender> contenders(TestDatabase.Kind kind) {
        List<Contender> contenders = new ArrayList<>();
        if (kind == TestDatabase.Kind.POSTGRESQL) {
            contenders.add(new Direct("COPY as csv", ExportClient.Way.COPY, "csv"));
            contenders.add(new Direct("COPY as text", ExportClient.Way.COPY, "text"));
        }
        contenders.add(new Direct("JDBC", ExportClient.Way.JDBC, ""));
        contenders.add(new Direct("JDBC, condition", ExportClient.Way.JDBC_WHERE, ""));
        String condition = "&l_quantity=gte." + ExportClient.LEAST_QUANTITY;
        for (String format : List.of("csv", "json", "ndjson")) {
            contenders.add(new Direct("cursor, " + format, ExportClient.Way.CURSOR, format));
            contenders.add(new OverHttp("HTTP, " + format, "/api/lineitem?format=" + format));
        }
        contenders.add(new Direct("cursor, condition, csv", ExportClient.Way.CURSOR_WHERE, "csv"));
        contenders.add(
                new OverHttp("HTTP, condition, csv", "/api/lineitem?format=csv" + condition));
        contenders.add(
                new OverHttp("HTTP, condition, json", "/api/lineitem?format=json" + condition));
        return contenders;
    }

    private static List<Goal> goals(TestDatabase.Kind kind) {
        if (kind == TestDatabase.Kind.POSTGRESQL) {
            return List.of(
                    new Goal("cursor, csv", "COPY as csv", 0.95),
                    new Goal("HTTP, csv", "COPY as csv", 0.95),
                    new Goal("cursor, json", "COPY as csv", 0.75),
                    new Goal("HTTP, json", "COPY as csv", 0.75),
                    new Goal("cursor, condition, csv", "JDBC, condition", 0.85),
                    new Goal("HTTP, condition, csv", "JDBC, condition", 0.85),
                    new Goal("HTTP, condition, json", "JDBC, condition", 0.85));
        }
        return List.of(
                new Goal("cursor, csv", "JDBC", 0.85),
                new Goal("HTTP, csv", "JDBC", 0.85),
                new Goal("cursor, json", "JDBC", 0.85),
                new Goal("HTTP, json", "JDBC", 0.85),
                new Goal("cursor, condition, csv", "JDBC, condition", 0.85),
                new Goal("HTTP, condition, csv", "JDBC, condition", 0.85),
                new Goal("HTTP, condition, json", "JDBC, condition", 0.85));
    }

    @Override
    public Outcome run(Settings settings, Progress progress) throws Exception {
        List<TestDatabase.Kind> kinds = settings.databasesOr(DATABASES);
        String heap = settings.heapsOr("64m").getFirst();
        long rows = Math.max(1000, (long) (ROWS * settings.scale()));
        progress.steps(
                kinds.stream().mapToLong(kind -> contenders(kind).size()).sum()
                        * (settings.repetitions() + 1));
        Outcome outcome =
                new Outcome(
                        "export", "Export of " + Words.number((double) rows) + " rows, 16 columns");
        outcome.text(
                "Rows a second, medians; each contender in a JVM of its own with a heap of "
                        + heap
                        + ". COPY, JDBC and cursor end in nothing; HTTP goes over loopback to a client that reads and counts."
                        + " JDBC is a loop with typed getters over all columns, fetch size 1,000, autocommit off. The condition is"
                        + " l_quantity >= "
                        + ExportClient.LEAST_QUANTITY
                        + ", which most rows pass; rows are those that passed.");
        try (LoadDriver driver = LoadDriver.start(settings.log("load-client"))) {
            for (TestDatabase.Kind kind : kinds) {
                progress.doing("loading " + Words.database(kind));
                try (LineitemDatabase lineitems = LineitemDatabase.of(kind, rows);
                        Run run = new Run(lineitems.database(), heap, driver, settings)) {
                    report(outcome, kind, run.measure(contenders(kind), progress));
                }
            }
        }
        return outcome;
    }

    /** What one contender gave: how much it exports, and how fast it did. */
    private static final class Figures {
        private final Samples rowsPerSecond = new Samples();
        private final Samples bytesPerSecond = new Samples();
        private long rows;
        private long bytes;

        private void add(double seconds) {
            rowsPerSecond.add(rows / seconds);
            bytesPerSecond.add(bytes / seconds);
        }
    }

    private static void report(
            Outcome outcome, TestDatabase.Kind kind, Map<String, Figures> figures) {
        List<List<String>> table = new ArrayList<>();
        figures.forEach((name, each) -> {
            table.add(
                    List.of(
                            name,
                            Words.number(each.rowsPerSecond.median()),
                            Words.number(each.rowsPerSecond.min()),
                            Words.number(each.rowsPerSecond.max()),
                            Words.number(each.bytesPerSecond.median() / 1e6),
                            Long.toString(each.rows)));
            outcome.measured(
                    "export",
                    new Answer(Map.of("database", kind.name(), "contender", name)),
                    "rows/s",
                    each.rowsPerSecond);
        });
        for (Goal goal : goals(kind)) {
            Figures contender = of(figures, goal.contender);
            Figures reference = of(figures, goal.reference);
            double ratio = contender.rowsPerSecond.medianRatio(reference.rowsPerSecond);
            outcome.finding(
                    "%s: %s at least %.0f %% of %s"
                            .formatted(
                                    Words.database(kind),
                                    goal.contender,
                                    goal.ratio * 100,
                                    goal.reference),
                    "%s: %s of %s rows/s"
                            .formatted(
                                    Words.percent(ratio),
                                    Words.number(contender.rowsPerSecond.median()),
                                    Words.number(reference.rowsPerSecond.median())),
                    ratio >= goal.ratio);
        }
        outcome.add(
                new Outcome.Table(
                        Words.database(kind),
                        List.of("", "rows/s", "least", "most", "MB/s", "rows"),
                        table));
    }

    private static Figures of(Map<String, Figures> figures, String name) {
        Figures found = figures.get(name);
        if (found == null) {
            throw new IllegalArgumentException(name + " is none of " + figures.keySet());
        }
        return found;
    }

    /** The contenders on one database, each with its JVM. */
    private static final class Run implements AutoCloseable {
        private final TestDatabase database;
        private final String heap;
        private final LoadDriver driver;
        private final Settings settings;
        private final ServerUnderTest server;
        private final Map<String, Child> clients = new LinkedHashMap<>();
        private final Map<String, Figures> figures = new LinkedHashMap<>();

        private Run(TestDatabase database, String heap, LoadDriver driver, Settings settings) {
            this.database = database;
            this.heap = heap;
            this.driver = driver;
            this.settings = settings;
            String name = "export-server-" + database.kind();
            server = new ServerUnderTest(name, database, heap, 4, false, settings.log(name));
        }

        private Map<String, Figures> measure(List<Contender> contenders, Progress progress)
                throws IOException {
            for (Contender contender : contenders) {
                progress.doing(contender.name());
                figures.put(contender.name(), new Figures());
                warmUp(contender);
                progress.step();
            }
            for (int i = 0; i < settings.repetitions(); i++) {
                for (Contender contender : Interleaved.order(contenders, i)) {
                    progress.doing(contender.name());
                    Figures into = of(figures, contender.name());
                    into.add(
                            switch (contender) {
                                case Direct direct -> export(direct).number("nanos") / 1e9;
                                case OverHttp http -> seconds(http, into);
                            });
                    progress.step();
                }
            }
            return figures;
        }

        /** The first time also tells, and checks, how much there is. */
        private void warmUp(Contender contender) throws IOException {
            Figures into = of(figures, contender.name());
            switch (contender) {
                case Direct direct -> {
                    Answer answer = export(direct);
                    into.bytes = answer.whole("bytes");
                    into.rows =
                            switch (direct.way) {
                                case COPY, JDBC, JDBC_WHERE -> answer.whole("rows");
                                case CURSOR -> of(figures, "JDBC").rows;
                                case CURSOR_WHERE -> of(figures, "JDBC, condition").rows;
                            };
                }
                case OverHttp http -> {
                    boolean condition = http.name.contains("condition");
                    into.rows = of(figures, condition ? "JDBC, condition" : "JDBC").rows;
                    // Each row has one, and in CSV the header too.
                    Load.Expected expected =
                            http.path.contains("=csv")
                                    ? new Load.Expected(
                                            0, Long.MAX_VALUE, "\n", "\n", into.rows + 1)
                                    : new Load.Expected(
                                            0, Long.MAX_VALUE, "", "l_orderkey", into.rows);
                    into.bytes = (long) get(http, expected).meanBytes();
                }
            }
        }

        private double seconds(OverHttp http, Figures known) throws IOException {
            Load.Expected expected = new Load.Expected(known.bytes, known.bytes, "", "", 0);
            return get(http, expected).maxMilliseconds() / 1000;
        }

        private LoadFigures get(OverHttp http, Load.Expected expected) throws IOException {
            Load.Group group = new Load.Group("one", http.path, 1, 1, Duration.ZERO, 0, expected);
            LoadFigures figures =
                    driver.runOne(new Load(server.port(), Duration.ZERO, PATIENCE, List.of(group)));
            if (figures.completed() != 1) {
                throw new IOException(
                        http.path + " was not exported: " + figures.failures() + "; see the logs");
            }
            return figures;
        }

        private Answer export(Direct direct) throws IOException {
            Child client = clients.get(direct.name);
            if (client == null) {
                client = startClient(direct.name);
                clients.put(direct.name, client);
            }
            return client.ask(
                    "export",
                    new Answer(Map.of("way", direct.way.name(), "format", direct.format)),
                    PATIENCE);
        }

        private Child startClient(String name) throws IOException {
            Answer arguments =
                    new Answer(
                            Map.of(
                                    "url", database.url(),
                                    "user", database.user(),
                                    "password", database.password()));
            return Child.start(
                    name,
                    ExportClient.class,
                    heap,
                    List.of(arguments.line()),
                    settings.log("export-" + database.kind() + "-" + name.replaceAll("\\W+", "-")));
        }

        @Override
        public void close() {
            clients.values().forEach(Child::close);
            server.close();
        }
    }
}
