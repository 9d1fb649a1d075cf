package dev.penstock.bench.films;

import static dev.penstock.bench.films.FilmKeeper.Kind.CQENGINE;
import static dev.penstock.bench.films.FilmKeeper.Kind.DUCKDB;
import static dev.penstock.bench.films.FilmKeeper.Kind.LIST;
import static dev.penstock.bench.films.FilmKeeper.Kind.PENSTOCK;

import dev.penstock.bench.films.FilmKeeper.Kind;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The goals of Penstock's snapshot among those that keep films, and whether it reached them. */
record FilmsGoals(Outcome outcome) {
    /** The factors of throughput over a database that streams in memory are known to reach. */
    private static final Map<FilmQuestion, Integer> FACTORS =
            new EnumMap<>(Map.of(FilmQuestion.FILTER_AND_COUNT, 5300, FilmQuestion.COMPLEX, 2700));

    private static final Map<FilmQuestion, Integer> LIMITS_NANOS =
            new EnumMap<>(
                    Map.of(
                            FilmQuestion.PREFIX, 1_000,
                            FilmQuestion.TOP, 50_000,
                            FilmQuestion.CONJUNCTION, 300_000,
                            FilmQuestion.KEYS, 2_000,
                            FilmQuestion.EXTREMES, 500,
                            FilmQuestion.MIDDLE, 20_000));

    /** The most time for one film by its key, where CQEngine does not take more. */
    private static final double KEY_NANOS = 240;

    /** The most time for either of two conditions, in that of both one after the other. */
    private static final double EITHER = 2;

    /** The most time, in DuckDB's, for a condition for which each text of a column is looked at. */
    private static final double TEXTS = 1.5;

    /** The most time, in that of the best, with which a store counts as fast as it. */
    private static final double SAME = 1.2;

    /** How much longer the basic questions may take among many films. */
    private static final double GROWTH = 3;

    private static final double SHARE_OF_LIST = 0.3;
    private static final double SHARE_OF_JDBC = 0.7;
    private static final double SUB_QUERIES_NANOS = 1e9;

    /** Fewer films say nothing of memory and loading. */
    private static final long ENOUGH = 100_000;

    /** Judges all sizes, the smallest first. */
    void judge(List<FilmsFigures> sizes) {
        FilmsFigures fewest = sizes.getFirst();
        factors(fewest);
        for (FilmsFigures figures : sizes) {
            fastest(figures, "by one thread", false);
            fastest(figures, "by several threads", true);
            outcome.atMost(
                    figures.size() + ": a million sub-queries within a second",
                    FilmsFigures.figure(figures.subQueriesNanos, PENSTOCK),
                    SUB_QUERIES_NANOS,
                    Figures::time);
            if (figures.films >= ENOUGH) {
                limits(figures);
                memory(figures);
            }
            if (figures != fewest) {
                growth(fewest, figures);
                against(figures);
            }
        }
    }

    private static double nanos(FilmsFigures figures, FilmQuestion question) {
        return nanos(figures, question, PENSTOCK);
    }

    /** Not a number for what was not measured. */
    private static double nanos(FilmsFigures figures, FilmQuestion question, Kind kind) {
        return FilmsFigures.of(figures.nanos(question), kind).median();
    }

    private void factors(FilmsFigures figures) {
        FACTORS.forEach((question, factor) ->
                figures.perSecond(question)
                        .forEach((kind, samples) -> {
                            if (kind.isServer()) {
                                Samples ours =
                                        FilmsFigures.of(figures.perSecond(question), PENSTOCK);
                                double reached = ours.medianRatio(samples);
                                outcome.finding(
                                        "%s, %s: more than %,d times the throughput of %s"
                                                .formatted(figures.size(), question, factor, kind),
                                        Figures.count(reached) + " times",
                                        reached > factor);
                            }
                        }));
    }

