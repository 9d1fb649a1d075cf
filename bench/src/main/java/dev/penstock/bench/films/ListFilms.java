package dev.penstock.bench.films;

import static dev.penstock.bench.films.Ask.any;
import static dev.penstock.bench.films.Ask.number;
import static dev.penstock.bench.films.FilmAsks.minutes;

import dev.penstock.films.Film;
import dev.penstock.films.Rating;
import java.util.Comparator;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The films as records in a list, in the order of their keys, asked by {@code java.util.stream}. */
record ListFilms(List<Film> films) implements FilmAsks {
    private static final Comparator<Film> LONGEST_FIRST =
            Comparator.comparingInt(FilmAsks::minutes).reversed();

    private static final Pattern PATTERN_OF_ROLES = Pattern.compile(FilmAsks.PATTERN);

    private Stream<Film> stream(Predicate<Film> condition) {
        return films.stream().filter(condition);
    }

    private static boolean isLonger(Film film, Rating rating, int minutes) {
        return film.rating() == rating && minutes(film) > minutes;
    }

    @Override
    public Ask ask(FilmQuestion question) {
        int key = films.size() / 2;
        return switch (question) {
            case FILTER_AND_COUNT -> number(() -> count(Rating.PG13));
            case COMPLEX -> any(() -> complex(SKIPPED));
            case PREFIX ->
                    number(() -> stream(film -> film.title().startsWith(PREFIX_OF_TITLE)).count());
            case RANGE ->
                    number(() ->
                            stream(film -> minutes(film) >= SHORT && minutes(film) < LONG).count());
            case CONJUNCTION ->
                    number(() -> stream(film -> isLonger(film, Rating.PG13, VERY_LONG)).count());
            case TOP -> any(this::longestTitles);
            case GROUPS -> any(this::groups);
            case DISTINCT ->
                    any(() -> films.stream().map(Film::rentalRate).distinct().sorted().toList());
            case EXTREMES -> any(this::extremes);
            case KEY ->
                    any(() ->
                            stream(film -> film.filmId() == key).findFirst().orElseThrow().title());
            case LAMBDA ->
                    number(() ->
                            stream(film -> isLonger(film, Rating.NC17, EXTREMELY_LONG))
                                    .filter(FilmAsks::isOfRole)
                                    .count());
            case SCAN ->
                    number(() ->
                            stream(film -> Objects.requireNonNull(film.releaseYear()) < YEAR)
                                    .mapToInt(FilmAsks::minutes)
                                    .sum());
            case KEYS ->
                    any(() ->
                            stream(film ->
                                            film.filmId() == key / 4
                                                    || film.filmId() == key / 2
                                                    || film.filmId() == key)
                                    .map(Film::title)
                                    .toList());
            case DAYS_OF_PREFIX -> number(() -> days(ListFilms::isOfPrefix));
            case DAYS_OF_LENGTH -> number(() -> days(ListFilms::isLongest));
            case DAYS_OF_EITHER -> number(() -> days(film -> isOfPrefix(film) || isLongest(film)));
            case MIDDLE ->
                    any(() ->
                            films.stream()
                                    .sorted(Comparator.comparing(Film::title))
                                    .skip(key)
                                    .limit(MIDDLE_FILMS)
                                    .map(Film::filmId)
                                    .toList());
            case WORD -> number(() -> stream(FilmAsks::isOfRole).count());
            case PATTERN ->
                    number(() ->
                            stream(film ->
                                            film.description() != null
                                                    && PATTERN_OF_ROLES
                                                            .matcher(film.description())
                                                            .find())
                                    .count());
            default -> throw FilmAsks.notAsked(question);
        };
    }

    private static boolean isOfPrefix(Film film) {
        return film.title().startsWith(PREFIX_OF_TITLE);
    }

    private static boolean isLongest(Film film) {
        return minutes(film) == MOST_MINUTES;
    }

    private long days(Predicate<Film> condition) {
        return stream(condition).mapToInt(Film::rentalDuration).sum();
    }

    private List<String> longestTitles() {
        return stream(film -> film.rating() == Rating.R)
                .sorted(LONGEST_FIRST)
                .limit(TOP_FILMS)
                .map(Film::title)
                .toList();
    }

    private Map<Rating, Group> groups() {
        return films.stream()
                .collect(
                        Collectors.groupingBy(
                                film -> Objects.requireNonNull(film.rating()),
                                Collectors.teeing(
                                        Collectors.counting(),
                                        Collectors.averagingInt(FilmAsks::minutes),
                                        Group::new)));
    }

    private Extremes extremes() {
        return new Extremes(
                films.stream().mapToInt(FilmAsks::minutes).min().orElseThrow(),
                films.stream().mapToInt(FilmAsks::minutes).max().orElseThrow());
    }

    @Override
    public long count(Rating rating) {
        return stream(film -> film.rating() == rating).count();
    }

    @Override
    public IntSummaryStatistics complex(int skipped) {
        return films.stream()
                .sorted(LONGEST_FIRST)
                .skip(skipped)
                .limit(LIMIT)
                .mapToInt(Film::rentalDuration)
                .summaryStatistics();
    }
}
