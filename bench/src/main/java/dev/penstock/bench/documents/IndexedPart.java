package dev.penstock.bench.documents;

import dev.penstock.bench.documents.PeopleWorker.Latencies;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.databases.TestDatabase;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The time of a find by an index, in a million documents. */
final class IndexedPart {
    private static final int DOCUMENTS = 1_000_000;
    private static final long LEAST_DOCUMENTS = 400;
    private static final int SLICES = 20;
    private static final int FINDS = 10_000;
    private static final long LEAST_FINDS = 50;
    private static final double GOAL_MILLISECONDS = 5;

    private final Trial trial;
    private final long documents;
    private final List<PeopleKind> kinds;
    private final Map<PeopleKind, Double> loaded = new EnumMap<>(PeopleKind.class);
    private final Map<PeopleKind, Times> finds = new EnumMap<>(PeopleKind.class);
    private final Map<PeopleKind, Times> misses = new EnumMap<>(PeopleKind.class);

    /** The times of one store, of each repetition. */
    private static final class Times {
        private final Samples p50 = new Samples();
        private final Samples p99 = new Samples();
        private final Samples p999 = new Samples();
        private List<Double> last = List.of();

        private void add(Latencies latencies) {
            p50.add(latencies.p50());
            p99.add(latencies.p99());
            p999.add(latencies.p999());
            last = latencies.percentiles();
        }
    }

    IndexedPart(Trial trial) {
        this.trial = trial;
        documents = trial.scaled(DOCUMENTS, LEAST_DOCUMENTS) / SLICES * SLICES;
        List<TestDatabase.Kind> servers = trial.databases();
        kinds =
                Stream.of(PeopleKind.POSTGRESQL, PeopleKind.MARIADB, PeopleKind.XML_INDEXED)
                        .filter(kind -> servers.contains(kind.server()))
                        .toList();
        for (PeopleKind kind : kinds) {
            finds.put(kind, new Times());
            misses.put(kind, new Times());
        }
    }

    int steps() {
        return kinds.size() * (SLICES + 1 + trial.repetitions());
    }

    void measure(Outcome outcome) throws Exception {
        outcome.text(
                """
                The same people, %s of them, loaded by %d threads into a collection that has an index on the attribute
                id, and into an xml column with one on its xpath(), 500 in a statement. Then one thread asks for %s that
                are there, at random, and for %s that are not, in each repetition; each find reads its document as XML.
                """
                        .formatted(
                                Figures.number(documents),
                                StoresPart.THREADS,
                                Figures.number(count()),
                                Figures.number(count())));
        Outcome.Chart loading = outcome.chart("Loading", "thousands of documents", "documents/s");
        try (PeopleChildren children =
                new PeopleChildren(trial, "indexed", kinds, StoresPart.THREADS)) {
            for (PeopleKind kind : kinds) {
                load(children, kind, loading);
            }
            trial.interleave(
                    1,
                    "finding, ",
                    kinds,
                    (kind, counts) -> {
                        Latencies there = find(children, kind, true);
                        Latencies missing = find(children, kind, false);
                        if (counts) {
                            times(finds, kind).add(there);
                            times(misses, kind).add(missing);
                        }
                    });
        }
        report(outcome);
    }

    private void load(PeopleChildren children, PeopleKind kind, Outcome.Chart chart)
            throws Exception {
        trial.doing("loading, " + kind);
        children.open(kind, "people");
        long slice = documents / SLICES;
        double seconds = 0;
        for (int i = 1; i <= SLICES; i++) {
            double one = children.call(kind, worker -> worker.load(slice));
            seconds += one;
            chart.point(kind.toString(), i * slice / 1e3, slice / one);
            trial.step();
        }
        loaded.put(kind, documents / seconds);
        children.call(kind, PeopleWorker::analyse);
        children.call(kind, worker -> worker.check(PeopleQuestion.PATH));
    }

    private int count() {
        return (int) trial.scaled(FINDS, LEAST_FINDS);
    }

    private Latencies find(PeopleChildren children, PeopleKind kind, boolean there)
            throws Exception {
        int count = count();
        return children.call(kind, worker -> worker.latencies(PeopleQuestion.PATH, count, there));
    }

    private static Times times(Map<PeopleKind, Times> of, PeopleKind kind) {
        return Objects.requireNonNull(of.get(kind));
    }

    private void report(Outcome outcome) {
        for (PeopleKind kind : kinds) {
            if (kind.isCollection()) {
                outcome.atMost(
                        "%s, %s documents, found by an index: 99 %% within 5 ms"
                                .formatted(kind, Figures.number(documents)),
                        times(finds, kind).p99.median(),
                        GOAL_MILLISECONDS,
                        Figures::milliseconds);
            }
        }
        if (kinds.contains(PeopleKind.XML_INDEXED)) {
            outcome.atMost(
                    "PostgreSQL: no slower than an index on xpath() over an xml column",
                    times(finds, PeopleKind.POSTGRESQL)
                            .p50
                            .medianRatio(times(finds, PeopleKind.XML_INDEXED).p50),
                    1,
                    ratio -> Figures.percent(ratio) + " of its time (median)");
        }
        table(outcome, "A find of one document (ms)", finds);
        table(outcome, "A find of none (ms)", misses);
        Outcome.Table table = outcome.table("Loading", "|documents/s");
        loaded.forEach(table::row);
        Outcome.Chart chart =
                outcome.chart("A find of one document", "percentile", "milliseconds", true);
        finds.forEach((kind, times) -> {
            for (int i = 1; i < times.last.size(); i++) {
                chart.point(kind.toString(), i, times.last.get(i));
            }
        });
    }

    private static void table(Outcome outcome, String title, Map<PeopleKind, Times> rows) {
        Outcome.Table table = outcome.table(title, "|50 %|99 %|99.9 %");
        rows.forEach((kind, times) -> table.row(kind, times.p50, times.p99, times.p999));
    }
}
