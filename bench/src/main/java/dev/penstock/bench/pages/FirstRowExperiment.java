package dev.penstock.bench.pages;

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
import java.util.ArrayList;
import java.util.List;

/** The time to the first row of the presidents' page, by the number of its rows. */
public final class FirstRowExperiment extends Experiment {
    private static final List<Integer> ROWS = List.of(86, 129, 172, 301, 473, 989);
    private static final int REQUESTS = 100;
    private static final double GOAL_MILLISECONDS = 15;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** The experiment. */
    public FirstRowExperiment() {
        super("first-row", "time to row 1 of the page, by its rows; about a minute");
    }

    @Override
    public Outcome run(Trial trial) throws Exception {
        List<TestDatabase.Kind> kinds =
                trial.databases(
                        TestDatabase.Kind.POSTGRESQL,
                        TestDatabase.Kind.MARIADB,
                        TestDatabase.Kind.H2);
        String heap = trial.heap("64m");
        trial.steps((long) kinds.size() * ROWS.size() * 2 * (trial.repetitions() + 1));
        Outcome outcome = new Outcome(name(), "Time to the first row, heap " + heap);
        outcome.text(
                """
                One client asks for the page again and again; from its request to the first byte, to the first row and
                to the last byte, in milliseconds, medians. Local reads all rows before it writes the first.
                """);
        new ServerUnderTest.Plan(name(), heap, 4, ComparedPages::mount)
                .forEach(
                        kinds,
                        ComparedPages::database,
                        trial,
                        server -> {
                            List<PageCell> cells = cells();
                            trial.interleave(
                                    1,
                                    server.label() + ", ",
                                    cells,
                                    (cell, counts) -> cell.add(ask(server, cell, trial), counts));
                            report(outcome, server.label(), cells);
                        });
        return outcome;
    }

    private static List<PageCell> cells() {
        List<PageCell> cells = new ArrayList<>();
        for (int rows : ROWS) {
            cells.add(new PageCell(PageVariant.STREAMING, rows, 1));
            cells.add(new PageCell(PageVariant.LOCAL, rows, 1));
        }
        return cells;
    }

    private static LoadFigures ask(ServerUnderTest server, PageCell cell, Trial trial)
            throws IOException, InterruptedException {
        int all = trial.scaled(REQUESTS);
        int requests = cell.variant.equals(PageVariant.STREAMING) ? all : all / 5 + 1;
        Load.Group group = cell.group(cell.variant.expected(server, cell.rows));
        LoadFigures figures = server.load(TIMEOUT, group.requests(requests));
        if (figures.completed() != requests) {
            throw new IOException(cell + " failed: " + figures.failures());
        }
        return figures;
    }

    private static Samples firstRow(PageCell cell) {
        return cell.samples(figures -> figures.firstRow().p50());
    }

    private static void report(Outcome outcome, String name, List<PageCell> cells) {
        PageCell longest = cells.get(cells.size() - 2);
        double least = firstRow(cells.getFirst()).median();
        double most = firstRow(longest).median();
        outcome.finding(
                name + ": row 1 of the 989-row page within 15 ms",
                "%s (p99 %s)"
                        .formatted(
                                Figures.milliseconds(most),
                                Figures.milliseconds(
                                        longest.samples(each -> each.firstRow().p99()).median())),
                most <= GOAL_MILLISECONDS);
        outcome.finding(
                name + ": not growing with the number of rows",
                "%s at 86 rows, %s at 989"
                        .formatted(Figures.milliseconds(least), Figures.milliseconds(most)),
                most <= 1.25 * least + 0.5);
        Outcome.Table table =
                outcome.table(
                        name + " (ms)",
                        "|first byte|row 1|row 1, p99|last byte|local: row 1|local: last byte");
        Outcome.Chart chart =
                outcome.chart("Time to row 1: " + name, "rows of the page", "milliseconds");
        for (int i = 0; i < cells.size(); i += 2) {
            PageCell streaming = cells.get(i);
            PageCell local = cells.get(i + 1);
            Samples firstByte = streaming.samples(each -> each.firstByte().p50());
            table.row(
                    streaming.rows + " rows",
                    firstByte,
                    firstRow(streaming),
                    streaming.samples(each -> each.firstRow().p99()),
                    streaming.samples(each -> each.latency().p50()),
                    firstRow(local),
                    local.samples(each -> each.latency().p50()));
            chart.point("streaming", streaming.rows, firstRow(streaming).median());
            chart.point("local", local.rows, firstRow(local).median());
        }
    }
}
