package dev.penstock.bench.films;

import static dev.penstock.bench.films.FilmAsks.minutes;
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

import dev.penstock.films.Film;
import dev.penstock.films.Rating;
import java.util.Comparator;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** The films as records in a list, in the order of their keys, asked by {@code java.util.stream}. */
record ListKeeper(List<Film> films) implements FilmKeeper, FilmAsks {
    private static final Comparator<Film> LONGEST_FIRST =
            Comparator.comparingInt(FilmAsks::minutes).reversed();

    @Override
    public FilmAsks asks() {
        return this;
    }

    @Override
    public Ask ask(FilmQuestion question) {
        int key = films.size() / 2;
        return switch (question) {
            case FILTER_AND_COUNT -> (Ask.Count) () -> count(Rating.PG13);
            case COMPLEX -> (Ask.Whole) () -> complex(SKIPPED);
            case PREFIX ->
                    (Ask.Count)
                            () ->
                                    films.stream()
                                            .filter(film ->
                                                    film.title().startsWith(PREFIX_OF_TITLE))
                                            .count();
            case RANGE ->
                    (Ask.Count)
                            () ->
                                    films.stream()
                                            .filter(film ->
                                                    minutes(film) >= SHORT && minutes(film) < LONG)
                                            .count();
            case CONJUNCTION ->
                    (Ask.Count)
                            () ->
                                    films.stream()
                                            .filter(film ->
                                                    film.rating() == Rating.PG13
                                                            && minutes(film) > VERY_LONG)
                                            .count();
            case TOP ->
                    (Ask.Whole)
                            () ->
                                    films.stream()
                                            .filter(film -> film.rating() == Rating.R)
                                            .sorted(LONGEST_FIRST)
                                            .limit(TOP_FILMS)
                                            .map(Film::title)
                                            .toList();
            case GROUPS ->
                    (Ask.Whole)
                            () ->
                                    films.stream()
                                            .collect(
                                                    Collectors.groupingBy(
                                                            film ->
                                                                    Objects.requireNonNull(
                                                                            film.rating()),
                                                            Collectors.teeing(
                                                                    Collectors.counting(),
                                                                    Collectors.averagingInt(
                                                                            FilmAsks::minutes),
                                                                    Group::new)));
            case DISTINCT ->
                    (Ask.Whole)
                            () -> films.stream().map(Film::rentalRate).distinct().sorted().toList();
            case EXTREMES ->
                    (Ask.Whole)
                            () ->
                                    new Extremes(
                                            films.stream()
                                                    .mapToInt(FilmAsks::minutes)
                                                    .min()
                                                    .orElseThrow(),
                                            films.stream()
                                                    .mapToInt(FilmAsks::minutes)
                                                    .max()
                                                    .orElseThrow());
            case KEY ->
                    (Ask.Whole)
                            () ->
                                    films.stream()
                                            .filter(film -> film.filmId() == key)
                                            .findFirst()
                                            .orElseThrow()
                                            .title();
            case LAMBDA ->
                    (Ask.Count)
                            () ->
                                    films.stream()
                                            .filter(film ->
                                                    film.rating() == Rating.NC17
                                                            && minutes(film) > LONGEST)
                                            .filter(film -> FilmAsks.isAbout(film, ROLE))
                                            .count();
            case SCAN ->
                    (Ask.Count)
                            () ->
                                    films.stream()
                                            .filter(film ->
                                                    Objects.requireNonNull(film.releaseYear())
                                                            < YEAR)
                                            .mapToInt(FilmAsks::minutes)
                                            .sum();
        };
    }

    @Override
    public long count(Rating rating) {
        return films.stream().filter(film -> film.rating() == rating).count();
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

    @Override
    public long offHeapBytes() {
        return 0;
    }
}
