package dev.penstock.bench.films;

import static dev.penstock.query.typed.aggregate.Aggregates.count;
import static dev.penstock.query.typed.aggregate.Aggregates.groupingBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.databases.TestDatabase;
import dev.penstock.films.Film;
import dev.penstock.films.Rating;
import dev.penstock.films.Rental;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.TypedTable;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The queries by Penstock's typed streams. */
final class PenstockFilms implements FilmContender {
    private final HikariDataSource pool;
    private final TypedTable<Film> films;
    private final TypedTable<Rental> rentals;

    PenstockFilms(TestDatabase database) {
        pool = JdbcFilms.pool(database);
        Database engine = Database.builder(pool).evictor(pool::evictConnection).connect();
        films = TypedTable.of(engine, Film.TABLE);
        rentals = TypedTable.of(engine, Rental.TABLE);
    }

    @Override
    public String name() {
        return "Penstock";
    }

    @Override
    public Object answer(FilmQuery query) {
        return switch (query) {
            case COUNT_LONG -> films.stream().filter(Film.LENGTH.greaterThan(60)).count();
            case COUNT_RATING -> films.stream().filter(Film.RATING.equal(Rating.PG13)).count();
            case COMPLEX ->
                    figures(
                            films.stream()
                                    .sorted(Film.LENGTH.reversed())
                                    .skip(745)
                                    .limit(5)
                                    .mapToInt(Film.RENTAL_DURATION.asInt())
                                    .summaryStatistics());
            case BY_KEY -> films.find(Film.FILM_ID.equal(500)).orElseThrow().title();
            case TITLES ->
                    films.stream()
                            .filter(Film.TITLE.startsWith("S"))
                            .sorted(Film.TITLE)
                            .map(Film.TITLE)
                            .limit(10)
                            .toList();
            case ANY_OUT -> rentals.stream().anyMatch(Rental.RETURN_DATE.isNull());
            case SUM_DAYS ->
                    (long)
                            films.stream()
                                    .filter(Film.RATING.equal(Rating.PG13))
                                    .mapToInt(Film.RENTAL_DURATION.asInt())
                                    .sum();
            case DISTINCT_RATES ->
                    films.stream().map(Film.RENTAL_RATE).distinct().sorted().toList();
            case LONGEST ->
                    films.stream()
                            .filter(Film.LENGTH.isNotNull())
                            .mapToInt(Film.LENGTH.asInt())
                            .max()
                            .orElseThrow();
            case GROUPS -> groups();
            case OR_FILMS ->
                    films.stream()
                            .filter(
                                    Film.LENGTH
                                            .greaterThan(180)
                                            .or(
                                                    Film.RATING
                                                            .equal(Rating.R)
                                                            .and(Film.RENTAL_DURATION.lessThan(4))))
                            .sorted(Film.FILM_ID)
                            .map(Film.TITLE)
                            .toList();
            case COUNT_IN -> films.stream().filter(Film.LANGUAGE_ID.in(2, 3, 4)).count();
            case PAGE ->
                    films.stream()
                            .sorted(Film.TITLE)
                            .skip(500)
                            .limit(20)
                            .map(Film.FILM_ID)
                            .toList();
        };
    }

    private Map<String, Long> groups() {
        Map<String, Long> groups = new TreeMap<>();
        films.stream()
                .collect(groupingBy(Film.RATING, count()))
                .forEach((rating, films) -> groups.put(rating.text(), films));
        return groups;
    }

    static List<Object> figures(IntSummaryStatistics statistics) {
        return List.of(
                statistics.getCount(),
                statistics.getSum(),
                statistics.getMin(),
                statistics.getMax());
    }

    @Override
    public long readAll() {
        long[] minutes = new long[1];
        films.stream().forEach(film -> minutes[0] += minutes(film));
        return minutes[0];
    }

    static int minutes(Film film) {
        Integer length = film.length();
        return length == null ? 0 : length;
    }

    @Override
    public void close() {
        pool.close();
    }
}
