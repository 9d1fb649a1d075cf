package dev.penstock.bench.server;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The tables that a test database has from an earlier run. */
public final class TestTables {
    private TestTables() {}

    /** Whether the connection's database has a table of that name, in lower case. */
    public static boolean exists(Connection connection, String name) throws SQLException {
        // MariaDB's information schema shows the tables of all databases.
        String product = connection.getMetaData().getDatabaseProductName();
        boolean showsAll = product.equals("MariaDB") || product.equals("MySQL");
        try (PreparedStatement statement =
                connection.prepareStatement(
                        "SELECT COUNT(*) FROM information_schema.tables WHERE LOWER(table_name) = ?"
                                + " AND LOWER(table_schema) NOT IN"
                                + " ('information_schema', 'pg_catalog')"
                                + (showsAll ? " AND table_schema = DATABASE()" : ""))) {
            statement.setString(1, name);
            try (ResultSet found = statement.executeQuery()) {
                found.next();
                return found.getInt(1) > 0;
            }
        }
    }
}
