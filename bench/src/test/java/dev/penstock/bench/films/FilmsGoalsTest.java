package dev.penstock.bench.films;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.films.FilmKeeper.Kind;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import java.util.List;
import org.junit.jupiter.api.Test;

class FilmsGoalsTest {
    /**
     * Figures in which a snapshot takes so many times what it takes the list, and a thousandth of what it takes
     * MariaDB.
     */
    private static FilmsFigures figures(long films, double ratio) {
        FilmsFigures figures = new FilmsFigures(films, 2);
        for (FilmQuestion question : figures.questions) {
            figures.nanos(question).put(Kind.PENSTOCK, Samples.of(100 * ratio));
            figures.nanos(question).put(Kind.LIST, Samples.of(100));
            figures.nanos(question).put(Kind.MARIADB, Samples.of(100_000 * ratio));
            figures.perSecond(question).put(Kind.PENSTOCK, Samples.of(4e6));
            figures.perSecond(question).put(Kind.LIST, Samples.of(4e6 * ratio));
            figures.perSecond(question).put(Kind.MARIADB, Samples.of(1000));
        }
        figures.subQueriesNanos.put(Kind.PENSTOCK, 0.1e9);
        return figures;
    }

    private static List<Outcome.Finding> judged(FilmsFigures... sizes) {
        Outcome outcome = new Outcome("films", "Films");
        new FilmsGoals(outcome).judge(List.of(sizes));
        return outcome.findings();
    }

    @Test
    void judge_fewFilms_factorsOverDatabasesAndEveryRow() {
        assertThat(judged(figures(1000, 0.5)))
                .containsExactlyInAnyOrder(
                        new Outcome.Finding(
                                "1,000 films, filter and count: more than 5,300 times the throughput of MariaDB",
                                "4,000 times",
                                false),
                        new Outcome.Finding(
                                "1,000 films, sort, skip 745, limit 5, statistics: more than 2,700 times the"
                                        + " throughput of MariaDB",
                                "4,000 times",
                                true),
                        new Outcome.Finding(
                                "1,000 films: fastest in every row, by one thread",
                                "in all 2",
                                true),
                        new Outcome.Finding(
                                "1,000 films: fastest or within 20 % of the best in every row, by one thread",
                                "in all 2", true),
                        new Outcome.Finding(
                                "1,000 films: fastest in every row, by several threads",
                                "in all 2",
                                true),
                        new Outcome.Finding(
                                "1,000 films: fastest or within 20 % of the best in every row, by several threads",
                                "in all 2", true),
                        new Outcome.Finding(
                                "1,000 films: a million sub-queries within a second",
                                "100 ms",
                                true));
    }

    @Test
    void judge_slowerThanTheList_saysWhere() {
        assertThat(judged(figures(1000, 3)))
                .contains(
                        new Outcome.Finding(
                                "1,000 films: fastest in every row, by one thread",
                                "in all but 2: filter and count: List is 3.00 times as fast;"
                                        + " sort, skip 745, limit 5, statistics: List is 3.00 times as fast",
                                false));
    }

    @Test
    void judge_manyFilms_growthMemoryAndLoading() {
        FilmsFigures many = figures(1_000_000, 2);
        many.bytes.put(Kind.PENSTOCK, 100e6);
        many.bytes.put(Kind.LIST, 400e6);
        many.nanos(FilmQuestion.KEY).put(Kind.CQENGINE, Samples.of(300));
        many.nanos(FilmQuestion.DAYS_OF_PREFIX).put(Kind.PENSTOCK, Samples.of(60));
        many.nanos(FilmQuestion.DAYS_OF_LENGTH).put(Kind.PENSTOCK, Samples.of(20));
        many.nanos(FilmQuestion.WORD).put(Kind.DUCKDB, Samples.of(160));
        many.readNanos.add(1e9);
        many.reloadNanos.add(2e9);

        assertThat(judged(figures(1000, 0.5), many))
                .contains(
                        new Outcome.Finding(
                                "1,000,000 films, filter and count: within three times that of 1,000 films",
                                "4.00 times",
                                false),
                        new Outcome.Finding(
                                "1,000,000 films, one film by its key: at most 240 ns, or CQEngine's",
                                "200 ns",
                                true),
                        new Outcome.Finding(
                                "1,000,000 films, either of two conditions: within twice the two alone",
                                "2.50 times",
                                false),
                        new Outcome.Finding(
                                "1,000,000 films, descriptions with a word, counted: within 1.5 times DuckDB",
                                "1.25 times",
                                true),
                        new Outcome.Finding(
                                "1,000,000 films: memory at most 30 % of a list's", "25.0 %", true),
                        new Outcome.Finding(
                                "1,000,000 films: loaded at 70 % of the speed of a bare JDBC read",
                                "50.0 %", false),
                        new Outcome.Finding(
                                "1,000,000 films, titles with a prefix, counted: at most 1.00 µs",
                                "200 ns",
                                true));
    }
}
