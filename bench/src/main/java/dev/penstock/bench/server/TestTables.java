package dev.penstock.bench.server;

import dev.penstock.databases.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The tables that a test database has from an earlier run. */
public final class TestTables {
    private TestTables() {}

    /** Whether a database has a table of that name, in lower case. */
    public static boolean exist(TestDatabase database, String name) throws SQLException {
        String sql =
                "SELECT COUNT(*) FROM information_schema.tables WHERE LOWER(table_name) = ?"
                        + switch (database.kind()) {
                            // Its information schema shows the tables of all databases.
                            case MARIADB, MYSQL -> " AND table_schema = DATABASE()";
                            case POSTGRESQL, H2 -> "";
                        };
        try (Connection connection = database.connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            try (ResultSet found = statement.executeQuery()) {
                found.next();
                return found.getInt(1) > 0;
            }
        }
    }
}
