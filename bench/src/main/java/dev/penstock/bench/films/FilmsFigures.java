package dev.penstock.bench.films;

import dev.penstock.bench.films.FilmKeeper.Kind;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The figures of so many films, and how they are shown. */
final class FilmsFigures {
    /** So many films are asked only the two basic questions. */
    static final long FEW = 1000;

    final long films;
    final List<FilmQuestion> questions;

    /** The times of a load by each store that is no server. */
    final Map<Kind, Double> loadNanos = new EnumMap<>(Kind.class);

    /** The times of a bare read by JDBC, alternating with {@link #reloadNanos}. */
    final Samples readNanos = new Samples();

    /** The times of a load into a snapshot. */
    final Samples reloadNanos = new Samples();

    /** What each store takes. */
    final Map<Kind, Double> bytes = new EnumMap<>(Kind.class);

    /** The time of a million sub-queries, or what it would be. */
    final Map<Kind, Double> subQueriesNanos = new EnumMap<>(Kind.class);

    private final int threads;
    private final Map<FilmQuestion, Map<Kind, Samples>> nanos = new EnumMap<>(FilmQuestion.class);
    private final Map<FilmQuestion, Map<Kind, Samples>> perSecond =
            new EnumMap<>(FilmQuestion.class);

    FilmsFigures(long films, int threads) {
        this.films = films;
        this.threads = threads;
        questions = questions(films);
    }

    /** Returns the questions that are asked of so many films. */
    static List<FilmQuestion> questions(long films) {
        return films == FEW ? FilmQuestion.BASIC : FilmQuestion.IN_MEMORY;
    }

    /** Returns how many films, in words. */
    String size() {
        return Figures.number(films) + " films";
    }

    /** Returns the times of an answer, by one thread. */
    Map<Kind, Samples> nanos(FilmQuestion question) {
        return nanos.computeIfAbsent(question, _ -> new EnumMap<>(Kind.class));
    }

    /** Returns the answers a second, by all threads. */
    Map<Kind, Samples> perSecond(FilmQuestion question) {
        return perSecond.computeIfAbsent(question, _ -> new EnumMap<>(Kind.class));
    }

    static Samples of(Map<Kind, Samples> samples, Kind kind) {
        return samples.getOrDefault(kind, new Samples());
    }

    static double figure(Map<Kind, Double> figures, Kind kind) {
        return figures.getOrDefault(kind, Double.NaN);
    }

    void show(Outcome outcome) {
        List<Kind> kinds = List.copyOf(nanos(questions.getFirst()).keySet());
        List<String> header = new ArrayList<>(List.of(""));
        kinds.forEach(kind -> header.add(kind.toString()));
        Outcome.Table times =
                outcome.table(size() + ", one thread: the time of an answer (median)", header);
        Outcome.Table rates =
                outcome.table(
                        size() + ", " + threads + " threads: answers a second (median)", header);
        Outcome.Chart chart =
                outcome.chart(
                        size() + ", one thread",
                        "question, in the order of the table",
                        "time of an answer (ns)",
                        true);
        for (FilmQuestion question : questions) {
            List<Object> time = new ArrayList<>();
            List<Object> rate = new ArrayList<>();
            for (Kind kind : kinds) {
                Samples nanos = of(nanos(question), kind);
                time.add(new Outcome.Cell(nanos, Figures::time));
                rate.add(new Outcome.Cell(of(perSecond(question), kind), Figures::count));
                chart.point(kind.toString(), questions.indexOf(question) + 1, nanos.median());
            }
            times.row(question, time);
            rates.row(question, rate);
        }
        times.row(
                "a million sub-queries",
                kinds.stream().map(kind -> Figures.time(figure(subQueriesNanos, kind))).toList());
        memory(outcome, kinds);
    }

    private void memory(Outcome outcome, List<Kind> kinds) {
        Outcome.Table table =
                outcome.table(
                        size() + ": loaded, with all indexes", "|in|films/s|memory|bytes a film");
        for (Kind kind : kinds) {
            if (!kind.isServer()) {
                load(table, kind.toString(), figure(loadNanos, kind), figure(bytes, kind));
            }
        }
        if (!readNanos.isEmpty()) {
            load(table, "a bare JDBC read", readNanos.median(), Double.NaN);
            load(table, Kind.PENSTOCK + ", again", reloadNanos.median(), Double.NaN);
        }
    }

    private void load(Outcome.Table table, String label, double nanos, double bytes) {
        table.row(
                label,
                Figures.time(nanos),
                Figures.count(films * 1e9 / nanos),
                Figures.megabytes(bytes),
                bytes / films);
    }
}
