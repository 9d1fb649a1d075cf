package dev.penstock.bench.pages;

import dev.penstock.bench.child.Answer;
import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Interleaved;
import dev.penstock.bench.experiment.Progress;
import dev.penstock.bench.experiment.Settings;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.report.Words;
import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How soon the first row of the presidents' page is there, by the number of its rows. */
public final class FirstRowExperiment implements Experiment {
    private static final List<Integer> ROWS = List.of(86, 129, 172, 301, 473, 989);
    private static final int REQUESTS = 100;
    private static final double GOAL_MILLISECONDS = 15;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final List<TestDatabase.Kind> DATABASES =
            List.of(TestDatabase.Kind.POSTGRESQL, TestDatabase.Kind.MARIADB, TestDatabase.Kind.H2);

    @Override
    public String name() {
        return "first-row";
    }

    @Override
    public String summary() {
        return "time to row 1 of the page, by its rows; about a minute";
    }

    @Override
    public Outcome run(Settings settings, Progress progress) throws Exception {
        List<TestDatabase.Kind> kinds = settings.databasesOr(DATABASES);
        String heap = settings.heapsOr("64m").getFirst();
        progress.steps((long) kinds.size() * ROWS.size() * (settings.repetitions() + 1));
        Outcome outcome = new Outcome(name(), "Time to the first row, heap " + heap);
        outcome.text(
                "One client asks for the page again and again; from its request to the first byte, to the first row and to the"
                        + " last byte, in milliseconds, medians. Local reads all rows before it writes the first.");
        try (LoadDriver driver = LoadDriver.start(settings.log("load-client"))) {
            for (TestDatabase.Kind kind : kinds) {
                try (TestDatabase database = PresidentsExperiment.database(kind);
                        ServerUnderTest server =
                                new ServerUnderTest(
                                        "first-row-" + kind,
                                        database,
                                        heap,
                                        4,
                                        true,
                                        settings.log("first-row-" + kind))) {
                    measure(outcome, kind, server, driver, settings, progress);
                }
            }
        }
        return outcome;
    }

    /** What pages of so many rows gave. */
    private record Times(
            int rows, Samples firstByte, Samples firstRow, Samples firstRowP99, Samples all) {
        private Times(int rows) {
            this(rows, new Samples(), new Samples(), new Samples(), new Samples());
        }

        private void add(LoadFigures figures) {
            firstByte.add(figures.firstByteMilliseconds());
            firstRow.add(figures.firstRowMilliseconds());
            firstRowP99.add(figures.firstRowP99Milliseconds());
            all.add(figures.p50Milliseconds());
        }
    }

    private static void measure(
            Outcome outcome,
            TestDatabase.Kind kind,
            ServerUnderTest server,
            LoadDriver driver,
            Settings settings,
            Progress progress)
            throws IOException, InterruptedException {
        List<Times> streaming = new ArrayList<>();
        List<Times> local = new ArrayList<>();
        for (int rows : ROWS) {
            streaming.add(new Times(rows));
            local.add(new Times(rows));
        }
        int requests = settings.scaled(REQUESTS);
        for (int i = -1; i < settings.repetitions(); i++) {
            for (int row : Interleaved.order(List.of(0, 1, 2, 3, 4, 5), Math.max(0, i))) {
                progress.doing(Words.database(kind) + ", " + ROWS.get(row) + " rows");
                LoadFigures first =
                        ask(server, driver, PageVariant.STREAMING, ROWS.get(row), requests);
                LoadFigures second =
                        ask(server, driver, PageVariant.LOCAL, ROWS.get(row), requests / 5 + 1);
                if (i >= 0) {
                    streaming.get(row).add(first);
                    local.get(row).add(second);
                }
                progress.step();
            }
        }
        report(outcome, kind, streaming, local);
    }

    private static LoadFigures ask(
            ServerUnderTest server, LoadDriver driver, PageVariant variant, int rows, int requests)
            throws IOException, InterruptedException {
        Load.Expected expected =
                PageVariant.expected(LoadDriver.get(server.port(), variant.path(rows)), rows);
        Load.Group group =
                new Load.Group("one", variant.path(rows), 1, requests, Duration.ZERO, 0, expected);
        LoadFigures figures =
                driver.runOne(new Load(server.port(), Duration.ZERO, PATIENCE, List.of(group)));
        if (figures.completed() != requests) {
            throw new IOException(
                    variant.name() + ", " + rows + " rows: failed, " + figures.failures());
        }
        return figures;
    }

    private static void report(
            Outcome outcome, TestDatabase.Kind kind, List<Times> streaming, List<Times> local) {
        String name = Words.database(kind);
        double least = streaming.getFirst().firstRow().median();
        double most = streaming.getLast().firstRow().median();
        outcome.finding(
                name + ": row 1 of the 989-row page within 15 ms",
                Words.milliseconds(most)
                        + " (p99 "
                        + Words.milliseconds(streaming.getLast().firstRowP99().median())
                        + ")",
                most <= GOAL_MILLISECONDS);
        outcome.finding(
                name + ": not growing with the number of rows",
                Words.milliseconds(least) + " at 86 rows, " + Words.milliseconds(most) + " at 989",
                most <= 1.25 * least + 0.5);
        List<List<String>> table = new ArrayList<>();
        for (int i = 0; i < streaming.size(); i++) {
            Times times = streaming.get(i);
            table.add(
                    List.of(
                            times.rows + " rows",
                            Words.number(times.firstByte.median()),
                            Words.number(times.firstRow.median()),
                            Words.number(times.firstRowP99.median()),
                            Words.number(times.all.median()),
                            Words.number(local.get(i).firstRow.median()),
                            Words.number(local.get(i).all.median())));
            Answer where =
                    new Answer(
                            Map.of("database", kind.name(), "rows", Integer.toString(times.rows)));
            outcome.measured("row 1", where, "ms", times.firstRow);
            outcome.measured("first byte", where, "ms", times.firstByte);
        }
        outcome.add(
                new Outcome.Table(
                        name + " (ms)",
                        List.of(
                                "",
                                "first byte",
                                "row 1",
                                "row 1, p99",
                                "last byte",
                                "local: row 1",
                                "local: last byte"),
                        table));
        outcome.add(
                new Outcome.Chart(
                        "Time to row 1: " + name,
                        "rows of the page",
                        "ms",
                        false,
                        List.of(series("streaming", streaming), series("local", local))));
    }

    private static Outcome.Series series(String name, List<Times> times) {
        return new Outcome.Series(
                name,
                times.stream().map(each -> (double) each.rows).toList(),
                times.stream().map(each -> each.firstRow.median()).toList());
    }
}
