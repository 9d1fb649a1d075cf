package dev.penstock.bench.films;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.films.RestartChild.Start;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.server.DatabaseAddress;
import dev.penstock.bench.transfer.load.TestFile;
import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Films of a database that are loaded and saved once, and started from their file again and again. */
final class RestartRun {
    /** So many films change, or all where there are fewer. */
    static final long CHANGED = 1_000;

    private static final double GOAL_NANOS = 5e8;
    private static final long WARM_NANOS = 2_000_000_000L;
    private static final long WINDOW_NANOS = 200_000_000L;

    /** Rounds of all questions: the order of five million titles takes some 20 s to be built beside them. */
    private static final int ROUNDS = 20;

    private static final Duration LONG = Duration.ofMinutes(15);

    /** Bytes of a film outside the heap, for the JVM that loads them. */
    private static final long FILM_BYTES = 300;

    private final TestDatabase database;
    private final DatabaseAddress source;
    private final long films;
    private final Path file;
    private final Trial trial;
    private final Map<FilmQuestion, Samples> loadedTimes = new EnumMap<>(FilmQuestion.class);
    private final Map<FilmQuestion, Samples> mappedTimes = new EnumMap<>(FilmQuestion.class);
    private final Times cold = new Times();
    private final Times warm = new Times();
    private final Samples updates = new Samples();
    private final Samples loadedUpdates = new Samples();

    /** The times of some starts. */
    private static final class Times {
        private final Samples loaded = new Samples();
        private final Samples counted = new Samples();
        private final Samples found = new Samples();

        void add(Start start) {
            loaded.add(start.loaded());
            counted.add(start.counted());
            found.add(start.found());
        }
    }

    RestartRun(TestDatabase database, long films, Path file, Trial trial) {
        this.database = database;
        source = DatabaseAddress.of(database);
        this.films = films;
        this.file = file;
        this.trial = trial;
    }

    void measure(Outcome outcome) throws Exception {
        try (Child<RestartChild> loader = child("loader")) {
            trial.doing("loading from the database");
            Start load = loader.call(LONG, RestartChild::start);
            require(!load.fromFile(), "the films were to come from the database");
            trial.step();
            trial.doing("asking, until the indexes are there");
            for (int round = 0; round < ROUNDS; round++) {
                ask(loader, WARM_NANOS / ROUNDS);
            }
            trial.doing("saving");
            double saved = loader.call(LONG, RestartChild::save);
            trial.step();
            for (int i = 0; i < trial.repetitions(); i++) {
                coldStart();
                trial.step();
                warmStart(loader);
                trial.step();
            }
            starts(outcome, load, saved);
            answers(outcome);
        }
        trial.doing("two processes");
        shared(outcome);
        trial.step();
    }

    private Child<RestartChild> child(String name) throws IOException {
        DatabaseAddress from = source;
        long count = films;
        String to = file.toString();
        return Child.start(
                name,
                "256m",
                List.of(
                        "-XX:MaxDirectMemorySize="
                                + (256 + 2 * films * FILM_BYTES / 1_000_000)
                                + "m"),
                trial.log("restart-" + name),
                () -> new RestartChild(from, count, Path.of(to)));
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }

    private Start started(Child<RestartChild> child) throws IOException {
        Start start = child.call(LONG, RestartChild::start);
        require(start.fromFile(), "the films were to come from the file");
        return start;
    }

    /** The system is told to drop the file, which it does where no process has it mapped. */
    private void coldStart() throws IOException {
        trial.doing("a start from a cold file");
        try (Child<RestartChild> child = child("cold")) {
            TestFile.evict(file);
            cold.add(started(child));
        }
    }

    private void warmStart(Child<RestartChild> loader) throws Exception {
        trial.doing("a start from the file");
        try (Child<RestartChild> child = child("warm")) {
            warm.add(started(child));
            Map<FilmQuestion, Double> _ = ask(child, WARM_NANOS);
            add(loadedTimes, ask(loader, WINDOW_NANOS));
            add(mappedTimes, ask(child, WINDOW_NANOS));
            database.execute(
                    "UPDATE film SET last_update = CURRENT_TIMESTAMP WHERE MOD(film_id, %d) = 0"
                            .formatted(Math.max(1, films / CHANGED)));
            updates.add(child.call(LONG, RestartChild::refresh));
            loadedUpdates.add(loader.call(LONG, RestartChild::refresh));
        }
    }

    private Map<FilmQuestion, Double> ask(Child<RestartChild> child, long nanos)
            throws IOException {
        long each = trial.scaledNanos(nanos);
        return child.call(LONG, started -> started.times(each));
    }

    private static void add(
            Map<FilmQuestion, Samples> samples, Map<FilmQuestion, Double> measured) {
        measured.forEach((question, nanos) ->
                samples.computeIfAbsent(question, _ -> new Samples()).add(nanos));
    }

    private void starts(Outcome outcome, Start load, double saved) throws IOException {
        outcome.table(
                        "From the beginning of the loading (medians)",
                        "|films there|those of a rating counted|one found by its key")
                .row(
                        "from the database, once",
                        time(load.loaded()),
                        time(load.counted()),
                        time(load.found()))
                .row("from the file", cell(warm.loaded), cell(warm.counted), cell(warm.found))
                .row(
                        "from the file, cold",
                        cell(cold.loaded),
                        cell(cold.counted),
                        cell(cold.found));
        outcome.table("Beside that", "|")
                .row("the file", Figures.megabytes(Files.size(file)))
                .row("saving it, on the disk", time(saved))
                .row("a refresh of what came from it", cell(updates))
                .row("a refresh of what was loaded", cell(loadedUpdates));
        outcome.atMost(
                "the first answer within half a second from the beginning of the loading",
                warm.counted.median(),
                GOAL_NANOS,
                Figures::time);
    }

    private static String time(double nanos) {
        return Figures.time(nanos);
    }

    private static Outcome.Cell cell(Samples nanos) {
        return new Outcome.Cell(nanos, Figures::time);
    }

    private void answers(Outcome outcome) {
        Outcome.Table table =
                outcome.table(
                        "One thread: the time of an answer (medians)",
                        "|loaded|mapped|mapped / loaded");
        loadedTimes.forEach((question, loaded) -> {
            Samples mapped = Objects.requireNonNull(mappedTimes.get(question));
            table.row(
                    question,
                    cell(loaded),
                    cell(mapped),
                    Figures.number(mapped.medianRatio(loaded)));
        });
    }

    private void shared(Outcome outcome) throws IOException {
        try (Child<RestartChild> one = child("one");
                Child<RestartChild> other = child("other")) {
            String mapped = file.toString();
            for (Child<RestartChild> each : List.of(one, other)) {
                Start _ = started(each);
                Map<FilmQuestion, Double> _ = ask(each, WINDOW_NANOS);
            }
            Map<String, Long> bytes =
                    one.call(_ -> new TreeMap<>(RestartChild.mapped(Path.of(mapped))));
            Long there = bytes.get("Rss");
            Long share = bytes.get("Pss");
            if (there != null && share != null) {
                outcome.text(
                        """
                        Of the file, one of two processes has %s in memory, and %s of that are its
                        share: the rest is the other's.
                        """
                                .formatted(Figures.megabytes(there), Figures.megabytes(share)));
            }
        }
    }
}
