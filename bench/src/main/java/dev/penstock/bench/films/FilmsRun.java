package dev.penstock.bench.films;

import dev.penstock.bench.child.Answer;
import dev.penstock.bench.child.Child;
import dev.penstock.bench.experiment.Interleaved;
import dev.penstock.bench.experiment.Progress;
import dev.penstock.bench.experiment.Settings;
import dev.penstock.bench.films.FilmKeeper.Kind;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.report.Words;
import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** So many films, kept by several at once, who are measured in turn. */
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

    private final long films;
    private final Settings settings;
    private final Progress progress;
    private final Map<Kind, Child> children = new EnumMap<>(Kind.class);
    private final FilmsFigures figures;

    /** Starts the JVMs, which are empty. */
    FilmsRun(
            long films,
            int threads,
            List<Kind> kinds,
            Map<Kind, FilmSource> sources,
            Settings settings,
            Progress progress)
            throws IOException {
        this.films = films;
        this.settings = settings;
        this.progress = progress;
        figures = new FilmsFigures(films, threads, FilmsExperiment.questions(films));
        try {
            FilmSource first = sources.values().iterator().next();
            for (Kind kind : kinds) {
                children.put(
                        kind, start(kind, threads, sources.getOrDefault(kind, first).database()));
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private Child start(Kind kind, int threads, TestDatabase source) throws IOException {
        Map<String, String> arguments = new LinkedHashMap<>();
        arguments.put("kind", kind.name());
        arguments.put("films", Long.toString(films));
        arguments.put("threads", Integer.toString(threads));
        arguments.put("url", source.url());
        arguments.put("user", source.user());
        arguments.put("password", source.password());
        return Child.start(
                kind.label(),
                FilmsChild.class,
                kind.heapMegabytes(films) + "m",
                List.of(new Answer(arguments).line()),
                settings.log("films-" + films + "-" + kind.label()));
    }

    FilmsFigures measure() throws IOException {
        load();
        for (FilmQuestion question : figures.questions()) {
            requireSameAnswers(question);
        }
        warm();
        for (FilmQuestion question : figures.questions()) {
            measure(question, "time", "nanos", figures.nanos(question));
            measure(question, "rate", "perSecond", figures.perSecond(question));
        }
        subQueries();
        for (Kind kind : children.keySet()) {
            if (!kind.isServer()) {
                figures.bytes(kind, ask(kind, "bytes", Map.of(), ANSWERING).number("bytes"));
            }
        }
        return figures;
    }

    private Answer ask(Kind kind, String verb, Map<String, String> arguments, Duration patience)
            throws IOException {
        return Objects.requireNonNull(children.get(kind))
                .ask(verb, new Answer(arguments), patience);
    }

    private void doing(Kind kind, String what) {
        progress.doing(Words.number((double) films) + " films, " + kind.label() + ": " + what);
    }

    private void load() throws IOException {
        for (Kind kind : children.keySet()) {
            doing(kind, "loading");
            double nanos = ask(kind, "load", Map.of(), LOADING).number("nanos");
            if (!kind.isServer()) {
                figures.loadNanos(kind, nanos);
            }
        }
        for (int i = 0; i < settings.repetitions(); i++) {
            doing(Kind.PENSTOCK, "loading again");
            figures.readNanos().add(ask(Kind.PENSTOCK, "read", Map.of(), LOADING).number("nanos"));
            figures.reloadNanos()
                    .add(ask(Kind.PENSTOCK, "reload", Map.of(), LOADING).number("nanos"));
        }
    }

    private void requireSameAnswers(FilmQuestion question) throws IOException {
        String expected = "";
        for (Kind kind : children.keySet()) {
            doing(kind, question.words());
            String answer =
                    ask(kind, "check", Map.of("question", question.name()), ANSWERING)
                            .text("answer");
            if (expected.isEmpty()) {
                expected = answer;
            } else if (!answer.equals(expected)) {
                throw new IllegalStateException(
                        question.words()
                                + ", asked of "
                                + films
                                + " films: "
                                + kind.label()
                                + " answers "
                                + answer
                                + ", and not "
                                + expected);
            }
        }
    }

    private long window(long nanos) {
        return (long) (nanos * Math.min(1, settings.scale()));
    }

    private void warm() throws IOException {
        for (Kind kind : children.keySet()) {
            for (FilmQuestion question : figures.questions()) {
                doing(kind, "warming up");
                once(kind, question, "time", window(WARM_NANOS));
                progress.step(2);
            }
        }
    }

    private Answer once(Kind kind, FilmQuestion question, String verb, long window)
            throws IOException {
        return ask(
                kind,
                verb,
                Map.of("question", question.name(), "window", Long.toString(window)),
                ANSWERING);
    }

    /** Interleaved repetitions. */
    private void measure(
            FilmQuestion question, String verb, String unit, Map<Kind, Samples> samples)
            throws IOException {
        for (int i = 0; i < settings.repetitions(); i++) {
            for (Kind kind : Interleaved.order(List.copyOf(children.keySet()), i)) {
                doing(kind, question.words());
                Samples mine = samples.computeIfAbsent(kind, _ -> new Samples());
                if (i < SLOW_REPETITIONS || !isSlow(kind, question)) {
                    mine.add(once(kind, question, verb, window(WINDOW_NANOS)).number(unit));
                }
                progress.step();
            }
        }
    }

    private boolean isSlow(Kind kind, FilmQuestion question) {
        return Objects.requireNonNull(figures.nanos(question).get(kind)).median()
                > window(WINDOW_NANOS);
    }

    private void subQueries() throws IOException {
        for (Kind kind : children.keySet()) {
            doing(kind, "a million sub-queries");
            Answer answer =
                    ask(
                            kind,
                            "subqueries",
                            Map.of(
                                    "most",
                                    Long.toString(SUB_QUERIES),
                                    "window",
                                    Long.toString(window(SUB_QUERIES_NANOS))),
                            ANSWERING);
            figures.subQueries(kind, answer.number("nanos") / answer.number("count") * SUB_QUERIES);
        }
    }

    @Override
    public void close() {
        children.values().forEach(Child::close);
    }
}
