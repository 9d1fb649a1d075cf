package dev.penstock.bench.films;

import static com.googlecode.cqengine.query.QueryFactory.noQueryOptions;

import com.googlecode.cqengine.attribute.SimpleAttribute;
import com.googlecode.cqengine.query.option.QueryOptions;
import dev.penstock.films.Film;
import dev.penstock.films.Rating;
import java.math.BigDecimal;
import java.util.Objects;

/**
 * CQEngine's attributes of films; written as its manual does it, so that none of its calls is shared by several
 * attributes.
 */
final class FilmAttributes {
    static final SimpleAttribute<Film, Integer> KEY =
            new SimpleAttribute<>(Film.class, Integer.class, "filmId") {
                @Override
                public Integer getValue(Film film, QueryOptions options) {
                    return film.filmId();
                }
            };

    static final SimpleAttribute<Film, String> TITLE =
            new SimpleAttribute<>(Film.class, String.class, "title") {
                @Override
                public String getValue(Film film, QueryOptions options) {
                    return film.title();
                }
            };

    /** Its order is that of the titles, and of equal ones by their keys. */
    static final SimpleAttribute<Film, String> TITLE_THEN_KEY =
            new SimpleAttribute<>(Film.class, String.class, "titleThenKey") {
                @Override
                public String getValue(Film film, QueryOptions options) {
                    return "%s\0%08x".formatted(film.title(), film.filmId());
                }
            };

    static final SimpleAttribute<Film, String> DESCRIPTION =
            new SimpleAttribute<>(Film.class, String.class, "description") {
                @Override
                public String getValue(Film film, QueryOptions options) {
                    return Objects.requireNonNull(film.description());
                }
            };

    static final SimpleAttribute<Film, Rating> RATING =
            new SimpleAttribute<>(Film.class, Rating.class, "rating") {
                @Override
                public Rating getValue(Film film, QueryOptions options) {
                    return Objects.requireNonNull(film.rating());
                }
            };

    static final SimpleAttribute<Film, Integer> LENGTH =
            new SimpleAttribute<>(Film.class, Integer.class, "length") {
                @Override
                public Integer getValue(Film film, QueryOptions options) {
                    return FilmAsks.minutes(film);
                }
            };

    static final SimpleAttribute<Film, BigDecimal> RENTAL_RATE =
            new SimpleAttribute<>(Film.class, BigDecimal.class, "rentalRate") {
                @Override
                public BigDecimal getValue(Film film, QueryOptions options) {
                    return film.rentalRate();
                }
            };

    static final SimpleAttribute<Film, Integer> RELEASE_YEAR =
            new SimpleAttribute<>(Film.class, Integer.class, "releaseYear") {
                @Override
                public Integer getValue(Film film, QueryOptions options) {
                    return Objects.requireNonNull(film.releaseYear());
                }
            };

    /** Its descending order is that of the longest film first, and of equally long ones by their keys. */
    static final SimpleAttribute<Film, Long> LENGTH_THEN_KEY =
            new SimpleAttribute<>(Film.class, Long.class, "lengthThenKey") {
                @Override
                public Long getValue(Film film, QueryOptions options) {
                    return ((long) FilmAsks.minutes(film) << 32) - film.filmId();
                }
            };

    /** Its ranges are those of minutes within a rating. */
    static final SimpleAttribute<Film, Integer> RATING_THEN_LENGTH =
            new SimpleAttribute<>(Film.class, Integer.class, "ratingThenLength") {
                @Override
                public Integer getValue(Film film, QueryOptions options) {
                    return ratingThenLength(
                            RATING.getValue(film, noQueryOptions()), FilmAsks.minutes(film));
                }
            };

    private FilmAttributes() {}

    @SuppressWarnings("EnumOrdinal") // it is kept nowhere
    static int ratingThenLength(Rating rating, int minutes) {
        return rating.ordinal() << 16 | minutes;
    }
}
