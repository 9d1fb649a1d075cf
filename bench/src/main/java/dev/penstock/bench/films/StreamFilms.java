package dev.penstock.bench.films;

import static dev.penstock.bench.films.Ask.any;
import static dev.penstock.bench.films.Ask.number;
import static dev.penstock.query.typed.aggregate.Aggregates.average;
import static dev.penstock.query.typed.aggregate.Aggregates.both;
import static dev.penstock.query.typed.aggregate.Aggregates.groupingBy;

import dev.penstock.films.Film;
import dev.penstock.films.Rating;
import dev.penstock.films.Rental;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.query.typed.aggregate.Aggregates;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.FieldOrder;
import java.util.IntSummaryStatistics;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The questions by Penstock's typed streams: in a database as SQL, in a snapshot in memory. */
final class StreamFilms implements FilmAsks {
    private static final Condition<Film> RATING_EQUALS_PG_13 = Film.RATING.equal(Rating.PG13);
    private static final FieldOrder<Film> LENGTH_DESCENDING = Film.LENGTH.reversed();

    private static final Pattern WHOLE = Pattern.compile(".*" + FilmAsks.PATTERN + ".*");

    private final TypedTable<Film> films;
    private final int key;

    StreamFilms(TypedTable<Film> films, int key) {
        this.films = films;
        this.key = key;
    }

    @Override
    public Ask ask(FilmQuestion question) {
        return switch (question) {
            case FILTER_AND_COUNT ->
                    number(() -> films.stream().filter(RATING_EQUALS_PG_13).count());
            case COMPLEX -> any(() -> complex(SKIPPED));
            case PREFIX ->
                    number(() ->
                            films.stream().filter(Film.TITLE.startsWith(PREFIX_OF_TITLE)).count());
            case RANGE ->
                    number(() -> films.stream().filter(Film.LENGTH.between(SHORT, LONG)).count());
            case CONJUNCTION ->
                    number(() ->
                            films.stream()
                                    .filter(RATING_EQUALS_PG_13)
                                    .filter(Film.LENGTH.greaterThan(VERY_LONG))
                                    .count());
            case TOP ->
                    any(() ->
                            films.stream()
                                    .filter(Film.RATING.equal(Rating.R))
                                    .sorted(LENGTH_DESCENDING)
                                    .limit(TOP_FILMS)
                                    .map(Film.TITLE)
                                    .toList());
            case GROUPS -> any(this::groups);
            case DISTINCT ->
                    any(() -> films.stream().map(Film.RENTAL_RATE).distinct().sorted().toList());
            case EXTREMES -> any(this::extremes);
            case KEY -> any(() -> films.find(Film.FILM_ID.equal(key)).orElseThrow().title());
            case LAMBDA ->
                    number(() ->
                            films.stream()
                                    .filter(Film.RATING.equal(Rating.NC17))
                                    .filter(Film.LENGTH.greaterThan(EXTREMELY_LONG))
                                    .filter(FilmAsks::isOfRole)
                                    .count());
            case SCAN ->
                    number(() ->
                            films.stream()
                                    .filter(Film.RELEASE_YEAR.lessThan(YEAR))
                                    .mapToInt(Film.LENGTH.asInt())
                                    .sum());
            case KEYS ->
                    any(() ->
                            films.stream()
                                    .filter(Film.FILM_ID.in(key / 4, key / 2, key))
                                    .sorted(Film.FILM_ID)
                                    .map(Film.TITLE)
                                    .toList());
            case DAYS_OF_PREFIX -> number(() -> days(Film.TITLE.startsWith(PREFIX_OF_TITLE)));
            case DAYS_OF_LENGTH -> number(() -> days(Film.LENGTH.equal(MOST_MINUTES)));
            case DAYS_OF_EITHER ->
                    number(() ->
                            days(
                                    Film.TITLE
                                            .startsWith(PREFIX_OF_TITLE)
                                            .or(Film.LENGTH.equal(MOST_MINUTES))));
            case MIDDLE ->
                    any(() ->
                            films.stream()
                                    .sorted(Film.TITLE)
                                    .skip(key)
                                    .limit(MIDDLE_FILMS)
                                    .map(Film.FILM_ID)
                                    .toList());
            case WORD ->
                    number(() -> films.stream().filter(Film.DESCRIPTION.contains(ROLE)).count());
            case PATTERN ->
                    number(() -> films.stream().filter(Film.DESCRIPTION.matches(WHOLE)).count());
            case COUNT_LONG,
                    TITLES,
                    ANY_OUT,
                    SUM_DAYS,
                    LONGEST,
                    RATINGS,
                    OR_FILMS,
                    COUNT_IN,
                    PAGE ->
                    askDatabase(question);
        };
    }

