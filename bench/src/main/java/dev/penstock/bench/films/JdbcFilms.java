package dev.penstock.bench.films;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.databases.TestDatabase;
import dev.penstock.films.Film;
import dev.penstock.films.Rating;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The queries in SQL, by hand, through plain JDBC: what the database can do, it does. */
public final class JdbcFilms implements FilmContender {
    private static final int FETCH_ROWS = 1000;

    private final HikariDataSource pool;

    /** A bound rating, as the database takes it. */
    private final String rating;

    JdbcFilms(TestDatabase database) {
        pool = pool(database);
        rating = rating(database);
    }

    static String rating(TestDatabase database) {
        return database.kind() == TestDatabase.Kind.POSTGRESQL ? "CAST(? AS mpaa_rating)" : "?";
    }

    /** Connections for one contender. */
    public static HikariDataSource pool(TestDatabase database) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(4);
        return new HikariDataSource(config);
    }

    @Override
    public String name() {
        return "JDBC";
    }

    /** What a row becomes. */
    private interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private <T> List<T> list(String sql, Reader<T> reader, Object... values) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            List<T> list = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    list.add(reader.read(row));
                }
            }
            return list;
        }
    }

    private <T> T one(String sql, Reader<T> reader, Object... values) throws SQLException {
        return list(sql, reader, values).getFirst();
    }

    @Override
    public Object answer(FilmQuery query) throws SQLException {
        return switch (query) {
            case COUNT_LONG ->
                    one("SELECT COUNT(*) FROM film WHERE length > ?", row -> row.getLong(1), 60);
            case COUNT_RATING ->
                    one(
                            "SELECT COUNT(*) FROM film WHERE rating = " + rating,
                            row -> row.getLong(1),
                            "PG-13");
            case COMPLEX -> complex();
            case BY_KEY ->
                    one("SELECT * FROM film WHERE film_id = ?", JdbcFilms::film, 500).title();
            case TITLES ->
                    list(
                            "SELECT title FROM film WHERE title LIKE ? ORDER BY title LIMIT 10",
                            row -> row.getString(1),
                            "S%");
            case ANY_OUT ->
                    one(
                            "SELECT EXISTS (SELECT 1 FROM rental WHERE return_date IS NULL)",
                            row -> row.getBoolean(1));
            case SUM_DAYS ->
                    one(
                            "SELECT SUM(rental_duration) FROM film WHERE rating = " + rating,
                            row -> row.getLong(1),
                            "PG-13");
            case DISTINCT_RATES ->
                    list(
                            "SELECT DISTINCT rental_rate FROM film ORDER BY rental_rate",
                            row -> row.getBigDecimal(1));
            case LONGEST -> one("SELECT MAX(length) FROM film", row -> row.getInt(1));
            case GROUPS -> groups();
            case OR_FILMS ->
                    list(
                            "SELECT title FROM film WHERE length > ? OR (rating = "
                                    + rating
                                    + " AND rental_duration < ?) ORDER BY film_id",
                            row -> row.getString(1),
                            180,
                            "R",
                            4);
            case COUNT_IN ->
                    one(
                            "SELECT COUNT(*) FROM film WHERE language_id IN (?, ?, ?)",
                            row -> row.getLong(1),
                            2,
                            3,
                            4);
            case PAGE ->
                    list(
                            "SELECT film_id FROM film ORDER BY title, film_id LIMIT 20 OFFSET 500",
                            row -> row.getInt(1));
        };
    }

    private List<Object> complex() throws SQLException {
        IntSummaryStatistics statistics = new IntSummaryStatistics();
        list(
                        "SELECT rental_duration FROM film ORDER BY length DESC, film_id LIMIT 5 OFFSET 745",
                        row -> row.getInt(1))
                .forEach(statistics::accept);
        return PenstockFilms.figures(statistics);
    }

    private Map<String, Long> groups() throws SQLException {
        Map<String, Long> groups = new TreeMap<>();
        list(
                "SELECT rating, COUNT(*) FROM film GROUP BY rating",
                row -> groups.put(row.getString(1), row.getLong(2)));
        return groups;
    }

    @Override
    public long readAll() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            long minutes = 0;
            try (PreparedStatement statement = connection.prepareStatement("SELECT * FROM film")) {
                statement.setFetchSize(FETCH_ROWS);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        minutes += PenstockFilms.minutes(film(row));
                    }
                }
            }
            connection.rollback();
            return minutes;
        }
    }

    /** A row of every column. */
    static Film film(ResultSet row) throws SQLException {
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

    @Override
    public void close() {
        pool.close();
    }
}
