package dev.penstock.bench.pages;

import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Samples;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The figures of one variant with so many rows and clients. Filled by one thread. */
final class PageCell {
    final PageVariant variant;
    final int rows;
    final int clients;
    final List<LoadFigures> repetitions = new ArrayList<>();
    final Map<String, Long> failures = new LinkedHashMap<>();

    /** Seconds until every client had its page; NaN where that was not measured. */
    double wholeRoundSeconds = Double.NaN;

    double liveBytes = Double.NaN;
    double residentBytes = Double.NaN;

    PageCell(PageVariant variant, int rows, int clients) {
        this.variant = variant;
        this.rows = rows;
        this.clients = clients;
    }

    /** Clients that ask for the page as often as they can. */
    Load.Group group(Load.Expected expected) {
        return new Load.Group(variant.path(rows), clients, expected);
    }

    /** Adds what a repetition gave; the failures of the warm-up count as well. */
    void add(LoadFigures figures, boolean counts) {
        figures.failures().forEach(this::failed);
        if (counts) {
            repetitions.add(figures);
        }
    }

    void failed(String kind, long count) {
        failures.merge(kind, count, Long::sum);
    }

    boolean survived() {
        return failures.isEmpty() && !repetitions.isEmpty();
    }

    Samples samples(ToDoubleFunction<LoadFigures> figure) {
        return Samples.of(repetitions.stream().mapToDouble(figure).toArray());
    }

    Samples requests() {
        return samples(LoadFigures::requestsPerMinute);
    }

    /** Returns the median of a latency as it is shown: with a sign where the window was too short to see its end. */
    String latency(ToDoubleFunction<LoadFigures.Latency> figure) {
        long bounds = repetitions.stream().filter(LoadFigures::latenciesAreLowerBounds).count();
        double median = samples(each -> figure.applyAsDouble(each.latency())).median();
        return (bounds * 2 > repetitions.size() ? "> " : "") + Figures.number(median);
    }

    /** Returns the place of the cell in the grid. */
    String place() {
        return rows + " rows × " + clients + " clients";
    }

    @Override
    public String toString() {
        return variant + ", " + place();
    }
}
