package dev.penstock.bench.films;

import com.speedment.runtime.core.Speedment;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.server.DatabaseAddress;
import dev.penstock.databases.TestDatabase;
import dev.penstock.films.Film;
import dev.penstock.films.store.FilmStore;
import dev.penstock.query.typed.TypedTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;

/** The cost of typed streams over the film store, beside SQL by hand and other libraries, on their databases. */
public final class FilmsSqlExperiment extends Experiment {
    private static final long WINDOW_NANOS = 250_000_000L;

    /**
     * In each repetition the contenders take so many turns, since what else the machine does comes in bursts of tens
     * of milliseconds.
     */
    private static final int TURNS = 10;

    /** How many repetitions do not count, since the JVM still compiles. */
    private static final int WARMING = 3;

    /**
     * Every contender answers every query for about so long before any is measured, so that what they share of their
     * code is compiled.
     */
    private static final long WARM_NANOS = 10_000_000_000L;

    /** How many times over the thousand films there are for the reading of them all. */
    private static final int COPIES = 1000;

    private static final int KEY = 500;
    private static final int CONNECTIONS = 4;
    private static final double QUERY_TOLERANCE = 1.10;
    private static final double READ_TOLERANCE = 1.10;
    private static final double LOOKUP_TOLERANCE = 1.15;
    private static final double MEASURING_TOLERANCE = 0.03;

    /**
     * A way to ask the film store.
     *
     * @param answers gives the answer to a question
     * @param reading reads every film into an object of all its columns, and adds up their minutes
     */
    private record Contender(String name, Answers answers, Reading reading) {
        @Override
        public String toString() {
            return name;
        }
    }

    private interface Answers {
        Object answer(FilmQuestion question) throws Exception;
    }

    private interface Reading {
        long readAll() throws Exception;
    }

    /** The experiment. */
    public FilmsSqlExperiment() {
        super(
                "films-sql",
                "typed streams beside JDBC, jOOQ and Speedment, in their databases; about 8 minutes");
    }

    @Override
    public Outcome run(Trial trial) throws Exception {
        List<TestDatabase.Kind> kinds = trial.databases();
        Outcome outcome = new Outcome(name(), "Streams over the film store, as SQL");
        outcome.peer("jOOQ", DSLContext.class);
        outcome.peer("Speedment", Speedment.class);
        outcome.text(
                """
                A film store of scale 1, and then one of %s films, asked by one thread through a pool of connections
                with the driver's defaults. Every contender gives the same answer, which is compared. JDBC is SQL by
                hand: each column and row that is not needed stays in the database. Speedment's ties are in any order.
                A ratio is the median of the repetitions' ratios, which need not be that of the medians.
                """
                        .formatted(Figures.number(1000.0 * trial.scaled(COPIES))));
        trial.steps(
                (long) kinds.size()
                        * (WARMING + trial.repetitions())
                        * (FilmQuestion.IN_DATABASES.size() + 2));
        for (TestDatabase.Kind kind : kinds) {
            try (TestDatabase database = store(kind);
                    Run run = new Run(database, trial, outcome)) {
                run.measure();
            }
        }
        return outcome;
    }

    /** Makes a new store of scale 1. */
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
    private static final class Run implements AutoCloseable {
        private final TestDatabase database;
        private final Trial trial;
        private final Outcome outcome;
        private final String where;
        private final TypedTable<Film> films;
        private final List<Contender> contenders = new ArrayList<>();
        private final List<Runnable> resources = new ArrayList<>();
        private final Contender ours;
        private final Contender jdbc;

        private Run(TestDatabase database, Trial trial, Outcome outcome) throws Exception {
            this.database = database;
            this.trial = trial;
            this.outcome = outcome;
            where = Trial.label(database.kind());
            boolean postgres = database.kind() == TestDatabase.Kind.POSTGRESQL;
            String rating = postgres ? "CAST(? AS mpaa_rating)" : "?";
            films = TypedTable.of(DatabaseAddress.engine(pool()), Film.TABLE);
            StreamFilms streams = new StreamFilms(films, KEY);
            ours = add("Penstock", streams, streams::readAll);
            HikariDataSource byHand = pool();
            jdbc = add("JDBC", SqlFilms.on(byHand, KEY, rating), () -> SqlFilms.readAll(byHand));
            JooqFilms jooq =
                    new JooqFilms(
                            pool(), postgres ? SQLDialect.POSTGRES : SQLDialect.MARIADB, rating);
            contenders.add(new Contender("jOOQ", jooq::answer, jooq::readAll));
            addSpeedment();
        }

