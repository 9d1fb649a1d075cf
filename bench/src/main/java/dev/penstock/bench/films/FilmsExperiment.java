package dev.penstock.bench.films;

import com.sun.management.OperatingSystemMXBean;
import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Progress;
import dev.penstock.bench.experiment.Settings;
import dev.penstock.bench.films.FilmKeeper.Kind;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Words;
import dev.penstock.databases.TestDatabase;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Article 4's in-memory streams: what they cost beside databases, a list of records, and other ways to keep rows in memory. */
public final class FilmsExperiment implements Experiment {
    private static final List<TestDatabase.Kind> DATABASES =
            List.of(TestDatabase.Kind.POSTGRESQL, TestDatabase.Kind.MARIADB);

    /** The article's. */
    private static final long FEW = 1000;

    private static final int MANY = 1_000_000;
    private static final int VERY_MANY = 10_000_000;

    /** How much of the machine's memory all heaps together may take. */
    private static final double SHARE_OF_MEMORY = 0.6;

    @Override
    public String name() {
        return "films";
    }

    @Override
    public String summary() {
        return "films in memory beside databases, lists, H2, CQEngine, DuckDB; about 8 minutes";
    }

    @Override
    public Outcome run(Settings settings, Progress progress) throws Exception {
        List<TestDatabase.Kind> databases = settings.databasesOr(DATABASES);
        databases.forEach(FilmsExperiment::requireServer);
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
        Outcome outcome = new Outcome(name(), "Films in memory");
        outcome.text(
                "Article 4's two streams and ten more, each asked with the same values over and over, after all have been"
                        + " asked for a while: by one thread, and by "
                        + threads
                        + " at once. Everybody is in a JVM of its own and gives the same answers, which are compared. Penstock's snapshot, MariaDB"
                        + " and PostgreSQL are asked by the same streams; the list by java.util.stream; H2 and DuckDB, in memory, by statements that"
                        + " are prepared once for each thread, H2 without the results of the last time. The databases' tables have the film store's indexes, and two of length and key,"
                        + " with the rating before them and without; CQEngine, on the heap, has the indexes that serve each question best, two"
                        + " of them of several columns; DuckDB has a key. A million sub-queries are filter and count and the complex stream in turn, of drawn"
                        + " ratings and places; what would take longer than two seconds is reckoned from those.");
        List<Long> sizes = sizes(settings);
        progress.steps(
                sizes.stream().mapToLong(films -> steps(films, settings, databases.size())).sum());
        List<FilmsFigures> all = new ArrayList<>();
        for (long films : sizes) {
            all.add(measured(films, threads, databases, settings, progress, outcome));
        }
        new FilmsGoals(outcome).judge(all);
        all.forEach(figures -> figures.show(outcome));
        return outcome;
    }

    private static FilmsFigures measured(
            long films,
            int threads,
            List<TestDatabase.Kind> databases,
            Settings settings,
            Progress progress,
            Outcome outcome)
            throws Exception {
        Map<Kind, FilmSource> sources = new LinkedHashMap<>();
        try {
            for (TestDatabase.Kind database : databases) {
                progress.doing("making " + films + " films in " + Words.database(database));
                sources.put(kind(database), FilmSource.of(database, films));
            }
            List<Kind> kinds = fitting(kinds(sources), films, outcome);
            try (FilmsRun run = new FilmsRun(films, threads, kinds, sources, settings, progress)) {
                return run.measure();
            }
        } finally {
            sources.values().forEach(FilmSource::close);
        }
    }

    private static void requireServer(TestDatabase.Kind database) {
        if (database != TestDatabase.Kind.POSTGRESQL && database != TestDatabase.Kind.MARIADB) {
            throw new IllegalArgumentException(
                    "films are loaded from PostgreSQL or MariaDB, and not from "
                            + database
                            + ": choose by --database");
        }
    }

    private static Kind kind(TestDatabase.Kind database) {
        return database == TestDatabase.Kind.POSTGRESQL ? Kind.POSTGRESQL : Kind.MARIADB;
    }

    private static List<Long> sizes(Settings settings) {
        List<Long> sizes = new ArrayList<>(List.of((long) settings.scaled(MANY)));
        if (sizes.getFirst() > 10 * FEW) {
            sizes.addFirst(FEW);
        }
        if (settings.full()) {
            sizes.add((long) settings.scaled(VERY_MANY));
        }
        return sizes;
    }

    /** Which questions are asked of so many films. */
    static List<FilmQuestion> questions(long films) {
        return films == FEW
                ? List.of(FilmQuestion.FILTER_AND_COUNT, FilmQuestion.COMPLEX)
                : List.of(FilmQuestion.values());
    }

    private static long steps(long films, Settings settings, int databases) {
        int kinds = Kind.values().length - 2 + databases;
        return (long) kinds * questions(films).size() * 2 * (1 + settings.repetitions());
    }

    private static List<Kind> kinds(Map<Kind, FilmSource> sources) {
        List<Kind> kinds = new ArrayList<>(List.of(Kind.values()));
        kinds.removeIf(kind -> kind.isServer() && !sources.containsKey(kind));
        return kinds;
    }

    /** Those whose memory is there at once; the ones that need least have the first choice. */
    private static List<Kind> fitting(List<Kind> kinds, long films, Outcome outcome) {
        OperatingSystemMXBean system =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        double left = SHARE_OF_MEMORY * system.getTotalMemorySize() / 1e6;
        List<Kind> fitting = new ArrayList<>();
        List<Kind> byNeed = new ArrayList<>(kinds);
        byNeed.sort(Comparator.comparingLong(kind -> kind.megabytes(films)));
        for (Kind kind : byNeed) {
            if (kind.megabytes(films) <= left) {
                left -= kind.megabytes(films);
                fitting.add(kind);
            } else {
                outcome.text(
                        Words.number((double) films)
                                + " films in "
                                + kind.label()
                                + ": not measured, since this machine has no "
                                + Words.number((double) kind.megabytes(films))
                                + " MB left beside the others.");
            }
        }
        return kinds.stream().filter(fitting::contains).toList();
    }
}
