package dev.penstock.bench.pages;

import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The report of {@link PresidentsExperiment}: a table of requests a minute, one of latencies and memory, and charts.
 */
record PresidentsReport(List<PageGrid> grids) {
    /** How much slower streaming may be than local. */
    private static final double GOAL = 0.97;

    Outcome outcome(Trial trial) {
        Outcome outcome =
                new Outcome(
                        "presidents",
                        "A page of presidents, streamed"
                                + (trial.full() ? "" : " (the corners of the grid)"));
        outcome.text(
                """
                A page with a picture and a text in each row is written while its rows come from the database
                (streaming), beside what people would otherwise do: read a list of objects first (local), serialise
                that list in between, as from another process (remote), or hand the template an iterable (lazy).
                Requests a minute and the rest are medians over the repetitions, which take turns between the variants.
                %d requests run at once, each with a connection from a pool of the same size; the others wait, the same
                for every variant. An empty cell is a variant that failed there: a request that was not answered whole,
                mostly for want of memory. Peak live heap is the largest live set after a collection, less the idle
                server's, measured in the run that warms up, with a forced collection ten times a second.
                """
                        .formatted(PresidentsExperiment.RUNNING));
        findings(outcome);
        for (PageGrid grid : grids) {
            requests(outcome, grid);
            details(outcome, grid);
            int fewest = grid.clients().getFirst();
            int most = grid.clients().getLast();
            chart(outcome, grid, "Requests a minute", fewest, cell -> cell.requests().median());
            chart(outcome, grid, "Peak live heap in MB", most, cell -> cell.liveBytes / 1e6);
        }
        return outcome;
    }

    private void findings(Outcome outcome) {
        List<PageCell> failed = new ArrayList<>();
        int cells = 0;
        double worst = Double.POSITIVE_INFINITY;
        String where = "";
        for (PageGrid grid : grids) {
            for (PageCell cell : grid.sorted()) {
                if (cell.variant.equals(PageVariant.STREAMING)) {
                    cells++;
                    if (!cell.survived()) {
                        failed.add(cell);
                    }
                    double ratio = toLocal(grid, cell);
                    where = ratio < worst ? grid.title() + ", " + cell.place() : where;
                    worst = Math.min(worst, ratio);
                }
            }
        }
        outcome.finding(
                "Streaming fails in no cell",
                failed.isEmpty()
                        ? "no failure in " + cells + " cells"
                        : failed.stream()
                                .map(cell -> cell.place() + " " + cell.failures)
                                .collect(Collectors.joining("; ")),
                failed.isEmpty());
        if (worst < Double.POSITIVE_INFINITY) {
            outcome.finding(
                    "Streaming is at most 3 % slower than local where local survives",
                    "at worst " + Figures.percent(worst) + " of local's speed (" + where + ")",
                    worst >= GOAL);
        }
    }

    /** Returns streaming's speed by local's; infinite where there is nothing to compare. */
    private static double toLocal(PageGrid grid, PageCell streaming) {
        return grid.survivor(PageVariant.LOCAL, streaming.rows, streaming.clients)
                .filter(_ -> streaming.survived())
                .map(local -> streaming.requests().medianRatio(local.requests()))
                .orElse(Double.POSITIVE_INFINITY);
    }

    private static void requests(Outcome outcome, PageGrid grid) {
        List<String> header = new ArrayList<>(List.of(""));
        grid.clients().forEach(clients -> header.add(clients + " clients"));
        Outcome.Table table = outcome.table("Requests a minute: " + grid.title(), header);
        for (int rows : grid.distinct(cell -> cell.rows)) {
            table.row(rows + " rows", Collections.nCopies(grid.clients().size(), ""));
            for (PageVariant variant : grid.distinct(cell -> cell.variant)) {
                List<Samples> cells =
                        grid.clients().stream()
                                .map(clients -> grid.survivor(variant, rows, clients))
                                .map(cell -> cell.map(PageCell::requests).orElseGet(Samples::new))
                                .toList();
                table.row(variant, cells);
            }
        }
    }

    private static void details(Outcome outcome, PageGrid grid) {
        Outcome.Table table =
                outcome.table(
                        "Latency (ms, with the wait for admission) and memory (MB): "
                                + grid.title(),
                        "|mean|p99|first byte|row 1|peak live heap|resident|failures");
        for (PageCell cell : grid.sorted()) {
            table.row(
                    cell.place() + ", " + cell.variant,
                    cell.latency(latency -> latency.mean()),
                    cell.latency(latency -> latency.p99()),
                    cell.samples(each -> each.firstByte().p50()),
                    cell.samples(each -> each.firstRow().p50()),
                    cell.liveBytes / 1e6,
                    cell.residentBytes / 1e6,
                    failures(cell));
        }
    }

    private static String failures(PageCell cell) {
        if (cell.failures.isEmpty() && !Double.isNaN(cell.wholeRoundSeconds)) {
            return "none; all %d served in %s s"
                    .formatted(cell.clients, Figures.number(cell.wholeRoundSeconds));
        }
        return cell.failures.entrySet().stream()
                .map(each -> each.getValue() + " " + each.getKey())
                .collect(Collectors.joining(", "));
    }

    private static void chart(
            Outcome outcome,
            PageGrid grid,
            String figure,
            int clients,
            ToDoubleFunction<PageCell> value) {
        Outcome.Chart chart =
                outcome.chart(
                        "%s, %d clients: %s".formatted(figure, clients, grid.title()),
                        "rows of the page",
                        figure);
        grid.sorted().stream()
                .filter(cell -> cell.clients == clients && cell.survived())
                .forEach(cell ->
                        chart.point(cell.variant.name(), cell.rows, value.applyAsDouble(cell)));
    }
}
