package dev.penstock.bench.films;

import static dev.penstock.bench.films.FilmQuestion.LIMIT;
import static dev.penstock.bench.films.FilmQuestion.LONG;
import static dev.penstock.bench.films.FilmQuestion.LONGEST;
import static dev.penstock.bench.films.FilmQuestion.PREFIX_OF_TITLE;
import static dev.penstock.bench.films.FilmQuestion.ROLE;
import static dev.penstock.bench.films.FilmQuestion.SHORT;
import static dev.penstock.bench.films.FilmQuestion.SKIPPED;
import static dev.penstock.bench.films.FilmQuestion.TOP_FILMS;
import static dev.penstock.bench.films.FilmQuestion.VERY_LONG;
import static dev.penstock.bench.films.FilmQuestion.YEAR;
import static dev.penstock.query.typed.aggregate.Aggregates.average;
import static dev.penstock.query.typed.aggregate.Aggregates.both;
import static dev.penstock.query.typed.aggregate.Aggregates.groupingBy;

import dev.penstock.films.Film;
import dev.penstock.films.Rating;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.query.typed.aggregate.Aggregates;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.FieldOrder;
import java.util.IntSummaryStatistics;
import java.util.Map;

/** The films of a typed table, asked by Penstock's streams: in a database as SQL, in a snapshot in memory. */
final class StreamAsks implements FilmAsks {
    /** Article 4's constants. */
    private static final Condition<Film> RATING_EQUALS_PG_13 = Film.RATING.equal(Rating.PG13);

    private static final FieldOrder<Film> LENGTH_DESCENDING = Film.LENGTH.reversed();

    private final TypedTable<Film> films;
    private final int key;

    StreamAsks(TypedTable<Film> films, long size) {
        this.films = films;
        this.key = (int) (size / 2);
    }

    @Override
    public Ask ask(FilmQuestion question) {
        return switch (question) {
            case FILTER_AND_COUNT ->
                    (Ask.Count) () -> films.stream().filter(RATING_EQUALS_PG_13).count();
            case COMPLEX -> (Ask.Whole) () -> complex(SKIPPED);
            case PREFIX ->
                    (Ask.Count)
                            () ->
                                    films.stream()
                                            .filter(Film.TITLE.startsWith(PREFIX_OF_TITLE))
                                            .count();
            case RANGE ->
                    (Ask.Count)
                            () -> films.stream().filter(Film.LENGTH.between(SHORT, LONG)).count();
            case CONJUNCTION ->
                    (Ask.Count)
                            () ->
                                    films.stream()
                                            .filter(RATING_EQUALS_PG_13)
                                            .filter(Film.LENGTH.greaterThan(VERY_LONG))
                                            .count();
            case TOP ->
                    (Ask.Whole)
                            () ->
                                    films.stream()
                                            .filter(Film.RATING.equal(Rating.R))
                                            .sorted(LENGTH_DESCENDING)
                                            .limit(TOP_FILMS)
                                            .map(Film.TITLE)
                                            .toList();
            case GROUPS -> (Ask.Whole) this::groups;
            case DISTINCT ->
                    (Ask.Whole)
                            () -> films.stream().map(Film.RENTAL_RATE).distinct().sorted().toList();
            case EXTREMES -> (Ask.Whole) this::extremes;
            case KEY -> (Ask.Whole) () -> films.find(Film.FILM_ID.equal(key)).orElseThrow().title();
            case LAMBDA ->
                    (Ask.Count)
                            () ->
                                    films.stream()
                                            .filter(Film.RATING.equal(Rating.NC17))
                                            .filter(Film.LENGTH.greaterThan(LONGEST))
                                            .filter(film -> FilmAsks.isAbout(film, ROLE))
                                            .count();
            case SCAN ->
                    (Ask.Count)
                            () ->
                                    films.stream()
                                            .filter(Film.RELEASE_YEAR.lessThan(YEAR))
                                            .mapToInt(Film.LENGTH.asInt())
                                            .sum();
        };
    }

    private Map<Rating, Group> groups() {
        return films.stream()
                .collect(
                        groupingBy(
                                Film.RATING,
                                both(
                                        Aggregates.count(),
                                        average(Film.LENGTH),
                                        (films, minutes) ->
                                                new Group(films, minutes.orElseThrow()))));
    }

    private Extremes extremes() {
        return new Extremes(
                films.stream()
                        .filter(Film.LENGTH.isNotNull())
                        .mapToInt(Film.LENGTH.asInt())
                        .min()
                        .orElseThrow(),
                films.stream()
                        .filter(Film.LENGTH.isNotNull())
                        .mapToInt(Film.LENGTH.asInt())
                        .max()
                        .orElseThrow());
    }

    @Override
    public long count(Rating rating) {
        return films.stream().filter(Film.RATING.equal(rating)).count();
    }

    @Override
    public IntSummaryStatistics complex(int skipped) {
        return films.stream()
                .sorted(LENGTH_DESCENDING)
                .skip(skipped)
                .limit(LIMIT)
                .mapToInt(Film.RENTAL_DURATION.asInt())
                .summaryStatistics();
    }
}
