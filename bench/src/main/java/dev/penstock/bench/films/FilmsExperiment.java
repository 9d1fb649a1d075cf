package dev.penstock.bench.films;

import com.googlecode.cqengine.IndexedCollection;
import com.sun.management.OperatingSystemMXBean;
import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.films.FilmKeeper.Kind;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.databases.TestDatabase;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.duckdb.DuckDBConnection;

/** The cost of streams in memory beside databases, a list of records, and other ways to keep rows in memory. */
public final class FilmsExperiment extends Experiment {
    private static final int MANY = 1_000_000;
    private static final int VERY_MANY = 10_000_000;

    /** How much of the machine's memory all heaps together may take. */
    private static final double SHARE_OF_MEMORY = 0.6;

    /** The experiment. */
    public FilmsExperiment() {
        super(
                "films",
                "films in memory beside databases, lists, H2, CQEngine, DuckDB; about 8 minutes");
    }

    @Override
    public Outcome run(Trial trial) throws Exception {
        List<TestDatabase.Kind> databases = trial.databases();
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
        Outcome outcome = new Outcome(name(), "Films in memory");
        outcome.peer("CQEngine", IndexedCollection.class);
        outcome.peer("DuckDB", DuckDBConnection.class);
        outcome.peer("H2", org.h2.Driver.class);
        outcome.text(
                """
                Two basic streams and %d more, each asked with the same values over and over, after all have been
                asked for a while: by one thread, and by %d at once. Each store is in a JVM of its own and gives the
                same answers, which are compared. Penstock's snapshot, MariaDB and PostgreSQL are asked by the same
                streams; the list by java.util.stream; H2 and DuckDB, in memory, by statements that are prepared once
                for each thread, H2 without the results of the last time. The databases' tables have the film store's
                indexes, and two of length and key, with the rating before them and without; CQEngine, on the heap, has
                the indexes that serve each question best, three of them of several columns; DuckDB has a key. A million
                sub-queries are filter and count and the complex stream in turn, of drawn ratings and places; what
                would take longer than two seconds is reckoned from those.
                """
                        .formatted(
                                FilmQuestion.IN_MEMORY.size() - FilmQuestion.BASIC.size(),
                                threads));
        List<Long> sizes = sizes(trial);
        int kinds = Kind.values().length - 2 + databases.size();
        long questions =
                sizes.stream().mapToLong(films -> FilmsFigures.questions(films).size()).sum();
        trial.steps(kinds * questions * (1 + 2 * trial.repetitions()));
        List<FilmsFigures> all = new ArrayList<>();
        for (long films : sizes) {
            all.add(measured(films, threads, databases, trial, outcome));
        }
        new FilmsGoals(outcome).judge(all);
        all.forEach(figures -> figures.show(outcome));
        return outcome;
    }

    private static FilmsFigures measured(
            long films,
            int threads,
            List<TestDatabase.Kind> databases,
            Trial trial,
            Outcome outcome)
            throws Exception {
        Map<Kind, TestDatabase> sources = new EnumMap<>(Kind.class);
        try {
            for (TestDatabase.Kind database : databases) {
                trial.doing("making " + films + " films in " + Trial.label(database));
                sources.put(server(database), FilmDatabase.of(database, films));
            }
            List<Kind> kinds = new ArrayList<>(List.of(Kind.values()));
            kinds.removeIf(kind -> kind.isServer() && !sources.containsKey(kind));
            retainFitting(kinds, films, outcome);
            try (FilmsRun run = new FilmsRun(films, threads, kinds, sources, trial)) {
                return run.measure();
            }
        } finally {
            sources.values().forEach(TestDatabase::close);
        }
    }

    private static Kind server(TestDatabase.Kind database) {
        return switch (database) {
            case POSTGRESQL -> Kind.POSTGRESQL;
            case MARIADB -> Kind.MARIADB;
            case MYSQL, H2 ->
                    throw new IllegalArgumentException(
                            "films are loaded from PostgreSQL or MariaDB, and not from "
                                    + database
                                    + ": choose by --database");
        };
    }

    private static List<Long> sizes(Trial trial) {
        List<Long> sizes = new ArrayList<>(List.of((long) trial.scaled(MANY)));
        if (sizes.getFirst() > 10 * FilmsFigures.FEW) {
            sizes.addFirst(FilmsFigures.FEW);
        }
        if (trial.full()) {
            sizes.add((long) trial.scaled(VERY_MANY));
        }
        return sizes;
    }

    /** Leaves those whose memory is there at once; the ones that need least have the first choice. */
    private static void retainFitting(List<Kind> kinds, long films, Outcome outcome) {
        OperatingSystemMXBean system =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        double left = SHARE_OF_MEMORY * system.getTotalMemorySize() / 1e6;
        List<Kind> byNeed = new ArrayList<>(kinds);
        byNeed.sort(Comparator.comparingLong(kind -> kind.megabytes(films)));
        for (Kind kind : byNeed) {
            if (kind.megabytes(films) <= left) {
                left -= kind.megabytes(films);
            } else {
                kinds.remove(kind);
                outcome.text(
                        "%s films in %s: not measured, since this machine has no %s MB left beside the others."
                                .formatted(
                                        Figures.number(films),
                                        kind,
                                        Figures.number(kind.megabytes(films))));
            }
        }
    }
}