        /** Makes connections for one contender, with the driver's defaults. */
        private HikariDataSource pool() {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(database.url());
            config.setUsername(database.user());
            config.setPassword(database.password());
            config.setMaximumPoolSize(CONNECTIONS);
            HikariDataSource pool = new HikariDataSource(config);
            resources.add(pool::close);
            return pool;
        }

        private Contender add(String name, FilmAsks asks, Reading reading) throws Exception {
            Map<FilmQuestion, Ask> ready = new EnumMap<>(FilmQuestion.class);
            for (FilmQuestion question : FilmQuestion.IN_DATABASES) {
                ready.put(question, asks.ask(question));
            }
            Answers answers = question -> Objects.requireNonNull(ready.get(question)).answer();
            Contender contender = new Contender(name, answers, reading);
            contenders.add(contender);
            return contender;
        }

        private void addSpeedment() {
            trial.doing(where + ", generating Speedment's code");
            if (database.kind() == TestDatabase.Kind.H2) {
                outcome.text("Speedment has no connector for H2.");
                return;
            }
            try {
                SpeedmentFilms speedment = new SpeedmentFilms(database);
                resources.add(speedment::close);
                contenders.add(new Contender("Speedment", speedment::answer, speedment::readAll));
            } catch (Exception e) {
                outcome.text("Speedment does not run here: " + e);
            }
        }

        private void measure() throws Exception {
            trial.doing(where + ", warming up");
            long nanos = trial.scaledNanos(WARM_NANOS) * contenders.size();
            long start = System.nanoTime();
            while (System.nanoTime() - start < nanos) {
                for (Contender contender : contenders) {
                    for (FilmQuestion question : FilmQuestion.IN_DATABASES) {
                        contender.answers.answer(question);
                    }
                }
            }
            questions();
            multiply();
            all();
        }

        private void questions() throws Exception {
            Outcome.Table table = table(where + ", one answer (µs, median)");
            int lost = 0;
            FilmQuestion worst = FilmQuestion.COUNT_LONG;
            double worstRatio = 0;
            for (FilmQuestion question : FilmQuestion.IN_DATABASES) {
                requireSameAnswers(question);
                double ratio = row(table, question.toString(), asked(question));
                if (ratio > worstRatio) {
                    worstRatio = ratio;
                    worst = question;
                }
                lost += ratio > QUERY_TOLERANCE + MEASURING_TOLERANCE ? 1 : 0;
            }
            outcome.finding(
                    where + ": never slower than the best peer by more than 10 %",
                    "%d of %d queries are; largest ratio %s (%s)"
                            .formatted(
                                    lost,
                                    FilmQuestion.IN_DATABASES.size(),
                                    Figures.number(worstRatio),
                                    worst),
                    lost == 0);
        }

        /** Measures what it costs to read everything, and to read one row of it. */
        private void all() throws Exception {
            long films = 1000L * trial.scaled(COPIES);
            long expected = jdbc.reading.readAll();
            Map<Contender, Samples> reading =
                    measured(
                            where + ", reading " + films + " films",
                            1,
                            contender -> {
                                long start = System.nanoTime();
                                long minutes = contender.reading.readAll();
                                long nanoseconds = System.nanoTime() - start;
                                if (minutes != expected) {
                                    throw new IllegalStateException(
                                            "%s read %d minutes of %d"
                                                    .formatted(contender, minutes, expected));
                                }
                                return nanoseconds / 1e6;
                            });
            Map<Contender, Samples> lookup = asked(FilmQuestion.KEY);
            Outcome.Table table = table(where + ", " + Figures.number(films) + " films (median)");
            row(table, "every film as a record (ms)", reading);
            row(table, "one film by its key (µs)", lookup);
            finding("every film within 10 % of JDBC by hand", reading, READ_TOLERANCE);
            finding("one film by its key within 15 % of JDBC by hand", lookup, LOOKUP_TOLERANCE);
        }

