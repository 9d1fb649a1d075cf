package dev.penstock.bench.pages;

import dev.penstock.bench.child.Answer;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.experiment.Settings;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.report.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** What {@link PresidentsExperiment} found, in the article's layout. */
final class PresidentsOutcome {
    /** How much slower streaming may be than local. */
    private static final double GOAL = 0.97;

    private final List<PageGrid> grids;
    private final Outcome outcome;

    PresidentsOutcome(List<PageGrid> grids, Settings settings) {
        this.grids = grids;
        outcome =
                new Outcome(
                        "presidents",
                        "Streaming presidents"
                                + (settings.full() ? "" : " (the corners of the grid)"));
    }

    Outcome outcome() {
        outcome.text(
                "Requests a minute and the rest are medians over the repetitions, which take turns between the variants. "
                        + PresidentsExperiment.RUNNING
                        + " requests run at once, each with a connection from a pool of the same size; the others wait, the"
                        + " same for every variant. An empty cell is a variant that failed there: a request that was not"
                        + " answered whole, mostly for want of memory. Peak live heap is the largest live set after a"
                        + " collection, less the idle server's, measured in the run that warms up, with a forced collection"
                        + " ten times a second.");
        findings();
        for (PageGrid grid : grids) {
            outcome.add(articleTable(grid));
            outcome.add(details(grid));
            chart(
                    grid,
                    "Requests a minute, " + grid.clients().getFirst() + " clients",
                    "requests a minute",
                    grid.clients().getFirst(),
                    cell -> cell.median(LoadFigures::requestsPerMinute));
            chart(
                    grid,
                    "Peak live heap, " + grid.clients().getLast() + " clients",
                    "MB",
                    grid.clients().getLast(),
                    cell -> cell.liveBytes() / 1e6);
            measurements(grid);
        }
        return outcome;
    }

    private void findings() {
        List<PageCell> failed = new ArrayList<>();
        int cells = 0;
        double worst = Double.POSITIVE_INFINITY;
        String where = "";
        for (PageGrid grid : grids) {
            for (PageCell cell : grid.cells()) {
                if (!cell.variant().equals(PageVariant.STREAMING)) {
                    continue;
                }
                cells++;
                if (!cell.survived()) {
                    failed.add(cell);
                }
                double ratio = toLocal(grid, cell);
                if (ratio < worst) {
                    worst = ratio;
                    where = grid.title() + ", " + place(cell);
                }
            }
        }
        outcome.finding(
                "Streaming fails in no cell",
                failed.isEmpty()
                        ? "no failure in " + cells + " cells"
                        : failed.stream()
                                .map(cell -> place(cell) + " " + cell.failures())
                                .collect(Collectors.joining("; ")),
                failed.isEmpty());
        if (worst < Double.POSITIVE_INFINITY) {
            outcome.finding(
                    "Streaming is at most 3 % slower than local where local survives",
                    "at worst " + Words.percent(worst) + " of local's speed (" + where + ")",
                    worst >= GOAL);
        }
    }

    private static String place(PageCell cell) {
        return cell.rows() + " rows × " + cell.clients() + " clients";
    }

    /** Streaming's speed by local's; infinite where there is nothing to compare. */
    private static double toLocal(PageGrid grid, PageCell streaming) {
        return grid.cell(PageVariant.LOCAL, streaming.rows(), streaming.clients())
                .filter(local -> local.survived() && streaming.survived())
                .map(local ->
                        streaming
                                .samples(LoadFigures::requestsPerMinute)
                                .medianRatio(local.samples(LoadFigures::requestsPerMinute)))
                .orElse(Double.POSITIVE_INFINITY);
    }

