package dev.penstock.bench.export;

import dev.penstock.bench.child.HeapWatch;
import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.server.ServerUnderTest;
import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The live heap of a server of 64 MB that sends ten million rows in one response. */
public final class MemoryExperiment extends Experiment {
    private static final long ROWS = 1_000_000;

    /** How often {@link LineitemDatabase#VIEW} repeats the rows. */
    private static final int TIMES = 10;

    private static final int WARM_UP_ROWS = 20_000;
    private static final double FLAT_BYTES = 8e6;
    private static final Duration COLLECT = Duration.ofMillis(500);
    private static final Duration TIMEOUT = Duration.ofMinutes(20);

    /** The experiment. */
    public MemoryExperiment() {
        super(
                "memory",
                "10 million rows in one response at 64 MB: the live heap over time; about 4 minutes");
    }

    @Override
    public Outcome run(Trial trial) throws Exception {
        List<TestDatabase.Kind> kinds =
                trial.databases(
                        TestDatabase.Kind.POSTGRESQL,
                        TestDatabase.Kind.MARIADB,
                        TestDatabase.Kind.H2);
        String heap = trial.heap("64m");
        long rows = trial.scaled(ROWS, 1000);
        trial.steps(kinds.size());
        String title = Figures.number(rows * TIMES) + " rows in one response, heap " + heap;
        Outcome outcome = new Outcome(name(), title);
        outcome.text(
                """
                One CSV response, counted to its last row by the client. The live heap is what full collections leave,
                which are forced twice a second.
                """);
        Outcome.Table table =
                outcome.table(
                        "Memory",
                        "|rows|MB sent|seconds|MB/s|live heap, least|live heap, most|idle before"
                                + "|collections|resident");
        Outcome.Chart chart = outcome.chart("Live heap after full collections", "seconds", "MB");
        new ServerUnderTest.Plan(name(), heap, 2)
                .forEach(
                        kinds,
                        kind -> LineitemDatabase.of(kind, rows),
                        trial,
                        server -> {
                            trial.doing("reading " + server.label());
                            export(outcome, table, chart, server, rows * TIMES);
                            trial.step();
                        });
        return outcome;
    }

    private static void export(
            Outcome outcome,
            Outcome.Table table,
            Outcome.Chart chart,
            ServerUnderTest server,
            long rows)
            throws IOException {
        // One small answer first, so that what is made once is not taken for growth.
        LoadFigures warm = get(server, "&limit=" + WARM_UP_ROWS, WARM_UP_ROWS + 1);
        long idle = server.watch(COLLECT);
        LoadFigures figures = get(server, "", rows + 1);
        HeapWatch.Seen seen = server.heap();
        Samples live = seen.draw(chart, server.label(), 0);
        boolean whole = figures.completed() == 1 && (warm.completed() == 1 || rows < WARM_UP_ROWS);
        String least = Figures.megabytes(live.min());
        String most = Figures.megabytes(live.max());
        double sent = figures.meanBytes();
        double seconds = figures.latency().max() / 1000;
        outcome.finding(
                server.label() + ": live heap flat within 8 MB",
                whole
                        ? "%s to %s over %s".formatted(least, most, Figures.megabytes(sent))
                        : "not a whole answer: " + figures.failures() + warm.failures(),
                whole && live.max() - live.min() <= FLAT_BYTES);
        table.row(
                server.label(),
                rows,
                sent / 1e6,
                seconds,
                sent / 1e6 / seconds,
                least,
                most,
                Figures.megabytes(idle),
                seen.collections(),
                Figures.megabytes(server.peakResidentBytes()));
    }

    private static LoadFigures get(ServerUnderTest server, String query, long lines)
            throws IOException {
        String path = "/api/" + LineitemDatabase.VIEW + "?format=csv" + query;
        Load.Expected expected = Load.Expected.rows("\n", lines, "\n");
        return server.load(TIMEOUT, new Load.Group(path, 1, expected).requests(1));
    }
}