    private Ask askDatabase(FilmQuestion question) {
        TypedTable<Rental> rentals = TypedTable.of(films.engine(), Rental.TABLE);
        return switch (question) {
            case COUNT_LONG ->
                    number(() -> films.stream().filter(Film.LENGTH.greaterThan(60)).count());
            case TITLES ->
                    any(() ->
                            films.stream()
                                    .filter(Film.TITLE.startsWith("S"))
                                    .sorted(Film.TITLE)
                                    .map(Film.TITLE)
                                    .limit(10)
                                    .toList());
            case ANY_OUT -> any(() -> rentals.stream().anyMatch(Rental.RETURN_DATE.isNull()));
            case SUM_DAYS ->
                    number(() ->
                            films.stream()
                                    .filter(RATING_EQUALS_PG_13)
                                    .mapToInt(Film.RENTAL_DURATION.asInt())
                                    .sum());
            case LONGEST -> any(this::longest);
            case RATINGS -> any(this::ratings);
            case OR_FILMS ->
                    any(() ->
                            films.stream()
                                    .filter(
                                            Film.LENGTH
                                                    .greaterThan(180)
                                                    .or(
                                                            Film.RATING
                                                                    .equal(Rating.R)
                                                                    .and(
                                                                            Film.RENTAL_DURATION
                                                                                    .lessThan(4))))
                                    .sorted(Film.FILM_ID)
                                    .map(Film.TITLE)
                                    .toList());
            case COUNT_IN ->
                    number(() -> films.stream().filter(Film.LANGUAGE_ID.in(2, 3, 4)).count());
            case PAGE ->
                    any(() ->
                            films.stream()
                                    .sorted(Film.TITLE)
                                    .skip(500)
                                    .limit(20)
                                    .map(Film.FILM_ID)
                                    .toList());
            default -> throw FilmAsks.notAsked(question);
        };
    }

    private long days(Condition<Film> condition) {
        return films.stream().filter(condition).mapToInt(Film.RENTAL_DURATION.asInt()).sum();
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

    private Map<String, Long> ratings() {
        Map<String, Long> ratings = new TreeMap<>();
        films.stream()
                .collect(groupingBy(Film.RATING, Aggregates.count()))
                .forEach((rating, films) -> ratings.put(rating.text(), films));
        return ratings;
    }

    private Extremes extremes() {
        return new Extremes(
                films.stream()
                        .filter(Film.LENGTH.isNotNull())
                        .mapToInt(Film.LENGTH.asInt())
                        .min()
                        .orElseThrow(),
                longest());
    }

    private int longest() {
        return films.stream()
                .filter(Film.LENGTH.isNotNull())
                .mapToInt(Film.LENGTH.asInt())
                .max()
                .orElseThrow();
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

    /** Reads every film into an object of all its columns, one after the other. Returns the sum of their minutes. */
    long readAll() {
        long[] minutes = new long[1];
        films.stream().forEach(film -> minutes[0] += FilmAsks.minutes(film));
        return minutes[0];
    }
}
