package dev.penstock.bench.films;

import dev.penstock.bench.child.Answer;
import dev.penstock.bench.films.FilmKeeper.Kind;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.report.Words;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What was measured of so many films, and how it is shown. */
final class FilmsFigures {
    private final long films;
    private final int threads;
    private final List<FilmQuestion> questions;
    private final Map<FilmQuestion, Map<Kind, Samples>> nanos = new EnumMap<>(FilmQuestion.class);
    private final Map<FilmQuestion, Map<Kind, Samples>> perSecond =
            new EnumMap<>(FilmQuestion.class);
    private final Map<Kind, Double> loadNanos = new EnumMap<>(Kind.class);
    private final Samples readNanos = new Samples();
    private final Samples reloadNanos = new Samples();
    private final Map<Kind, Double> bytes = new EnumMap<>(Kind.class);
    private final Map<Kind, Double> subQueriesNanos = new EnumMap<>(Kind.class);

    FilmsFigures(long films, int threads, List<FilmQuestion> questions) {
        this.films = films;
        this.threads = threads;
        this.questions = questions;
    }

    long films() {
        return films;
    }

    /** How many films, in words. */
    String size() {
        return Words.number((double) films) + " films";
    }

    List<FilmQuestion> questions() {
        return questions;
    }

    /** The times of an answer, by one thread. */
    Map<Kind, Samples> nanos(FilmQuestion question) {
        return nanos.computeIfAbsent(question, _ -> new EnumMap<>(Kind.class));
    }

    /** Answers a second, by all threads. */
    Map<Kind, Samples> perSecond(FilmQuestion question) {
        return perSecond.computeIfAbsent(question, _ -> new EnumMap<>(Kind.class));
    }

    void loadNanos(Kind kind, double value) {
        loadNanos.put(kind, value);
    }

    /** The times of a bare read by JDBC, alternating with {@link #reloadNanos}. */
    Samples readNanos() {
        return readNanos;
    }

    /** The times of a load into a snapshot. */
    Samples reloadNanos() {
        return reloadNanos;
    }

    /** What a keeper takes; NaN if it was not measured. */
    double bytes(Kind kind) {
        return bytes.getOrDefault(kind, Double.NaN);
    }

    void bytes(Kind kind, double value) {
        bytes.put(kind, value);
    }

    double subQueries(Kind kind) {
        return subQueriesNanos.getOrDefault(kind, Double.NaN);
    }

    /** The time of a million, or what it would be. */
    void subQueries(Kind kind, double value) {
        subQueriesNanos.put(kind, value);
    }

    void show(Outcome outcome) {
        List<Kind> kinds = List.copyOf(nanos(questions.getFirst()).keySet());
        List<List<String>> times = new ArrayList<>();
        List<List<String>> rates = new ArrayList<>();
        for (FilmQuestion question : questions) {
            times.add(row(question.words(), kinds, nanos(question), true));
            rates.add(row(question.words(), kinds, perSecond(question), false));
            record(outcome, question, nanos(question), "latency", "ns");
            record(outcome, question, perSecond(question), "throughput", "1/s");
        }
        times.add(once("a million sub-queries", kinds, subQueriesNanos));
        outcome.add(
                new Outcome.Table(
                        size() + ", one thread: the time of an answer (median)",
                        header(kinds),
                        times));
        outcome.add(
                new Outcome.Table(
                        size() + ", " + threads + " threads: answers a second (median)",
                        header(kinds),
                        rates));
        outcome.add(chart(kinds));
        memory(outcome, kinds);
    }

    private static List<String> header(List<Kind> kinds) {
        List<String> header = new ArrayList<>(List.of(""));
        kinds.forEach(kind -> header.add(kind.label()));
        return header;
    }

    private static List<String> row(
            String label, List<Kind> kinds, Map<Kind, Samples> samples, boolean isTime) {
        List<String> row = new ArrayList<>(List.of(label));
        for (Kind kind : kinds) {
            double median = samples.getOrDefault(kind, new Samples()).median();
            row.add(isTime ? Words.time(median) : Words.count(median));
        }
        return row;
    }

    private static List<String> once(String label, List<Kind> kinds, Map<Kind, Double> nanos) {
        List<String> row = new ArrayList<>(List.of(label));
        kinds.forEach(kind -> row.add(Words.time(nanos.getOrDefault(kind, Double.NaN))));
        return row;
    }

    private void record(
            Outcome outcome,
            FilmQuestion question,
            Map<Kind, Samples> samples,
            String what,
            String unit) {
        samples.forEach((kind, values) ->
                outcome.measured(
                        what,
                        new Answer(
                                Map.of(
                                        "films", Long.toString(films),
                                        "question", question.name(),
                                        "contender", kind.label())),
                        unit,
                        values));
    }

    private Outcome.Chart chart(List<Kind> kinds) {
        List<Outcome.Series> series = new ArrayList<>();
        for (Kind kind : kinds) {
            List<Double> xs = new ArrayList<>();
            List<Double> ys = new ArrayList<>();
            for (FilmQuestion question : questions) {
                xs.add(xs.size() + 1.0);
                ys.add(nanos(question).getOrDefault(kind, new Samples()).median());
            }
            series.add(new Outcome.Series(kind.label(), xs, ys));
        }
        return new Outcome.Chart(
                size() + ", one thread",
                "question, in the order of the table",
                "time of an answer (ns)",
                true,
                series);
    }

    private void memory(Outcome outcome, List<Kind> kinds) {
        List<List<String>> rows = new ArrayList<>();
        for (Kind kind : kinds) {
            if (!kind.isServer()) {
                double load = loadNanos.getOrDefault(kind, Double.NaN);
                rows.add(
                        List.of(
                                kind.label(),
                                Words.time(load),
                                Words.count(films * 1e9 / load),
                                Words.megabytes(bytes(kind)),
                                Words.number(bytes(kind) / films)));
            }
        }
        if (!readNanos.isEmpty()) {
            rows.add(
                    List.of(
                            "a bare JDBC read",
                            Words.time(readNanos.median()),
                            Words.count(films * 1e9 / readNanos.median()),
                            "",
                            ""));
            rows.add(
                    List.of(
                            Kind.PENSTOCK.label() + ", again",
                            Words.time(reloadNanos.median()),
                            Words.count(films * 1e9 / reloadNanos.median()),
                            "",
                            ""));
        }
        outcome.add(
                new Outcome.Table(
                        size() + ": loaded, with all indexes",
                        List.of("", "in", "films/s", "memory", "bytes a film"),
                        rows));
    }
}
