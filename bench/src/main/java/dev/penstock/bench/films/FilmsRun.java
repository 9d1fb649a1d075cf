package dev.penstock.bench.films;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.films.FilmKeeper.Kind;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.server.DatabaseAddress;
import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** So many films, kept by several stores at once, which are measured in turn. */
final class FilmsRun implements AutoCloseable {
    private static final long WINDOW_NANOS = 200_000_000L;

    /** Each is asked each question for so long before anything is measured, so that its code is compiled. */
    private static final long WARM_NANOS = 500_000_000L;

    /** Of what takes longer than its window, so many repetitions are enough. */
    private static final int SLOW_REPETITIONS = 2;

    private static final long SUB_QUERIES = 1_000_000;
    private static final long SUB_QUERIES_NANOS = 2_000_000_000L;
    private static final Duration LOADING = Duration.ofMinutes(30);
    private static final Duration ANSWERING = Duration.ofMinutes(5);

    private final Trial trial;
    private final Map<Kind, Child<FilmsChild>> children = new EnumMap<>(Kind.class);
    private final FilmsFigures figures;

    /** Starts the JVMs, which are empty. */
    FilmsRun(
            long films, int threads, List<Kind> kinds, Map<Kind, TestDatabase> sources, Trial trial)
            throws IOException {
        this.trial = trial;
        figures = new FilmsFigures(films, threads);
        try {
            TestDatabase first = sources.values().iterator().next();
            for (Kind kind : kinds) {
                DatabaseAddress source = DatabaseAddress.of(sources.getOrDefault(kind, first));
                children.put(
                        kind,
                        Child.start(
                                kind.toString(),
                                kind.heapMegabytes(films) + "m",
                                trial.log("films-" + films + "-" + kind),
                                () -> new FilmsChild(kind, source, films, threads)));
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    FilmsFigures measure() throws Exception {
        load();
        for (FilmQuestion question : figures.questions) {
            requireSameAnswers(question);
        }
        long warm = trial.scaledNanos(WARM_NANOS);
        for (Kind kind : children.keySet()) {
            for (FilmQuestion question : figures.questions) {
                doing(kind, "warming up");
                ask(kind, child -> child.time(question, warm));
                trial.step();
            }
        }
        long window = trial.scaledNanos(WINDOW_NANOS);
        for (FilmQuestion question : figures.questions) {
            measure(question, figures.nanos(question), child -> child.time(question, window));
            measure(question, figures.perSecond(question), child -> child.rate(question, window));
        }
        subQueries();
        for (Kind kind : children.keySet()) {
            if (!kind.isServer()) {
                figures.bytes.put(kind, (double) ask(kind, FilmsChild::bytes));
            }
        }
        return figures;
    }

    private <R> R ask(Kind kind, Child.Task<FilmsChild, R> task) throws IOException {
        return child(kind).call(ANSWERING, task);
    }

    private Child<FilmsChild> child(Kind kind) {
        return children.getOrDefault(kind, children.values().iterator().next());
    }

    private void doing(Kind kind, String what) {
        trial.doing(Figures.number(figures.films) + " films, " + kind + ": " + what);
    }

    private void load() throws IOException {
        for (Kind kind : children.keySet()) {
            doing(kind, "loading");
            double nanos = child(kind).call(LOADING, FilmsChild::load);
            if (!kind.isServer()) {
                figures.loadNanos.put(kind, nanos);
            }
        }
        for (int i = 0; i < trial.repetitions(); i++) {
            doing(Kind.PENSTOCK, "loading again");
            figures.readNanos.add(child(Kind.PENSTOCK).call(LOADING, FilmsChild::read));
            figures.reloadNanos.add(child(Kind.PENSTOCK).call(LOADING, FilmsChild::reload));
        }
    }

    private void requireSameAnswers(FilmQuestion question) throws IOException {
        String expected = "";
        for (Kind kind : children.keySet()) {
            doing(kind, question.toString());
            String answer = ask(kind, child -> child.check(question));
            if (!expected.isEmpty() && !answer.equals(expected)) {
                throw new IllegalStateException(
                        "%s, asked of %d films: %s answers %s, and not %s"
                                .formatted(question, figures.films, kind, answer, expected));
            }
            expected = answer;
        }
    }

    private void measure(
            FilmQuestion question, Map<Kind, Samples> samples, Child.Task<FilmsChild, Double> task)
            throws Exception {
        trial.interleave(
                0,
                question + ", " + Figures.number(figures.films) + " films, ",
                List.copyOf(children.keySet()),
                (kind, _) -> {
                    Samples mine = samples.computeIfAbsent(kind, _ -> new Samples());
                    double nanos = FilmsFigures.of(figures.nanos(question), kind).median();
                    boolean slow = nanos > trial.scaledNanos(WINDOW_NANOS);
                    if (!slow || mine.values().size() < SLOW_REPETITIONS) {
                        mine.add(ask(kind, task));
                    }
                });
    }

    private void subQueries() throws IOException {
        long window = trial.scaledNanos(SUB_QUERIES_NANOS);
        for (Kind kind : children.keySet()) {
            doing(kind, "a million sub-queries");
            AskLoop.Run run = ask(kind, child -> child.subQueries(SUB_QUERIES, window));
            figures.subQueriesNanos.put(kind, run.nanosEach() * SUB_QUERIES);
        }
    }

    @Override
    public void close() {
        children.values().forEach(Child::close);
    }
}
