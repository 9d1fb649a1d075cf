package dev.penstock.bench.films;

import dev.penstock.films.Film;
import dev.penstock.films.Rating;
import dev.penstock.films.store.FilmStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/** The films in memory in a database inside this process, asked by SQL through JDBC. It is there as long as the first connection is. */
final class EmbeddedKeeper implements FilmKeeper {
    /** How a thread gets its connection. */
    private interface Connector {
        Connection connect() throws SQLException;
    }

    private final Connection first;
    private final Connector connector;
    private final long films;
    private final String sizeSql;

    private EmbeddedKeeper(Connection first, Connector connector, long films, String sizeSql) {
        this.first = first;
        this.connector = connector;
        this.films = films;
        this.sizeSql = sizeSql;
    }

    /**
     * H2's table is that of every film store, with its indexes and those that the questions ask for. A statement that is executed again with the
     * same values would give what it gave last, which would not be an answer.
     */
    static EmbeddedKeeper h2(long films) throws SQLException {
        Connector connector =
                () -> DriverManager.getConnection("jdbc:h2:mem:films;OPTIMIZE_REUSE_RESULTS=FALSE");
        Connection connection = connector.connect();
        FilmStore.of(films / 1000.0).only("film").create(connection);
        FilmSource.index(connection);
        // Its memory is the heap.
        return new EmbeddedKeeper(connection, connector, films, "SELECT 0");
    }

    /** DuckDB's way to answer is the scan; beside the key it has no index. */
    static EmbeddedKeeper duckDb(long films, Stream<Film> source) throws SQLException {
        DuckDBConnection connection =
                DriverManager.getConnection("jdbc:duckdb:").unwrap(DuckDBConnection.class);
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TYPE mpaa_rating AS ENUM ('G', 'PG', 'PG-13', 'R', 'NC-17')");
            statement.execute(
                    """
                    CREATE TABLE film (film_id INTEGER PRIMARY KEY, title VARCHAR NOT NULL, description VARCHAR, release_year SMALLINT,
                        language_id INTEGER NOT NULL, original_language_id INTEGER, rental_duration SMALLINT NOT NULL,
                        rental_rate DECIMAL(4, 2) NOT NULL, length SMALLINT, replacement_cost DECIMAL(5, 2) NOT NULL,
                        rating mpaa_rating, special_features VARCHAR, last_update TIMESTAMP NOT NULL)
                    """);
        }
        try (DuckDBAppender appender = connection.createAppender("film");
                source) {
            for (Film film : (Iterable<Film>) source::iterator) {
                append(film, appender);
            }
        }
        return new EmbeddedKeeper(
                connection,
                connection::duplicate,
                films,
                "SELECT CAST(SUM(memory_usage_bytes) AS BIGINT) FROM duckdb_memory()");
    }

    private static void append(Film film, DuckDBAppender appender) throws SQLException {
        appender.beginRow();
        appender.append(film.filmId()).append(film.title()).append(film.description());
        appender.append(narrow(film.releaseYear()));
        appender.append(film.languageId()).append(film.originalLanguageId());
        appender.append((short) film.rentalDuration());
        appender.append(film.rentalRate()).append(narrow(film.length()));
        appender.append(film.replacementCost());
        Rating rating = film.rating();
        appender.append(rating == null ? null : rating.text());
        appender.append(film.specialFeatures()).append(film.lastUpdate());
        appender.endRow();
    }

    private static @Nullable Short narrow(@Nullable Integer number) {
        return number == null ? null : number.shortValue();
    }

    @Override
    public FilmAsks asks() throws SQLException {
        return new SqlAsks(connector.connect(), films);
    }

    @Override
    public long offHeapBytes() throws SQLException {
        try (Statement statement = first.createStatement();
                ResultSet row = statement.executeQuery(sizeSql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
