package dev.penstock.bench.films;

import dev.penstock.bench.child.Answer;
import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Interleaved;
import dev.penstock.bench.experiment.Progress;
import dev.penstock.bench.experiment.Settings;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.report.Words;
import dev.penstock.databases.TestDatabase;
import dev.penstock.films.store.FilmStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What typed streams over the film store cost, beside SQL by hand and other libraries, on their databases. */
public final class FilmsSqlExperiment implements Experiment {
    private static final List<TestDatabase.Kind> DATABASES =
            List.of(TestDatabase.Kind.POSTGRESQL, TestDatabase.Kind.MARIADB);

    private static final long WINDOW_NANOS = 250_000_000L;

    /** In each repetition the contenders take so many turns, since what else the machine does comes in bursts of tens of milliseconds. */
    private static final int TURNS = 10;

    /** How many repetitions do not count, since the JVM still compiles. */
    private static final int WARMING = 3;

    /** Every contender answers every query for about so long before any is measured, so that what they share of their code is compiled. */
    private static final long WARM_NANOS = 10_000_000_000L;

    /** How many times over the thousand films there are for the reading of them all. */
    private static final int COPIES = 1000;

    private static final double QUERY_TOLERANCE = 1.10;
    private static final double READ_TOLERANCE = 1.10;
    private static final double LOOKUP_TOLERANCE = 1.15;
    private static final double MEASURING_TOLERANCE = 0.03;

    @Override
    public String name() {
        return "films-sql";
    }

    @Override
    public String summary() {
        return "typed streams beside JDBC, jOOQ and Speedment, in their databases; about 8 minutes";
    }

    @Override
    public Outcome run(Settings settings, Progress progress) throws Exception {
        List<TestDatabase.Kind> kinds = settings.databasesOr(DATABASES);
        Outcome outcome = new Outcome(name(), "Streams over the film store, as SQL");
        outcome.text(
                "A film store of scale 1, and then one of "
                        + Words.number(1000.0 * copies(settings))
                        + " films, asked by one thread through a pool of connections with the driver's defaults. Every"
                        + " contender gives the same answer, which is compared. JDBC is SQL by hand: each column and row that is"
                        + " not needed stays in the database. Speedment's ties are in any order.");
        progress.steps(
                (long) kinds.size()
                        * (WARMING + settings.repetitions())
                        * (FilmQuery.values().length + 2));
        for (TestDatabase.Kind kind : kinds) {
            try (TestDatabase database = store(kind)) {
                new Run(database, settings, progress, outcome).measure();
            }
        }
        return outcome;
    }

    private static int copies(Settings settings) {
        return settings.scaled(COPIES);
    }

    /** A store of scale 1, made anew. */
    private static TestDatabase store(TestDatabase.Kind kind) throws SQLException {
        TestDatabase database =
                TestDatabase.kept(
                        kind,
                        kind == TestDatabase.Kind.POSTGRESQL
                                ? SpeedmentFilms.POSTGRESQL_DATABASE
                                : "films_sql");
        try (Connection connection = database.connect()) {
            FilmStore.drop(connection);
            FilmStore.of(1).create(connection);
        }
        return database;
    }

