package dev.penstock.bench.export;

import dev.penstock.bench.child.Answer;
import dev.penstock.bench.child.HeapWatch;
import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Progress;
import dev.penstock.bench.experiment.Settings;
import dev.penstock.bench.pages.ServerUnderTest;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.report.Words;
import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Ten million rows in one response from a server with a heap of 64 MB: what is alive in it meanwhile. */
public final class MemoryExperiment implements Experiment {
    private static final long ROWS = 1_000_000;

    /** How often {@link LineitemDatabase#VIEW} repeats the rows. */
    private static final int TIMES = 10;

    private static final double FLAT_BYTES = 8e6;
    private static final Duration COLLECT = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofMinutes(20);
    private static final List<TestDatabase.Kind> DATABASES =
            List.of(TestDatabase.Kind.POSTGRESQL, TestDatabase.Kind.MARIADB, TestDatabase.Kind.H2);

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String summary() {
        return "10 million rows in one response at 64 MB: the live heap over time; about 4 minutes";
    }

    @Override
    public Outcome run(Settings settings, Progress progress) throws Exception {
        List<TestDatabase.Kind> kinds = settings.databasesOr(DATABASES);
        String heap = settings.heapsOr("64m").getFirst();
        long rows = Math.max(1000, (long) (ROWS * settings.scale()));
        progress.steps(kinds.size() * 2L);
        Outcome outcome =
                new Outcome(
                        name(),
                        Words.number((double) rows * TIMES)
                                + " rows in one response, heap "
                                + heap);
        outcome.text(
                "One CSV response, counted to its last row by the client. The live heap is what full collections leave,"
                        + " which are forced twice a second; young collections leave garbage of the old generation as well.");
        List<List<String>> table = new ArrayList<>();
        List<Outcome.Series> series = new ArrayList<>();
        try (LoadDriver driver = LoadDriver.start(settings.log("load-client"))) {
            for (TestDatabase.Kind kind : kinds) {
                progress.doing("loading " + Words.database(kind));
                try (LineitemDatabase lineitems = LineitemDatabase.of(kind, rows)) {
                    progress.step();
                    progress.doing("reading " + Words.database(kind));
                    export(outcome, table, series, lineitems, heap, driver, settings);
                    progress.step();
                }
            }
        }
        outcome.add(
                new Outcome.Table(
                        "Memory",
                        List.of(
                                "",
                                "rows",
                                "MB sent",
                                "seconds",
                                "MB/s",
                                "live heap, least",
                                "live heap, most",
                                "idle before",
                                "after any collection",
                                "collections",
                                "resident"),
                        table));
        outcome.add(
                new Outcome.Chart(
                        "Live heap after full collections", "seconds", "MB", false, series));
        return outcome;
    }

    private static void export(
            Outcome outcome,
            List<List<String>> table,
            List<Outcome.Series> series,
            LineitemDatabase lineitems,
            String heap,
            LoadDriver driver,
            Settings settings)
            throws IOException, SQLException {
        TestDatabase.Kind kind = lineitems.database().kind();
        String name = "memory-" + kind;
        try (ServerUnderTest server =
                new ServerUnderTest(
                        name, lineitems.database(), heap, 2, false, settings.log(name))) {
            // One small answer first, so that what is made once is not taken for growth.
            LoadFigures warm = get(server, driver, "&limit=20000", 20_000 + 1);
            server.watch(COLLECT);
            long rows = lineitems.rows() * TIMES;
            LoadFigures figures = get(server, driver, "", rows + 1);
            ServerUnderTest.Heap seen = server.heap();
            List<HeapWatch.Point> full =
                    seen.points().stream().filter(HeapWatch.Point::full).toList();
            double least = full.stream().mapToLong(HeapWatch.Point::usedBytes).min().orElse(0);
            boolean whole = figures.completed() == 1 && (warm.completed() == 1 || rows < 20_000);
            outcome.finding(
                    Words.database(kind) + ": live heap flat within 8 MB",
                    whole
                            ? Words.megabytes(least)
                                    + " to "
                                    + Words.megabytes(seen.afterFullBytes())
                                    + " over "
                                    + Words.megabytes(figures.meanBytes())
                            : "not a whole answer: " + figures.failures() + warm.failures(),
                    whole && !full.isEmpty() && seen.afterFullBytes() - least <= FLAT_BYTES);
            double seconds = figures.maxMilliseconds() / 1000;
            table.add(
                    List.of(
                            Words.database(kind),
                            Words.number((double) rows),
                            Words.number(figures.meanBytes() / 1e6),
                            Words.number(seconds),
                            Words.number(figures.meanBytes() / 1e6 / seconds),
                            Words.megabytes(least),
                            Words.megabytes(seen.afterFullBytes()),
                            Words.megabytes(seen.idleBytes()),
                            Words.megabytes(seen.afterAnyBytes()),
                            Long.toString(seen.collections()),
                            Words.megabytes(seen.residentBytes())));
            series.add(
                    new Outcome.Series(
                            Words.database(kind),
                            full.stream().map(point -> point.milliseconds() / 1000.0).toList(),
                            full.stream().map(point -> point.usedBytes() / 1e6).toList()));
            Answer where = new Answer(Map.of("database", kind.name(), "heap", heap));
            Samples live = new Samples();
            full.forEach(point -> live.add((double) point.usedBytes()));
            outcome.measured("live heap", where, "bytes", live);
        }
    }

    private static LoadFigures get(
            ServerUnderTest server, LoadDriver driver, String query, long lines)
            throws IOException {
        Load.Group group =
                new Load.Group(
                        "one",
                        "/api/" + LineitemDatabase.VIEW + "?format=csv" + query,
                        1,
                        1,
                        Duration.ZERO,
                        0,
                        new Load.Expected(0, Long.MAX_VALUE, "\n", "\n", lines));
        return driver.runOne(new Load(server.port(), Duration.ZERO, PATIENCE, List.of(group)));
    }
}
