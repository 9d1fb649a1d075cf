package dev.penstock.bench.follow;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.follow.FollowedFilms.Loaded;
import dev.penstock.bench.follow.FollowedFilms.Seen;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.server.DatabaseAddress;
import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Films in memory that are asked while nothing changes and while a thousand of them change a second, in turns. */
final class FollowRun {
    private static final Duration TIME = Duration.ofSeconds(20);

    /** Changes before anything is measured: the JVM compiles what refreshes do while they do it. */
    private static final Duration WARM_UP = Duration.ofSeconds(60);

    private static final Duration SHORTEST = Duration.ofSeconds(2);

    /** The longest wait for the loading, and for the last change to be there. */
    private static final Duration LONG = Duration.ofMinutes(5);

    private static final double LATEST_NANOS = 50e6;
    private static final double SHOWN_NANOS = 1e9;
    private static final double TIMES_P99 = 3;
    private static final double TIMES_MEMORY = 1.3;

    /** The part of the changes that has to be made at least, else they were too slow. */
    private static final double LEAST_RATE = 0.9;

    /** Bytes of a film outside the heap, with its indexes and those of the next version. */
    private static final long FILM_BYTES = 600;

    private final TestDatabase database;
    private final long films;
    private final Trial trial;
    private final Figure quiet = new Figure();
    private final Figure unrefreshed = new Figure();
    private final Figure changing = new Figure();
    private final Samples versions = new Samples();
    private final Samples refreshes = new Samples();
    private final Samples shownMedian = new Samples();
    private final Samples shownP99 = new Samples();
    private final Samples shownLongest = new Samples();
    private final Samples most = new Samples();
    private long transactions;

    /** The turns of the readers in one of the three states. */
    private static final class Figure {
        final Samples use = new Samples();
        final Samples median = new Samples();
        final Samples p99 = new Samples();
        final Samples longest = new Samples();

        void add(Seen seen) {
            use.add(seen.use());
            median.add(seen.median());
            p99.add(seen.p99());
            longest.add(seen.longest());
        }
    }

    /**
     * A time in which films changed.
     *
     * @param shown the microseconds from each transaction's commit until it could be seen
     */
    private record Changing(Seen seen, Histogram shown) {}

    FollowRun(TestDatabase database, long films, Trial trial) {
        this.database = database;
        this.films = films;
        this.trial = trial;
    }

    void measure(Outcome outcome) throws Exception {
        Duration time = trial.scaled(TIME, SHORTEST);
        try (Child<FollowedFilms> child = child()) {
            long before = child.residentBytes();
            trial.doing("loading");
            Loaded loaded = child.call(LONG, FollowedFilms::load);
            long loading = child.peakResidentBytes() - before;
            trial.step();
            trial.doing("changes that do not count");
            Changing _ = changing(child, true, trial.scaled(WARM_UP, SHORTEST));
            trial.step();
            for (int i = 0; i < trial.repetitions(); i++) {
                // The JVM has compiled meanwhile, and the processors may be faster or slower than
                // before.
                adjust(child);
                trial.doing("asking while nothing changes");
                quiet.add(child.call(LONG, films -> films.read(time)));
                trial.step();
                trial.doing("asking while films change, without refreshes");
                unrefreshed.add(changing(child, false, time).seen());
                trial.step();
                trial.doing("asking while films change");
                add(changing(child, true, time), loaded, time);
                trial.step();
            }
            child.call(films -> {
                films.close();
                return true;
            });
            report(outcome, loaded, loading);
        }
    }

    private static void adjust(Child<FollowedFilms> child) throws IOException {
        child.call(
                LONG,
                films -> {
                    films.adjust();
                    return true;
                });
    }

    private void add(Changing run, Loaded loaded, Duration time) {
        Seen seen = run.seen();
        changing.add(seen);
        versions.add(seen.versions() * 1e9 / time.toNanos());
        refreshes.add(seen.refreshNanos());
        most.add((double) seen.most() / loaded.bytes());
        shownMedian.add((double) run.shown().getValueAtPercentile(50) * 1e3);
        shownP99.add((double) run.shown().getValueAtPercentile(99) * 1e3);
        shownLongest.add((double) run.shown().getMaxValue() * 1e3);
    }