    /** One database. */
    private record Run(
            TestDatabase database, Settings settings, Progress progress, Outcome outcome) {
        void measure() throws Exception {
            List<FilmContender> contenders = new ArrayList<>();
            try {
                contenders.add(new PenstockFilms(database));
                contenders.add(new JdbcFilms(database));
                contenders.add(new JooqFilms(database));
                addSpeedment(contenders);
                warm(contenders);
                queries(contenders);
                multiply();
                all(contenders);
            } finally {
                contenders.forEach(FilmContender::close);
            }
        }

        private void addSpeedment(List<FilmContender> contenders) {
            progress.doing(Words.database(database.kind()) + ", generating Speedment's code");
            if (database.kind() == TestDatabase.Kind.H2) {
                outcome.text("Speedment has no connector for H2.");
                return;
            }
            try {
                contenders.add(new SpeedmentFilms(database));
            } catch (Exception e) {
                outcome.text("Speedment does not run here: " + e);
            }
        }

        private void warm(List<FilmContender> contenders) throws Exception {
            progress.doing(Words.database(database.kind()) + ", warming up");
            double nanos = WARM_NANOS * Math.min(1, settings.scale()) * contenders.size();
            long start = System.nanoTime();
            while (System.nanoTime() - start < nanos) {
                for (FilmContender contender : contenders) {
                    for (FilmQuery query : FilmQuery.values()) {
                        contender.answer(query);
                    }
                }
            }
        }

        private void queries(List<FilmContender> contenders) throws Exception {
            String where = Words.database(database.kind());
            List<List<String>> rows = new ArrayList<>();
            int lost = 0;
            String worst = "";
            double worstRatio = 0;
            for (FilmQuery query : FilmQuery.values()) {
                requireSameAnswers(contenders, query);
                Map<FilmContender, Samples> samples =
                        asked(contenders, where + ", " + query.words(), query);
                record(query.name().toLowerCase(java.util.Locale.ROOT), "µs", samples);
                rows.add(row(query.words(), samples));
                double ratio = toBestPeer(samples);
                if (ratio > worstRatio) {
                    worstRatio = ratio;
                    worst = query.words();
                }
                if (ratio > QUERY_TOLERANCE + MEASURING_TOLERANCE) {
                    lost++;
                }
            }
            outcome.add(
                    new Outcome.Table(
                            where + ", one answer (µs, median)", header(contenders), rows));
            outcome.finding(
                    where + ": never slower than the best peer by more than 10 %",
                    lost
                            + " of "
                            + FilmQuery.values().length
                            + " queries are; largest ratio "
                            + Words.number(worstRatio)
                            + " ("
                            + worst
                            + ")",
                    lost == 0);
        }

        /** What it costs, by hand for comparison, to read everything and to read one row of it. */
        private void all(List<FilmContender> contenders) throws Exception {
            String where = Words.database(database.kind());
            long films = 1000L * copies(settings);
            long expected = contenders.get(1).readAll();
            Map<FilmContender, Samples> reading =
                    measured(
                            contenders,
                            where + ", reading " + films + " films",
                            contender -> {
                                long start = System.nanoTime();
                                long minutes = contender.readAll();
                                long nanoseconds = System.nanoTime() - start;
                                if (minutes != expected) {
                                    throw new IllegalStateException(
                                            contender.name()
                                                    + " read "
                                                    + minutes
                                                    + " minutes of "
                                                    + expected);
                                }
                                return nanoseconds / 1e6;
                            });
            record("read_all", "ms", reading);
            Map<FilmContender, Samples> lookup =
                    asked(contenders, where + ", one film by its key", FilmQuery.BY_KEY);
            record("lookup", "µs", lookup);
            outcome.add(
                    new Outcome.Table(
                            where + ", " + Words.number((double) films) + " films (median)",
                            header(contenders),
                            List.of(
                                    row("every film as a record (ms)", reading),
                                    row("one film by its key (µs)", lookup))));
            finding(
                    where + ": every film within 10 % of JDBC by hand",
                    reading,
                    contenders,
                    READ_TOLERANCE);
            finding(
                    where + ": one film by its key within 15 % of JDBC by hand",
                    lookup,
                    contenders,
                    LOOKUP_TOLERANCE);
        }

        private void finding(
                String goal,
                Map<FilmContender, Samples> samples,
                List<FilmContender> contenders,
                double tolerance) {
            double ratio = ratio(samples, contenders.get(0), contenders.get(1));
            outcome.finding(
                    goal,
                    Words.percent(ratio - 1) + " more than JDBC",
                    ratio <= tolerance + MEASURING_TOLERANCE);
        }

        private static double ratio(
                Map<FilmContender, Samples> samples, FilmContender of, FilmContender to) {
            return of(samples, of).medianRatio(of(samples, to));
        }

        private static Samples of(Map<FilmContender, Samples> samples, FilmContender contender) {
            Samples found = samples.get(contender);
            if (found == null) {
                throw new IllegalStateException(contender.name() + " was not measured");
            }
            return found;
        }

        /** Penstock's time to that of the peer with the least median. */
        private static double toBestPeer(Map<FilmContender, Samples> samples) {
            @Nullable FilmContender ours = null;
            @Nullable FilmContender best = null;
            for (FilmContender contender : samples.keySet()) {
                if (contender instanceof PenstockFilms) {
                    ours = contender;
                } else if (best == null
                        || of(samples, contender).median() < of(samples, best).median()) {
                    best = contender;
                }
            }
            return ours == null || best == null ? Double.NaN : ratio(samples, ours, best);
        }

        private static void requireSameAnswers(List<FilmContender> contenders, FilmQuery query)
                throws Exception {
            String expected = text(query, contenders.get(1));
            for (FilmContender contender : contenders) {
                String answer = text(query, contender);
                if (!answer.equals(expected)) {
                    throw new IllegalStateException(
                            query
                                    + ": "
                                    + contender.name()
                                    + " answers "
                                    + answer
                                    + ", and not "
                                    + expected);
                }
            }
        }

        /** Where films are equally long, Speedment takes any of them; so only their number is compared. */
        private static String text(FilmQuery query, FilmContender contender) throws Exception {
            String text = String.valueOf(contender.answer(query));
            return query == FilmQuery.COMPLEX ? text.replaceAll(",.*", "") : text;
        }

        /** What is measured of a contender, once. */
        private interface Measure {
            double of(FilmContender contender) throws Exception;
        }

        /** Interleaved repetitions, after those that do not count. */
        private Map<FilmContender, Samples> measured(
                List<FilmContender> contenders, String doing, Measure measure) throws Exception {
            Map<FilmContender, Samples> samples = new LinkedHashMap<>();
            contenders.forEach(contender -> samples.put(contender, new Samples()));
            for (int i = -WARMING; i < settings.repetitions(); i++) {
                progress.doing(doing);
                for (FilmContender contender : Interleaved.order(contenders, Math.max(0, i))) {
                    double value = measure.of(contender);
                    if (i >= 0) {
                        of(samples, contender).add(value);
                    }
                }
                progress.step();
            }
            return samples;
        }

        /** The time of an answer in µs, in interleaved repetitions of which each is the median of its turns, after those that do not count. */
        private Map<FilmContender, Samples> asked(
                List<FilmContender> contenders, String doing, FilmQuery query) throws Exception {
            Map<FilmContender, Samples> samples = new LinkedHashMap<>();
            contenders.forEach(contender -> samples.put(contender, new Samples()));
            for (int i = -WARMING; i < settings.repetitions(); i++) {
                progress.doing(doing);
                Map<FilmContender, Samples> turns = new LinkedHashMap<>();
                contenders.forEach(contender -> turns.put(contender, new Samples()));
                for (int turn = 0; turn < TURNS; turn++) {
                    for (FilmContender contender : Interleaved.order(contenders, turn)) {
                        of(turns, contender).add(microseconds(contender, query));
                    }
                }
                if (i >= 0) {
                    turns.forEach((contender, some) -> of(samples, contender).add(some.median()));
                }
                progress.step();
            }
            return samples;
        }

        /** The time of an answer, the mean of as many as there are in a turn. */
        private double microseconds(FilmContender contender, FilmQuery query) throws Exception {
            long window = (long) (WINDOW_NANOS / TURNS * Math.min(1, settings.scale()));
            long start = System.nanoTime();
            long end = start;
            int count = 0;
            while (end - start < window || count == 0) {
                contender.answer(query);
                count++;
                end = System.nanoTime();
            }
            return (end - start) / 1e3 / count;
        }

        private void record(String what, String unit, Map<FilmContender, Samples> samples) {
            samples.forEach((contender, values) ->
                    outcome.measured(
                            what,
                            new Answer(
                                    Map.of(
                                            "database",
                                            database.kind().name(),
                                            "contender",
                                            contender.name())),
                            unit,
                            values));
        }

        private static List<String> header(List<FilmContender> contenders) {
            List<String> header = new ArrayList<>(List.of(""));
            contenders.forEach(contender -> header.add(contender.name()));
            header.add("to the best peer");
            return header;
        }

        private static List<String> row(String label, Map<FilmContender, Samples> samples) {
            List<String> row = new ArrayList<>(List.of(label));
            samples.values().forEach(values -> row.add(Words.number(values.median())));
            row.add(Words.number(toBestPeer(samples)));
            return row;
        }

        /** Has the thousand films as many times as is wanted. */
        private void multiply() throws SQLException {
            int copies = copies(settings);
            progress.doing(Words.database(database.kind()) + ", making films");
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                if (copies > 1) {
                    statement.execute(
                            """
                            INSERT INTO film
                            WITH RECURSIVE copy (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < %d)
                            SELECT film_id + 1000 * n, title, description, release_year, language_id, original_language_id,
                                rental_duration, rental_rate, length, replacement_cost, rating, special_features, last_update
                            FROM film CROSS JOIN copy
                            """
                                    .formatted(copies - 1));
                }
                String analyse =
                        database.kind() == TestDatabase.Kind.POSTGRESQL
                                ? "VACUUM ANALYZE film"
                                : "ANALYZE TABLE film";
                statement.execute(analyse);
                try (ResultSet count = statement.executeQuery("SELECT COUNT(*) FROM film")) {
                    count.next();
                    if (count.getLong(1) != 1000L * copies) {
                        throw new IllegalStateException("there are " + count.getLong(1) + " films");
                    }
                }
            }
        }
    }
}
