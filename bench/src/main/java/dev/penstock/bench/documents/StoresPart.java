package dev.penstock.bench.documents;

import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.databases.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The insertion and the finding of documents in each store, and what they take on disk. */
final class StoresPart {
    static final int THREADS = 2;
    private static final int DOCUMENTS = 10_000;
    private static final long LEAST_DOCUMENTS = 20;
    private static final Duration TIME = Duration.ofSeconds(2);
    private static final Duration LEAST = Duration.ofMillis(5);

    private final Trial trial;
    private final long documents;
    private final List<PeopleKind> kinds;
    private final Map<PeopleKind, Samples> inserts = new EnumMap<>(PeopleKind.class);
    private final Map<PeopleQuestion, Map<PeopleKind, Samples>> finds =
            new EnumMap<>(PeopleQuestion.class);

    StoresPart(Trial trial) {
        this.trial = trial;
        documents = trial.scaled(DOCUMENTS, LEAST_DOCUMENTS);
        List<TestDatabase.Kind> servers =
                trial.databases(
                        TestDatabase.Kind.POSTGRESQL,
                        TestDatabase.Kind.MARIADB,
                        TestDatabase.Kind.H2);
        kinds =
                Stream.of(PeopleKind.values())
                        .filter(kind ->
                                kind == PeopleKind.SQLITE
                                        || servers.contains(
                                                kind == PeopleKind.H2
                                                        ? TestDatabase.Kind.H2
                                                        : kind.server()))
                        .toList();
    }

    int steps() {
        return kinds.size() * (1 + trial.repetitions()) * (1 + PeopleQuestion.values().length);
    }

    void measure(Outcome outcome) throws Exception {
        Map<PeopleKind, Long> bytes = new EnumMap<>(PeopleKind.class);
        try (PeopleChildren children = new PeopleChildren(trial, "stores", kinds, THREADS)) {
            insert(children);
            for (PeopleKind kind : kinds) {
                children.call(kind, PeopleWorker::analyse);
                for (PeopleQuestion question : PeopleQuestion.values()) {
                    children.call(kind, worker -> worker.check(question));
                }
            }
            long nanos = trial.scaled(TIME, LEAST).toNanos();
            for (PeopleQuestion question : PeopleQuestion.values()) {
                trial.interleave(
                        1,
                        "finding " + question + ", ",
                        kinds,
                        (kind, counts) -> {
                            double rate =
                                    children.call(kind, worker -> worker.rate(question, nanos));
                            if (counts) {
                                samples(question, kind).add(rate);
                            }
                        });
            }
            for (PeopleKind kind : kinds) {
                bytes.put(kind, children.call(kind, PeopleWorker::bytes));
            }
        }
        report(outcome, bytes);
    }

    /** Fills a new store each time, of which the last one is asked. */
    private void insert(PeopleChildren children) throws Exception {
        long count = documents;
        int[] made = {0};
        trial.interleave(
                1,
                "inserting, ",
                kinds,
                (kind, counts) -> {
                    children.open(kind, "people" + made[0]++);
                    double seconds = children.call(kind, worker -> worker.insert(count));
                    if (counts) {
                        inserts.computeIfAbsent(kind, _ -> new Samples()).add(documents / seconds);
                    }
                });
    }

    private Samples samples(PeopleQuestion question, PeopleKind kind) {
        return finds.computeIfAbsent(question, _ -> new EnumMap<>(PeopleKind.class))
                .computeIfAbsent(kind, _ -> new Samples());
    }

    private void report(Outcome outcome, Map<PeopleKind, Long> bytes) {
        outcome.text(
                """
                %s people of some 200 bytes, each a document. %d threads insert them one by one, each in a transaction
                of its own, and then ask for one at random, whose document comes back as XML; all through a pool of
                connections, and all with an index on the attribute id, except the xml column without one. No server
                and no file waits for the disk. A find by XPath without an index looks at every document. The last
                question is translated to a condition that one in ten fulfils, and these are evaluated here; the xml
                column is asked the same XPath by xpath_exists().
                """
                        .formatted(Figures.number(documents), THREADS));
        if (kinds.contains(PeopleKind.POSTGRESQL)) {
            outcome.atLeast(
                    "PostgreSQL, by a path with an index: no fewer finds than an xml column with an index",
                    samples(PeopleQuestion.PATH, PeopleKind.POSTGRESQL)
                            .medianRatio(samples(PeopleQuestion.PATH, PeopleKind.XML_INDEXED)),
                    1,
                    share -> Figures.percent(share) + " of its finds");
        }
        List<String> header = new ArrayList<>(List.of("", "inserted"));
        Stream.of(PeopleQuestion.values()).map(Object::toString).forEach(header::add);
        Outcome.Table speed = outcome.table("Documents a second (median)", header);
        long xml =
                LongStream.range(0, documents)
                        .map(i -> People.person(i).getBytes(StandardCharsets.UTF_8).length)
                        .sum();
        Outcome.Table size =
                outcome.table(
                        "On disk, %s documents of %s in all, with their indexes"
                                .formatted(Figures.number(documents), Figures.megabytes(xml)),
                        "|MB|to the XML");
        for (PeopleKind kind : kinds) {
            List<Samples> row = new ArrayList<>();
            row.add(inserts.getOrDefault(kind, new Samples()));
            Stream.of(PeopleQuestion.values())
                    .forEach(question -> row.add(samples(question, kind)));
            speed.row(kind, row);
            long taken = bytes.getOrDefault(kind, 0L);
            size.row(kind, taken / 1e6, (double) taken / xml);
        }
    }
}
