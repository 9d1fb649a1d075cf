package dev.penstock.bench.films;

import dev.penstock.bench.server.TestTables;
import dev.penstock.databases.TestDatabase;
import dev.penstock.films.store.FilmStore;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A film store's films in a server's database: the same ones for the same number. Many are kept from run to run. */
final class FilmDatabase {
    /** As many films as make it worth keeping them. */
    private static final long KEPT = 200_000;

    private FilmDatabase() {}

    /** Returns the database with so many films, which are made if they are not there. */
    static TestDatabase of(TestDatabase.Kind kind, long films) throws SQLException, IOException {
        return TestTables.in(
                kind, "films_" + films, films >= KEPT, database -> fill(database, films));
    }

    private static void fill(TestDatabase database, long films) throws SQLException {
        try (Connection connection = database.connect()) {
            FilmStore.drop(connection);
            FilmStore.of(films / 1000.0).only("film").create(connection);
            index(connection);
        }
        analyse(database);
    }

    /** Makes, beyond the store's own indexes, those that serve the questions of two columns. */
    static void index(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE INDEX film_longest ON film (length DESC, film_id)");
            statement.execute(
                    "CREATE INDEX film_rating_longest ON film (rating, length DESC, film_id)");
        }
    }

    /** Has the database count what its planner goes by. */
    static void analyse(TestDatabase database) {
        boolean postgres = database.kind() == TestDatabase.Kind.POSTGRESQL;
        database.execute(postgres ? "VACUUM ANALYZE film" : "ANALYZE TABLE film");
    }
}
