package dev.penstock.bench.films;

import static dev.penstock.bench.films.Ask.any;

import dev.penstock.films.Film;
import dev.penstock.films.Rating;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/** The questions in SQL by hand through JDBC: what the database can do, it does. */
final class SqlFilms implements FilmAsks {
    private static final int FETCH_ROWS = 1000;
    private static final String COUNT = "SELECT COUNT(*) FROM film WHERE ";
    private static final String DAYS = "SELECT SUM(rental_duration) FROM film WHERE ";
    private static final String BY_KEY = "SELECT %s FROM film WHERE film_id = ?";
    private static final Reader<String> TEXT = row -> row.getString(1);
    private static final Reader<Long> NUMBER = firstOf(row -> row.getLong(1));

    /** A function from a row to its object. */
    private interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** A statement that can be executed again and again. */
    private interface Query {
        <T> T execute(Reader<T> reader, Object... values) throws SQLException;
    }

    /** A way to get a statement to the database. */
    private interface Preparer {
        Query prepare(String sql) throws SQLException;
    }

    /** A statement that is prepared once, on one connection. */
    private record Kept(PreparedStatement statement) implements Query {
        @Override
        public <T> T execute(Reader<T> reader, Object... values) throws SQLException {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                return reader.read(rows);
            }
        }
    }

    /** A statement that is prepared for each answer, on a connection from a pool. */
    private record Pooled(DataSource pool, String sql) implements Query {
        @Override
        public <T> T execute(Reader<T> reader, Object... values) throws SQLException {
            try (Connection connection = pool.getConnection();
                    PreparedStatement statement = connection.prepareStatement(sql)) {
                return new Kept(statement).execute(reader, values);
            }
        }
    }

    private final Preparer preparer;
    private final int key;

    /** A bound rating, as the database takes it. */
    private final String rating;

    /** The name of the function that finds a regular expression. */
    private final String matching;

    /** Whether a film that is looked up is read with all its columns. */
    private final boolean wholeRows;

    private final Query count;
    private final Query complex;

    private SqlFilms(Preparer preparer, int key, String rating, String matching, boolean wholeRows)
            throws SQLException {
        this.matching = matching;
        this.wholeRows = wholeRows;
        this.preparer = preparer;
        this.key = key;
        this.rating = "rating = " + rating;
        count = preparer.prepare(COUNT + this.rating);
        complex =
                preparer.prepare(
                        "SELECT rental_duration FROM film ORDER BY length DESC, film_id LIMIT "
                                + LIMIT
                                + " OFFSET ?");
    }

    /** Those of one connection, on which each statement is prepared once. */
    static SqlFilms on(Connection connection, int key) throws SQLException {
        boolean isDuckDb = connection.isWrapperFor(DuckDBConnection.class);
        return new SqlFilms(
                sql -> new Kept(connection.prepareStatement(sql)),
                key,
                "?",
                isDuckDb ? "regexp_matches" : "REGEXP_LIKE",
                false);
    }

    /** Those of a pool of connections. */
    static SqlFilms on(DataSource pool, int key, String rating) throws SQLException {
        return new SqlFilms(sql -> new Pooled(pool, sql), key, rating, "REGEXP_LIKE", true);
    }

    @Override
    public Ask ask(FilmQuestion question) throws SQLException {
        return switch (question) {
            case FILTER_AND_COUNT -> Ask.number(() -> count(Rating.PG13));
            case COMPLEX -> any(() -> complex(SKIPPED));
            case PREFIX -> number(COUNT + "title LIKE ?", PREFIX_OF_TITLE + "%");
            case RANGE -> number(COUNT + "length >= ? AND length < ?", SHORT, LONG);
            case CONJUNCTION ->
                    number(COUNT + rating + " AND length > ?", Rating.PG13.text(), VERY_LONG);
            case TOP ->
                    list(
                            "SELECT title FROM film WHERE rating = ? ORDER BY length DESC, film_id LIMIT "
                                    + TOP_FILMS,
                            TEXT,
                            Rating.R.text());
            case GROUPS -> groups();
            case DISTINCT ->
                    list(
                            "SELECT DISTINCT rental_rate FROM film ORDER BY rental_rate",
                            row -> row.getBigDecimal(1));
            case EXTREMES ->
                    first(
                            "SELECT MIN(length), MAX(length) FROM film",
                            row -> new Extremes(row.getInt(1), row.getInt(2)));
            case KEY ->
                    wholeRows
                            ? first(BY_KEY.formatted("*"), row -> film(row).title(), key)
                            : first(BY_KEY.formatted("title"), TEXT, key);
            case LAMBDA ->
                    number(
                            COUNT + "rating = ? AND length > ? AND description LIKE ?",
                            Rating.NC17.text(),
                            EXTREMELY_LONG,
                            "%" + ROLE + "%");
            case SCAN -> number("SELECT SUM(length) FROM film WHERE release_year < ?", YEAR);
            case KEYS ->
                    list(
                            "SELECT title FROM film WHERE film_id IN (?, ?, ?) ORDER BY film_id",
                            TEXT,
                            key / 4,
                            key / 2,
                            key);
            case DAYS_OF_PREFIX -> number(DAYS + "title LIKE ?", PREFIX_OF_TITLE + "%");
            case DAYS_OF_LENGTH -> number(DAYS + "length = ?", MOST_MINUTES);
            case DAYS_OF_EITHER ->
                    number(
                            DAYS + "title LIKE ? OR length = ?",
                            PREFIX_OF_TITLE + "%",
                            MOST_MINUTES);
            case MIDDLE ->
                    list(
                            "SELECT film_id FROM film ORDER BY title, film_id LIMIT "
                                    + MIDDLE_FILMS
                                    + " OFFSET ?",
                            row -> row.getInt(1),
                            key);
            case WORD -> number(COUNT + "description LIKE ?", "%" + ROLE + "%");
            case PATTERN -> number(COUNT + matching + "(description, ?)", FilmAsks.PATTERN);
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

    /** Those that are asked of databases alone. */
    private Ask askDatabase(FilmQuestion question) throws SQLException {
        return switch (question) {
            case COUNT_LONG -> number(COUNT + "length > ?", 60);
            case TITLES ->
                    list(
                            "SELECT title FROM film WHERE title LIKE ? ORDER BY title LIMIT 10",
                            TEXT,
                            "S%");
            case ANY_OUT ->
                    first(
                            "SELECT EXISTS (SELECT 1 FROM rental WHERE return_date IS NULL)",
                            row -> row.getBoolean(1));
            case SUM_DAYS ->
                    number("SELECT SUM(rental_duration) FROM film WHERE " + rating, "PG-13");
            case LONGEST -> number("SELECT MAX(length) FROM film");
            case RATINGS -> ratings();
            case OR_FILMS ->
                    list(
                            "SELECT title FROM film WHERE length > ? OR (%s AND rental_duration < ?)"
                                            .formatted(rating)
                                    + " ORDER BY film_id",
                            TEXT,
                            180,
                            "R",
                            4);
            case COUNT_IN -> number(COUNT + "language_id IN (?, ?, ?)", 2, 3, 4);
            case PAGE ->
                    list(
                            "SELECT film_id FROM film ORDER BY title, film_id LIMIT 20 OFFSET 500",
                            row -> row.getInt(1));
            default -> throw FilmAsks.notAsked(question);
        };
    }

    private static <T> Reader<T> firstOf(Reader<T> reader) {
        return rows -> {
            rows.next();
            return reader.read(rows);
        };
    }

    private static <T> Reader<List<T>> allOf(Reader<T> reader) {
        return rows -> {
            List<T> all = new ArrayList<>();
            while (rows.next()) {
                all.add(reader.read(rows));
            }
            return all;
        };
    }

    private Ask number(String sql, Object... values) throws SQLException {
        Query query = preparer.prepare(sql);
        return Ask.number(() -> query.execute(NUMBER, values));
    }

    private <T> Ask first(String sql, Reader<T> reader, Object... values) throws SQLException {
        Query query = preparer.prepare(sql);
        return any(() -> query.execute(firstOf(reader), values));
    }

    private <T> Ask list(String sql, Reader<T> reader, Object... values) throws SQLException {
        Query query = preparer.prepare(sql);
        return any(() -> query.execute(allOf(reader), values));
    }

    private Ask groups() throws SQLException {
        Query query =
                preparer.prepare("SELECT rating, COUNT(*), AVG(length) FROM film GROUP BY rating");
        return any(() -> {
            Map<Rating, Group> groups = new EnumMap<>(Rating.class);
            query.execute(
                    allOf(row ->
                            groups.put(
                                    Rating.of(row.getString(1)),
                                    new Group(row.getLong(2), row.getDouble(3)))));
            return groups;
        });
    }

    private Ask ratings() throws SQLException {
        Query query = preparer.prepare("SELECT rating, COUNT(*) FROM film GROUP BY rating");
        return any(() -> {
            Map<String, Long> ratings = new TreeMap<>();
            query.execute(allOf(row -> ratings.put(row.getString(1), row.getLong(2))));
            return ratings;
        });
    }

    @Override
    public long count(Rating rating) throws SQLException {
        return count.execute(NUMBER, rating.text());
    }

    @Override
    public IntSummaryStatistics complex(int skipped) throws SQLException {
        IntSummaryStatistics statistics = new IntSummaryStatistics();
        complex.execute(allOf(row -> row.getInt(1)), skipped).forEach(statistics::accept);
        return statistics;
    }

    /** Reads every film into an object of all its columns, one after the other. Returns the sum of their minutes. */
    static long readAll(DataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            long minutes = 0;
            try (PreparedStatement statement = connection.prepareStatement("SELECT * FROM film")) {
                statement.setFetchSize(FETCH_ROWS);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        minutes += FilmAsks.minutes(film(row));
                    }
                }
            }
            connection.rollback();
            return minutes;
        }
    }

    private static Film film(ResultSet row) throws SQLException {
        String rating = row.getString(11);
        return new Film(
                row.getInt(1),
                row.getString(2),
                row.getString(3),
                integer(row, 4),
                row.getInt(5),
                integer(row, 6),
                row.getInt(7),
                row.getBigDecimal(8),
                integer(row, 9),
                row.getBigDecimal(10),
                rating == null ? null : Rating.of(rating),
                row.getString(12),
                row.getObject(13, LocalDateTime.class));
    }

    private static @Nullable Integer integer(ResultSet row, int column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? null : value;
    }
}
