package dev.penstock.bench.pages;

import dev.penstock.bench.client.Load;
import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.server.ServerUnderTest;
import dev.penstock.databases.TestDatabase;
import java.time.Duration;
import java.util.List;

/**
 * The reasons for which a page that a servlet streams over plain JDBC can be slower than one from a list: each of the
 * choices that such a servlet makes, and a list does not have to, is taken by itself and together with the others.
 */
public final class StreamingCostExperiment extends Experiment {
    private static final int ROWS = 172;
    private static final int CLIENTS = 4;
    private static final Duration WINDOW = Duration.ofMillis(2500);

    private static final List<PageVariant> VARIANTS =
            List.of(
                    new PageVariant("local (a list)", "/local?"),
                    new PageVariant("local, new connection", "/local?connect&"),
                    new PageVariant("streaming", "/presidents?"),
                    new PageVariant("row by row, all fetched at once", "/by-rows?fetch=0&"),
                    new PageVariant("row by row, fetch size 1000", "/by-rows?fetch=1000&"),
                    new PageVariant("row by row, fetch size 10", "/by-rows?fetch=10&"),
                    new PageVariant(
                            "the same, and each row sent at once", "/by-rows?fetch=10&flush&"),
                    new PageVariant("the same, and a new connection", "/by-rows?fetch=10&connect&"),
                    new PageVariant("all three", "/by-rows?fetch=10&flush&connect&"));

    /** The experiment. */
    public StreamingCostExperiment() {
        super(
                "streaming-cost",
                "why streaming by a servlet can be slower than a list; about 7 minutes");
    }

    @Override
    public Outcome run(Trial trial) throws Exception {
        // MySQL's driver fetches by a server-side cursor only if it is told so in the URL.
        List<TestDatabase.Kind> kinds =
                trial.databases(
                        TestDatabase.Kind.POSTGRESQL,
                        TestDatabase.Kind.MARIADB,
                        TestDatabase.Kind.MYSQL);
        String heap = trial.heap("1g");
        trial.steps((long) kinds.size() * VARIANTS.size() * (trial.repetitions() + 1));
        Outcome outcome =
                new Outcome(name(), "What makes streaming slower than a list, heap " + heap);
        outcome.text(
                """
                The page of %d rows for %d clients. Local reads a list by the driver's defaults, which is one bulk
                fetch. A servlet that streams may use a server-side cursor, ten rows a round trip, a connection that it
                opens for each request, and small writes. Each of those by itself and together, against local in the
                same repetition.
                """
                        .formatted(ROWS, CLIENTS));
        // All variants from one server, whose heap is large enough for any.
        new ServerUnderTest.Plan(name(), heap, PresidentsExperiment.RUNNING, ComparedPages::mount)
                .forEach(
                        kinds,
                        ComparedPages::database,
                        trial,
                        server -> measure(server, trial, outcome));
        return outcome;
    }

    private static void measure(ServerUnderTest server, Trial trial, Outcome outcome)
            throws Exception {
        List<PageCell> cells =
                VARIANTS.stream().map(variant -> new PageCell(variant, ROWS, CLIENTS)).toList();
        Load.Expected expected = PageVariant.STREAMING.expected(server, ROWS);
        Duration window = trial.scaled(WINDOW, Duration.ofMillis(200));
        trial.interleave(
                1,
                server.label() + ", ",
                cells,
                (cell, counts) -> {
                    Load.Group group = cell.group(expected);
                    cell.add(server.load(window.dividedBy(5), window, group), counts);
                    server.settle();
                });
        Outcome.Table table =
                outcome.table(server.label(), "|requests/min|to local|row 1 (ms)|failures");
        Samples local = cells.getFirst().requests();
        for (PageCell cell : cells) {
            Samples requests = cell.requests();
            table.row(
                    cell.variant,
                    requests,
                    Figures.percent(requests.medianRatio(local) - 1),
                    cell.samples(each -> each.firstRow().p50()),
                    cell.failures.isEmpty() ? "none" : cell.failures);
        }
    }
}
