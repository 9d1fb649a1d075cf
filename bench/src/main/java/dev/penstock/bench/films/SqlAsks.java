package dev.penstock.bench.films;

import dev.penstock.films.Rating;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;

/** The questions in SQL by hand, on one connection: each statement is prepared once. */
final class SqlAsks implements FilmAsks {
    private static final String COUNT = "SELECT COUNT(*) FROM film WHERE ";

    private final Connection connection;
    private final int key;
    private final PreparedStatement count;
    private final PreparedStatement complex;

    SqlAsks(Connection connection, long films) throws SQLException {
        this.connection = connection;
        this.key = (int) (films / 2);
        count = prepared(COUNT + "rating = ?");
        complex =
                prepared(
                        "SELECT rental_duration FROM film ORDER BY length DESC, film_id LIMIT "
                                + FilmQuestion.LIMIT
                                + " OFFSET ?");
    }

    private PreparedStatement prepared(String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    @Override
    public Ask ask(FilmQuestion question) throws SQLException {
        return switch (question) {
            case FILTER_AND_COUNT -> (Ask.Count) () -> count(Rating.PG13);
            case COMPLEX -> (Ask.Whole) () -> complex(FilmQuestion.SKIPPED);
            case PREFIX -> number(COUNT + "title LIKE ?", FilmQuestion.PREFIX_OF_TITLE + "%");
            case RANGE ->
                    number(
                            COUNT + "length >= ? AND length < ?",
                            FilmQuestion.SHORT,
                            FilmQuestion.LONG);
            case CONJUNCTION ->
                    number(
                            COUNT + "rating = ? AND length > ?",
                            Rating.PG13.text(),
                            FilmQuestion.VERY_LONG);
            case TOP ->
                    list(
                            "SELECT title FROM film WHERE rating = ? ORDER BY length DESC, film_id LIMIT "
                                    + FilmQuestion.TOP_FILMS,
                            row -> row.getString(1),
                            Rating.R.text());
            case GROUPS -> groups();
            case DISTINCT ->
                    list(
                            "SELECT DISTINCT rental_rate FROM film ORDER BY rental_rate",
                            row -> row.getBigDecimal(1));
            case EXTREMES ->
                    one(
                            "SELECT MIN(length), MAX(length) FROM film",
                            row -> new Extremes(row.getInt(1), row.getInt(2)));
            case KEY ->
                    one("SELECT title FROM film WHERE film_id = ?", row -> row.getString(1), key);
            case LAMBDA ->
                    number(
                            COUNT + "rating = ? AND length > ? AND description LIKE ?",
                            Rating.NC17.text(),
                            FilmQuestion.LONGEST,
                            "%" + FilmQuestion.ROLE + "%");
            case SCAN ->
                    number(
                            "SELECT SUM(length) FROM film WHERE release_year < ?",
                            FilmQuestion.YEAR);
        };
    }

    /** What a row becomes. */
    private interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private Ask.Count number(String sql, Object... values) throws SQLException {
        PreparedStatement statement = prepared(sql, values);
        return () -> number(statement);
    }

    private static long number(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    private <T> Ask.Whole one(String sql, Reader<T> reader, Object... values) throws SQLException {
        PreparedStatement statement = prepared(sql, values);
        return () -> {
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return reader.read(row);
            }
        };
    }

    private <T> Ask.Whole list(String sql, Reader<T> reader, Object... values) throws SQLException {
        PreparedStatement statement = prepared(sql, values);
        return () -> {
            List<T> list = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    list.add(reader.read(row));
                }
            }
            return list;
        };
    }

    private Ask.Whole groups() throws SQLException {
        PreparedStatement statement =
                prepared("SELECT rating, COUNT(*), AVG(length) FROM film GROUP BY rating");
        return () -> {
            Map<Rating, Group> groups = new EnumMap<>(Rating.class);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    groups.put(
                            Rating.of(row.getString(1)),
                            new Group(row.getLong(2), row.getDouble(3)));
                }
            }
            return groups;
        };
    }

    @Override
    public long count(Rating rating) throws SQLException {
        count.setString(1, rating.text());
        return number(count);
    }

    @Override
    public IntSummaryStatistics complex(int skipped) throws SQLException {
        complex.setInt(1, skipped);
        IntSummaryStatistics statistics = new IntSummaryStatistics();
        try (ResultSet row = complex.executeQuery()) {
            while (row.next()) {
                statistics.accept(row.getInt(1));
            }
        }
        return statistics;
    }
}
