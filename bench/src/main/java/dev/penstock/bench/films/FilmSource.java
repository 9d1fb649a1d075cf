package dev.penstock.bench.films;

import dev.penstock.bench.export.LineitemDatabase;
import dev.penstock.databases.TestDatabase;
import dev.penstock.films.store.FilmStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A film store's films in a server's database: the same ones for the same number, wherever they are. Many are kept from run to run. */
public final class FilmSource implements AutoCloseable {
    /** As many films as make it worth keeping them. */
    private static final long KEPT = 200_000;

    private static final String FILLED = "films_filled";

    /** Beyond the store's own indexes, those that serve the questions of two columns. */
    private static final List<String> INDEXES =
            List.of(
                    "CREATE INDEX film_longest ON film (length DESC, film_id)",
                    "CREATE INDEX film_rating_longest ON film (rating, length DESC, film_id)");

    private final TestDatabase database;

    private FilmSource(TestDatabase database) {
        this.database = database;
    }

    /** The database with so many films, which are made if they are not there. */
    public static FilmSource of(TestDatabase.Kind kind, long films) throws SQLException {
        TestDatabase database =
                films >= KEPT
                        ? TestDatabase.kept(kind, "films_" + films)
                        : TestDatabase.create(kind);
        try (Connection connection = database.connect()) {
            if (!LineitemDatabase.hasTable(connection, FILLED)) {
                fill(connection, kind, films);
            }
        }
        return new FilmSource(database);
    }

    private static void fill(Connection connection, TestDatabase.Kind kind, long films)
            throws SQLException {
        FilmStore.drop(connection);
        FilmStore.of(films / 1000.0).only("film").create(connection);
        index(connection);
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    kind == TestDatabase.Kind.POSTGRESQL
                            ? "VACUUM ANALYZE film"
                            : "ANALYZE TABLE film");
            statement.execute("CREATE TABLE " + FILLED + " (n INTEGER PRIMARY KEY)");
        }
    }

    /** Makes the indexes that the questions ask for. */
    static void index(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : INDEXES) {
                statement.execute(sql);
            }
        }
    }

    public TestDatabase database() {
        return database;
    }

    @Override
    public void close() {
        database.close();
    }
}
