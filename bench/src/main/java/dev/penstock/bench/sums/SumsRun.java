package dev.penstock.bench.sums;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.server.DatabaseAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A snapshot and DuckDB, each in a process of its own, which are loaded and then measured in turns. */
final class SumsRun implements AutoCloseable {
    /** The most time, in DuckDB's. */
    private static final double MOST = 1.5;

    /** Bytes that a reading may take outside the heap. */
    private static final long READING_BYTES = 40;

    private static final long WARM_NANOS = 3_000_000_000L;
    private static final long WINDOW_NANOS = 1_000_000_000L;
    private static final Duration LOADING = Duration.ofMinutes(30);
    private static final Duration ANSWERING = Duration.ofMinutes(5);

    private final long rows;
    private final Trial trial;
    private final Store penstock;
    private final Store duckDb;

    /** A store, and the process that has it. */
    private record Store(String name, Child<SumsChild> child) {
        double load() throws IOException {
            return child.call(LOADING, SumsChild::load);
        }

        double time(SumsQuestion question, long nanos) throws IOException {
            return child.call(ANSWERING, started -> started.time(question, nanos));
        }

        String answer(SumsQuestion question) throws IOException {
            return child.call(ANSWERING, started -> started.check(question));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Starts the processes, which are empty. */
    SumsRun(DatabaseAddress source, long rows, int threads, Trial trial) throws IOException {
        this.rows = rows;
        this.trial = trial;
        long megabytes = 256 + rows * READING_BYTES / 1_000_000;
        penstock =
                new Store(
                        "Penstock",
                        Child.start(
                                "Penstock",
                                "512m",
                                List.of("-XX:MaxDirectMemorySize=" + megabytes + "m"),
                                trial.log("sums-penstock"),
                                () -> new SumsChild(() -> new SnapshotReadings(source))));
        try {
            duckDb =
                    new Store(
                            "DuckDB",
                            Child.start(
                                    "DuckDB",
                                    "256m",
                                    trial.log("sums-duckdb"),
                                    () -> new SumsChild(() -> new DuckDbReadings(rows, threads))));
        } catch (IOException | RuntimeException e) {
            penstock.child.close();
            throw e;
        }
    }

    void measure(Outcome outcome) throws Exception {
        load(outcome);
        Outcome.Table times =
                outcome.table(
                        "The time of an answer (medians)",
                        "|Penstock|DuckDB|Penstock / DuckDB|nanoseconds a reading, Penstock");
        Map<SumsQuestion, Double> ratios = new EnumMap<>(SumsQuestion.class);
        for (SumsQuestion question : SumsQuestion.values()) {
            requireSameAnswers(question);
            Samples mine = new Samples();
            Samples others = new Samples();
            time(question, mine, others);
            ratios.put(question, mine.medianRatio(others));
            times.row(
                    question,
                    new Outcome.Cell(mine, Figures::time),
                    new Outcome.Cell(others, Figures::time),
                    mine.medianRatio(others),
                    mine.median() / rows);
        }
        ratios.forEach((question, ratio) ->
                outcome.atMost(
                        question + ": within 1.5 times DuckDB",
                        ratio,
                        MOST,
                        figure -> Figures.number(figure) + " times"));
    }

    private void load(Outcome outcome) throws IOException {
        Outcome.Table memory = outcome.table("Memory", "|in all|bytes a reading");
        for (Store store : List.of(penstock, duckDb)) {
            trial.doing(store + ": loading");
            double bytes = store.load();
            memory.row(store, Figures.megabytes(bytes), bytes / rows);
            trial.step();
        }
    }

    private void requireSameAnswers(SumsQuestion question) throws IOException {
        trial.doing(question.toString());
        String mine = penstock.answer(question);
        String other = duckDb.answer(question);
        if (!mine.equals(other)) {
            throw new IllegalStateException(
                    "%s: Penstock answers %s, and DuckDB %s".formatted(question, mine, other));
        }
    }

    private void time(SumsQuestion question, Samples mine, Samples others) throws Exception {
        long warm = trial.scaledNanos(WARM_NANOS);
        long window = trial.scaledNanos(WINDOW_NANOS);
        for (Store store : List.of(penstock, duckDb)) {
            trial.doing(question + ", " + store + ": warming up");
            double _ = store.time(question, warm);
            trial.step();
        }
        trial.interleave(
                0,
                question + ", ",
                List.of(penstock, duckDb),
                (store, _) -> {
                    Samples samples = store.equals(penstock) ? mine : others;
                    samples.add(store.time(question, window));
                });
    }

    @Override
    public void close() {
        penstock.child.close();
        duckDb.child.close();
    }
}