        private void finding(String goal, Map<Contender, Samples> samples, double tolerance) {
            double ratio = of(samples, ours).medianRatio(of(samples, jdbc));
            outcome.finding(
                    where + ": " + goal,
                    Figures.percent(ratio) + " of JDBC's time",
                    ratio <= tolerance + MEASURING_TOLERANCE);
        }

        private static Samples of(Map<Contender, Samples> samples, Contender contender) {
            return samples.getOrDefault(contender, new Samples());
        }

        private Outcome.Table table(String title) {
            List<String> header = new ArrayList<>(List.of(""));
            contenders.forEach(contender -> header.add(contender.name));
            header.add("to the best peer");
            return outcome.table(title, header);
        }

        /** Adds a row. Returns Penstock's time to that of the peer with the least median. */
        private double row(Outcome.Table table, String label, Map<Contender, Samples> samples) {
            Samples best =
                    contenders.stream()
                            .filter(contender -> !contender.equals(ours))
                            .map(contender -> of(samples, contender))
                            .min(Comparator.comparingDouble(Samples::median))
                            .orElseThrow();
            double ratio = of(samples, ours).medianRatio(best);
            table.row(label, List.copyOf(samples.values()), ratio);
            return ratio;
        }

        private void requireSameAnswers(FilmQuestion question) throws Exception {
            String expected = text(question, jdbc);
            for (Contender contender : contenders) {
                String answer = text(question, contender);
                if (!answer.equals(expected)) {
                    throw new IllegalStateException(
                            "%s: %s answers %s, and not %s"
                                    .formatted(question, contender, answer, expected));
                }
            }
        }

        /** Where films are equally long, Speedment takes any of them; so only their number is compared. */
        private static String text(FilmQuestion question, Contender contender) throws Exception {
            String text = String.valueOf(contender.answers.answer(question));
            return question == FilmQuestion.COMPLEX ? text.replaceAll(",.*", "") : text;
        }

        /** One measurement of a contender. */
        private interface Measure {
            double of(Contender contender) throws Exception;
        }

        /**
         * Measures in interleaved repetitions, of which each is the median of its turns, after those that do not
         * count.
         */
        private Map<Contender, Samples> measured(String doing, int turns, Measure measure)
                throws Exception {
            Map<Contender, Samples> samples = new LinkedHashMap<>();
            contenders.forEach(contender -> samples.put(contender, new Samples()));
            for (int i = -WARMING; i < trial.repetitions(); i++) {
                trial.doing(doing);
                Map<Contender, Samples> taken = new LinkedHashMap<>();
                for (int turn = 0; turn < turns; turn++) {
                    for (Contender each : Trial.order(contenders, Math.max(0, i) + turn)) {
                        taken.computeIfAbsent(each, _ -> new Samples()).add(measure.of(each));
                    }
                }
                if (i >= 0) {
                    taken.forEach((each, values) -> of(samples, each).add(values.median()));
                }
                trial.step();
            }
            return samples;
        }

        /** Measures the time of an answer in µs: in each turn the mean of as many as there are in it. */
        private Map<Contender, Samples> asked(FilmQuestion question) throws Exception {
            long window = trial.scaledNanos(WINDOW_NANOS / TURNS);
            return measured(
                    where + ", " + question,
                    TURNS,
                    contender -> {
                        long start = System.nanoTime();
                        long end = start;
                        int count = 0;
                        while (end - start < window || count == 0) {
                            contender.answers.answer(question);
                            count++;
                            end = System.nanoTime();
                        }
                        return (end - start) / 1e3 / count;
                    });
        }

        /** Has the thousand films as many times as is wanted. */
        private void multiply() {
            int copies = trial.scaled(COPIES);
            trial.doing(where + ", making films");
            if (copies > 1) {
                database.execute(
                        """
                        INSERT INTO film
                        WITH RECURSIVE copy (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < %d)
                        SELECT film_id + 1000 * n, title, description, release_year, language_id,
                            original_language_id, rental_duration, rental_rate, length, replacement_cost,
                            rating, special_features, last_update
                        FROM film CROSS JOIN copy
                        """
                                .formatted(copies - 1));
            }
            FilmDatabase.analyse(database);
            long there = films.stream().count();
            if (there != 1000L * copies) {
                throw new IllegalStateException("there are " + there + " films");
            }
        }

        @Override
        public void close() {
            resources.reversed().forEach(Runnable::run);
        }
    }
}
