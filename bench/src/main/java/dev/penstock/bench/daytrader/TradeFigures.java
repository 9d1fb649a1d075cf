package dev.penstock.bench.daytrader;

import dev.penstock.bench.client.LoadFigures;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Samples;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The figures that the repetitions of one cell gave. For one thread. */
final class TradeFigures {
    /** The names of the columns of {@link #columns}, each with a bar before it. */
    static final String HEADER =
            "|pages/s|p50, ms|p99, ms|additional memory, MB|resident, MB|threads|server, cores|failures";

    final Samples perSecond = new Samples();
    final Samples p50 = new Samples();
    final Samples p99 = new Samples();
    final Samples additional = new Samples();
    final Samples resident = new Samples();
    final Samples threads = new Samples();
    final Samples serverCores = new Samples();
    final Map<String, Long> failures = new TreeMap<>();

    /** Whether so many requests had not ended that their times are lower bounds, in a repetition. */
    private boolean isLowerBound;

    void add(TradeUnderTest.Seen seen) {
        LoadFigures figures = seen.figures();
        perSecond.add(seen.perSecond());
        p50.add(figures.latency().p50());
        p99.add(figures.latency().p99());
        isLowerBound |= figures.latenciesAreLowerBounds();
        additional.add(seen.additionalBytes() / 1e6);
        resident.add(seen.residentBytes() / 1e6);
        threads.add(seen.threads());
        serverCores.add(seen.serverCores());
        figures.failures().forEach((kind, count) -> failures.merge(kind, count, Long::sum));
    }

    /** The cells of a table's row, behind its label. */
    List<Object> columns() {
        return List.of(
                perSecond,
                milliseconds(p50),
                milliseconds(p99),
                additional,
                resident,
                threads,
                serverCores,
                failureText());
    }

    private Object milliseconds(Samples times) {
        return isLowerBound ? "> " + Figures.number(times.median()) : times;
    }

    boolean isLowerBound() {
        return isLowerBound;
    }

    String failureText() {
        if (failures.isEmpty()) {
            return "none";
        }
        StringBuilder text = new StringBuilder();
        failures.forEach((kind, count) ->
                text.append(text.isEmpty() ? "" : ", ").append(count).append(" of ").append(kind));
        return text.toString();
    }
}
