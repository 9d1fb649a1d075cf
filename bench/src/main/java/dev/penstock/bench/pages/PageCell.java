package dev.penstock.bench.pages;

import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.report.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What one variant did with so many rows and clients. Filled by one thread. */
final class PageCell {
    private final PageVariant variant;
    private final int rows;
    private final int clients;
    private final List<LoadFigures> repetitions = new ArrayList<>();
    private final Map<String, Long> failures = new LinkedHashMap<>();
    private String wholeRound = "";
    private double liveBytes = Double.NaN;
    private double residentBytes = Double.NaN;

    PageCell(PageVariant variant, int rows, int clients) {
        this.variant = variant;
        this.rows = rows;
        this.clients = clients;
    }

    PageVariant variant() {
        return variant;
    }

    int rows() {
        return rows;
    }

    int clients() {
        return clients;
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

    void memory(ServerUnderTest.Heap heap) {
        liveBytes = heap.liveBytes();
        residentBytes = heap.residentBytes();
    }

    /** Notes how long it took until every client had its page. */
    void wholeRound(LoadFigures figures) {
        wholeRound =
                "none; all "
                        + clients
                        + " served in "
                        + Words.number(figures.maxMilliseconds() / 1000)
                        + " s";
    }

    String wholeRound() {
        return wholeRound;
    }

    boolean survived() {
        return failures.isEmpty() && !repetitions.isEmpty();
    }

    boolean failed() {
        return !failures.isEmpty();
    }

    Map<String, Long> failures() {
        return failures;
    }

    double liveBytes() {
        return liveBytes;
    }

    double residentBytes() {
        return residentBytes;
    }

    Samples samples(ToDoubleFunction<LoadFigures> figure) {
        Samples samples = new Samples();
        for (LoadFigures each : repetitions) {
            samples.add(figure.applyAsDouble(each));
        }
        return samples;
    }

    double median(ToDoubleFunction<LoadFigures> figure) {
        return samples(figure).median();
    }

    /** The median of a latency as it is shown: with a sign where the window was too short to see its end. */
    String latency(ToDoubleFunction<LoadFigures> figure) {
        if (repetitions.isEmpty()) {
            return "";
        }
        boolean lowerBound =
                repetitions.stream().filter(LoadFigures::latenciesAreLowerBounds).count() * 2
                        > repetitions.size();
        return (lowerBound ? "> " : "") + Words.number(median(figure));
    }
}
