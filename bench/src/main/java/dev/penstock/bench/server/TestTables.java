package dev.penstock.bench.server;

import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The tables that a test database has from an earlier run. */
public final class TestTables {
    /** Made when the others are whole. */
    private static final String FILLED = "filled";

    private TestTables() {}

    /** The making of tables in an empty database, or in one whose making was broken off. */
    public interface Fill {
        /** Makes them. */
        void fill(TestDatabase database) throws SQLException, IOException;
    }

    /**
     * Returns a database with tables, which are made if they are not there.
     *
     * @param kept whether it stays for the next run, under its name
     */
    public static TestDatabase in(TestDatabase.Kind kind, String name, boolean kept, Fill fill)
            throws SQLException, IOException {
        TestDatabase database = kept ? TestDatabase.kept(kind, name) : TestDatabase.create(kind);
        if (!isFilled(database)) {
            fill.fill(database);
            database.execute("CREATE TABLE " + FILLED + " (n INTEGER PRIMARY KEY)");
        }
        return database;
    }

    private static boolean isFilled(TestDatabase database) throws SQLException {
        String sql =
                "SELECT COUNT(*) FROM information_schema.tables WHERE LOWER(table_name) = ?"
                        + switch (database.kind()) {
                            // Its information schema shows the tables of all databases.
                            case MARIADB, MYSQL -> " AND table_schema = DATABASE()";
                            case POSTGRESQL, H2 -> "";
                        };
        try (Connection connection = database.connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, FILLED);
            try (ResultSet found = statement.executeQuery()) {
                found.next();
                return found.getInt(1) > 0;
            }
        }
    }
}
