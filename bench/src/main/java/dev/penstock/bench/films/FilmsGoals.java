package dev.penstock.bench.films;

import static dev.penstock.bench.films.FilmKeeper.Kind.LIST;
import static dev.penstock.bench.films.FilmKeeper.Kind.PENSTOCK;

import dev.penstock.bench.films.FilmKeeper.Kind;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import dev.penstock.bench.report.Words;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What Penstock's snapshot is to reach among those that keep films, and whether it did. */
record FilmsGoals(Outcome outcome) {
    /** Article 4's factors of throughput, over its database. */
    private static final Map<FilmQuestion, Integer> FACTORS =
            new EnumMap<>(Map.of(FilmQuestion.FILTER_AND_COUNT, 5300, FilmQuestion.COMPLEX, 2700));

    private static final Map<FilmQuestion, Integer> LIMITS_NANOS =
            new EnumMap<>(
                    Map.of(
                            FilmQuestion.PREFIX, 1_000,
                            FilmQuestion.TOP, 50_000,
                            FilmQuestion.CONJUNCTION, 300_000));

    /** How much longer the article's two may take among many films. */
    private static final double GROWTH = 3;

    private static final double SHARE_OF_LIST = 0.3;
    private static final double SHARE_OF_JDBC = 0.7;
    private static final double SUB_QUERIES_NANOS = 1e9;

    /** Fewer films say nothing of memory and loading. */
    private static final long ENOUGH = 100_000;

    /** The goals of all sizes, the smallest first. */
    void judge(List<FilmsFigures> sizes) {
        FilmsFigures fewest = sizes.getFirst();
        factors(fewest);
        for (FilmsFigures figures : sizes) {
            fastest(figures, "by one thread", false);
            fastest(figures, "by several threads", true);
            outcome.finding(
                    figures.size() + ": a million sub-queries within a second",
                    Words.time(figures.subQueries(PENSTOCK)),
                    figures.subQueries(PENSTOCK) <= SUB_QUERIES_NANOS);
            if (figures.films() >= ENOUGH) {
                limits(figures);
                memory(figures);
            }
            if (figures != fewest) {
                growth(fewest, figures);
            }
        }
    }

    private static Samples of(Map<Kind, Samples> samples, Kind kind) {
        return Objects.requireNonNull(samples.get(kind), kind.label() + " was not measured");
    }

    /** Among as many films as the article has. */
    private void factors(FilmsFigures figures) {
        FACTORS.forEach((question, factor) -> {
            Map<Kind, Samples> samples = figures.perSecond(question);
            for (Kind kind : samples.keySet()) {
                if (kind.isServer()) {
                    double reached = of(samples, PENSTOCK).medianRatio(of(samples, kind));
                    outcome.finding(
                            "%s, %s: more than %,d times the throughput of %s"
                                    .formatted(
                                            figures.size(), question.words(), factor, kind.label()),
                            Words.count(reached) + " times",
                            reached > factor);
                }
            }
        });
    }

    private void fastest(FilmsFigures figures, String words, boolean isRate) {
        List<String> lost = new ArrayList<>();
        for (FilmQuestion question : figures.questions()) {
            Map<Kind, Samples> samples =
                    isRate ? figures.perSecond(question) : figures.nanos(question);
            Samples ours = of(samples, PENSTOCK);
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
            if (fastest != PENSTOCK) {
                lost.add(
                        "%s: %s is %s times as fast"
                                .formatted(question.words(), fastest.label(), Words.number(most)));
            }
        }
        int rows = figures.questions().size();
        outcome.finding(
                figures.size() + ": fastest in every row, " + words,
                lost.isEmpty()
                        ? "in all " + rows
                        : "in all but " + lost.size() + ": " + String.join("; ", lost),
                lost.isEmpty());
    }

    private void limits(FilmsFigures figures) {
        LIMITS_NANOS.forEach((question, limit) -> {
            double median = of(figures.nanos(question), PENSTOCK).median();
            outcome.finding(
                    "%s, %s: at most %s"
                            .formatted(figures.size(), question.words(), Words.time(limit)),
                    Words.time(median),
                    median <= limit);
        });
    }

    private void memory(FilmsFigures figures) {
        double share = figures.bytes(PENSTOCK) / figures.bytes(LIST);
        if (!Double.isNaN(share)) {
            outcome.finding(
                    figures.size() + ": memory at most 30 % of a list's",
                    Words.percent(share),
                    share <= SHARE_OF_LIST);
        }
        double speed = figures.readNanos().medianRatio(figures.reloadNanos());
        outcome.finding(
                figures.size() + ": loaded at 70 % of the speed of a bare JDBC read",
                Words.percent(speed),
                speed >= SHARE_OF_JDBC);
    }

    private void growth(FilmsFigures few, FilmsFigures many) {
        for (FilmQuestion question : few.questions()) {
            double growth =
                    of(many.nanos(question), PENSTOCK).median()
                            / of(few.nanos(question), PENSTOCK).median();
            if (question.isOfTheArticle()) {
                outcome.finding(
                        "%s, %s: within three times that of %s"
                                .formatted(many.size(), question.words(), few.size()),
                        Words.number(growth) + " times",
                        growth <= GROWTH);
            }
        }
    }
}