    private static Outcome.Table articleTable(PageGrid grid) {
        List<String> header = new ArrayList<>();
        header.add("");
        grid.clients().forEach(clients -> header.add(clients + " clients"));
        List<List<String>> rows = new ArrayList<>();
        for (int count : grid.rows()) {
            List<String> heading = new ArrayList<>(List.of(count + " rows"));
            grid.clients().forEach(clients -> heading.add(""));
            rows.add(heading);
            for (PageVariant variant : grid.variants()) {
                List<String> row = new ArrayList<>(List.of(variant.name()));
                for (int clients : grid.clients()) {
                    row.add(
                            grid.cell(variant, count, clients)
                                    .filter(PageCell::survived)
                                    .map(cell -> cell.median(LoadFigures::requestsPerMinute))
                                    .map(Words::number)
                                    .orElse(""));
                }
                rows.add(row);
            }
        }
        return new Outcome.Table("Requests a minute: " + grid.title(), header, rows);
    }

    private static Outcome.Table details(PageGrid grid) {
        List<List<String>> rows = new ArrayList<>();
        for (PageCell cell : grid.cells()) {
            rows.add(
                    List.of(
                            place(cell) + ", " + cell.variant().name(),
                            cell.latency(LoadFigures::meanMilliseconds),
                            cell.latency(LoadFigures::p99Milliseconds),
                            Words.number(cell.median(LoadFigures::firstByteMilliseconds)),
                            Words.number(cell.median(LoadFigures::firstRowMilliseconds)),
                            Words.number(cell.liveBytes() / 1e6),
                            Words.number(cell.residentBytes() / 1e6),
                            failures(cell)));
        }
        return new Outcome.Table(
                "Latency (ms, with the wait for admission) and memory (MB): " + grid.title(),
                List.of(
                        "",
                        "mean",
                        "p99",
                        "first byte",
                        "row 1",
                        "peak live heap",
                        "resident",
                        "failures"),
                rows);
    }

    private static String failures(PageCell cell) {
        String failures =
                cell.failures().entrySet().stream()
                        .map(each -> each.getValue() + " " + each.getKey())
                        .collect(Collectors.joining(", "));
        return failures.isEmpty() ? cell.wholeRound() : failures;
    }

    private void chart(
            PageGrid grid,
            String title,
            String vertical,
            int clients,
            ToDoubleFunction<PageCell> figure) {
        List<Outcome.Series> series = new ArrayList<>();
        for (PageVariant variant : grid.variants()) {
            List<Double> xs = new ArrayList<>();
            List<Double> ys = new ArrayList<>();
            for (int rows : grid.rows()) {
                grid.cell(variant, rows, clients)
                        .filter(PageCell::survived)
                        .ifPresent(cell -> {
                            xs.add((double) rows);
                            ys.add(figure.applyAsDouble(cell));
                        });
            }
            series.add(new Outcome.Series(variant.name(), xs, ys));
        }
        outcome.add(
                new Outcome.Chart(
                        title + ": " + grid.title(), "rows of the page", vertical, false, series));
    }

    private void measurements(PageGrid grid) {
        for (PageCell cell : grid.cells()) {
            Answer where =
                    new Answer(
                            Map.of(
                                    "database", grid.kind().name(),
                                    "heap", grid.heap(),
                                    "variant", cell.variant().name(),
                                    "rows", Integer.toString(cell.rows()),
                                    "clients", Integer.toString(cell.clients()),
                                    "failures", cell.failures().toString()));
            add("requests", where, "1/min", cell.samples(LoadFigures::requestsPerMinute));
            add("mean", where, "ms", cell.samples(LoadFigures::meanMilliseconds));
            add("p99", where, "ms", cell.samples(LoadFigures::p99Milliseconds));
            add("first byte", where, "ms", cell.samples(LoadFigures::firstByteMilliseconds));
            add("row 1", where, "ms", cell.samples(LoadFigures::firstRowMilliseconds));
            add("peak live heap", where, "bytes", Samples.of(cell.liveBytes()));
        }
    }

    private void add(String name, Answer where, String unit, Samples samples) {
        outcome.measured(name, where, unit, samples);
    }
}