    private Child<FollowedFilms> child() throws IOException {
        DatabaseAddress from = DatabaseAddress.of(database);
        TestDatabase.Kind kind = database.kind();
        long count = films;
        return Child.start(
                "followed films",
                "256m",
                List.of("-XX:MaxDirectMemorySize=" + (256 + films * FILM_BYTES / 1_000_000) + "m"),
                trial.log("followed-films"),
                () -> new FollowedFilms(from, kind, count));
    }

    /**
     * Asks while films change.
     *
     * @param refreshing whether memory is refreshed meanwhile, or only afterwards
     */
    private Changing changing(Child<FollowedFilms> child, boolean refreshing, Duration time)
            throws Exception {
        setRefreshing(child, refreshing);
        DatabaseAddress address = DatabaseAddress.of(database);
        try (FilmChanges changes = new FilmChanges(address, database.kind(), films, transactions)) {
            Seen seen = child.call(LONG, films -> films.read(time));
            List<Long> commits = changes.end();
            setRefreshing(child, true);
            require(
                    trial.settings().scale() < 1
                            || commits.size() >= LEAST_RATE * FilmChanges.RATE * time.toSeconds(),
                    "only %d transactions in %s".formatted(commits.size(), time));
            long first = transactions;
            transactions += commits.size();
            long last = transactions;
            long there = child.call(LONG, films -> films.await(last, LONG));
            require(
                    there == last,
                    "of %d transactions, %d can be seen after %s".formatted(last, there, LONG));
            return new Changing(seen, shown(commits, first, seen, FilmChanges.now()));
        }
    }

    private static void setRefreshing(Child<FollowedFilms> child, boolean refreshing)
            throws Exception {
        child.call(films -> {
            films.setRefreshing(refreshing);
            return true;
        });
    }

    /**
     * Returns the microseconds from each transaction's commit until it could be seen. Those that could not be seen when
     * the readers ended took until the last one could be seen, at the most.
     *
     * @param first the number of the transaction before them
     * @param last when the last one could be seen
     */
    private static Histogram shown(List<Long> commits, long first, Seen seen, long last) {
        Histogram micros = new Histogram(3);
        for (int i = 0; i < commits.size(); i++) {
            Map.Entry<Long, Long> there = seen.shown().ceilingEntry(first + i + 1);
            long until = there == null ? last : there.getValue();
            micros.recordValue(Math.max(0, until - commits.get(i)));
        }
        return micros;
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }

    private void report(Outcome outcome, Loaded loaded, long loading) {
        outcome.table(
                        "Turns of the readers, from when each was to begin (medians of the repetitions)",
                        "|part of the processors|median|p99|longest")
                .row("while nothing changes", row(quiet))
                .row("while films change, without refreshes", row(unrefreshed))
                .row("while films change", row(changing));
        outcome.table("The changes", "|")
                .row("versions a second", versions)
                .row("the last refresh", time(refreshes))
                .row("from commit to answer, median", time(shownMedian))
                .row("from commit to answer, p99", time(shownP99))
                .row("from commit to answer, longest", time(shownLongest));
        outcome.table("Memory", "|")
                .row("tables and indexes", Figures.megabytes(loaded.bytes()))
                .row("the loading", Figures.time(loaded.nanos()))
                .row(
                        "resident at the most until then, beyond what it was before",
                        Figures.megabytes(loading))
                .row("taken while films change, at most", new Outcome.Cell(most, FollowRun::times));
        outcome.atMost(
                "no answer later than 50 ms while films change",
                changing.longest.max(),
                LATEST_NANOS,
                Figures::time);
        outcome.atMost(
                "p99 within three times of that without changes",
                changing.p99.medianRatio(quiet.p99),
                TIMES_P99,
                FollowRun::times);
        outcome.atMost(
                "a change is to be seen within a second of its commit",
                shownLongest.max(),
                SHOWN_NANOS,
                Figures::time);
        outcome.atMost(
                "while films change, at most 1.3 times the memory of tables and indexes",
                most.max(),
                TIMES_MEMORY,
                FollowRun::times);
    }

    private static List<Object> row(Figure figure) {
        return List.of(
                new Outcome.Cell(figure.use, Figures::percent),
                time(figure.median),
                time(figure.p99),
                time(figure.longest));
    }

    private static Outcome.Cell time(Samples nanos) {
        return new Outcome.Cell(nanos, Figures::time);
    }

    private static String times(double ratio) {
        return Figures.number(ratio) + " times";
    }
}