    private void fastest(FilmsFigures figures, String words, boolean isRate) {
        List<String> lost = new ArrayList<>();
        int behind = 0;
        for (FilmQuestion question : figures.questions) {
            Map<Kind, Samples> samples =
                    isRate ? figures.perSecond(question) : figures.nanos(question);
            Samples ours = FilmsFigures.of(samples, PENSTOCK);
            Kind fastest = PENSTOCK;
            double most = 1;
            for (Map.Entry<Kind, Samples> each : samples.entrySet()) {
                Samples theirs = each.getValue();
                double ratio = isRate ? theirs.medianRatio(ours) : ours.medianRatio(theirs);
                if (ratio > most) {
                    fastest = each.getKey();
                    most = ratio;
                }
            }
            behind += most > SAME ? 1 : 0;
            if (fastest != PENSTOCK) {
                lost.add(
                        "%s: %s is %s times as fast"
                                .formatted(question, fastest, Figures.number(most)));
            }
        }
        outcome.finding(
                figures.size() + ": fastest in every row, " + words,
                lost.isEmpty()
                        ? "in all " + figures.questions.size()
                        : "in all but " + lost.size() + ": " + String.join("; ", lost),
                lost.isEmpty());
        outcome.finding(
                figures.size() + ": fastest or within 20 % of the best in every row, " + words,
                behind == 0 ? "in all " + figures.questions.size() : "in all but " + behind,
                behind == 0);
    }

    /** Judges what has a limit beside other figures of the same run. */
    private void against(FilmsFigures figures) {
        double key = nanos(figures, FilmQuestion.KEY);
        double cqEngine = nanos(figures, FilmQuestion.KEY, CQENGINE);
        outcome.atMost(
                figures.size() + ", one film by its key: at most 240 ns, or CQEngine's",
                key,
                Double.isNaN(cqEngine) ? KEY_NANOS : Math.max(KEY_NANOS, cqEngine),
                Figures::time);
        outcome.atMost(
                figures.size() + ", either of two conditions: within twice the two alone",
                nanos(figures, FilmQuestion.DAYS_OF_EITHER)
                        / (nanos(figures, FilmQuestion.DAYS_OF_PREFIX)
                                + nanos(figures, FilmQuestion.DAYS_OF_LENGTH)),
                EITHER,
                FilmsGoals::times);
        for (FilmQuestion question : List.of(FilmQuestion.WORD, FilmQuestion.PATTERN)) {
            double duckDb = nanos(figures, question, DUCKDB);
            if (!Double.isNaN(duckDb)) {
                outcome.atMost(
                        "%s, %s: within 1.5 times DuckDB".formatted(figures.size(), question),
                        nanos(figures, question) / duckDb,
                        TEXTS,
                        FilmsGoals::times);
            }
        }
    }

    private void limits(FilmsFigures figures) {
        LIMITS_NANOS.forEach((question, limit) ->
                outcome.atMost(
                        "%s, %s: at most %s"
                                .formatted(figures.size(), question, Figures.time(limit)),
                        nanos(figures, question),
                        limit,
                        Figures::time));
    }

    private void memory(FilmsFigures figures) {
        double list = FilmsFigures.figure(figures.bytes, LIST);
        if (!Double.isNaN(list)) {
            outcome.atMost(
                    figures.size() + ": memory at most 30 % of a list's",
                    FilmsFigures.figure(figures.bytes, PENSTOCK) / list,
                    SHARE_OF_LIST,
                    Figures::percent);
        }
        outcome.atLeast(
                figures.size() + ": loaded at 70 % of the speed of a bare JDBC read",
                figures.readNanos.medianRatio(figures.reloadNanos),
                SHARE_OF_JDBC,
                Figures::percent);
    }

    private void growth(FilmsFigures few, FilmsFigures many) {
        for (FilmQuestion question : FilmQuestion.BASIC) {
            outcome.atMost(
                    "%s, %s: within three times that of %s"
                            .formatted(many.size(), question, few.size()),
                    nanos(many, question) / nanos(few, question),
                    GROWTH,
                    FilmsGoals::times);
        }
    }

    private static String times(double factor) {
        return Figures.number(factor) + " times";
    }
}
