package dev.penstock.databases;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** A running database server that databases are made on. */
sealed interface DatabaseServer permits H2Server, MariaDbServer, PostgresServer {
    /** The user who owns every database. */
    String USER = "penstock";

    /** The user's password. */
    String PASSWORD = "penstock";

    /** The URL of a database on this server. */
    String url(TestDatabase.Kind kind, String database);

    /** Makes an empty database, unless it is there. */
    void create(String database) throws SQLException;

    /** Drops a database and ends the connections to it. */
    void drop(String database) throws SQLException;

    /** Runs statements one by one on a connection of its own. */
    static void execute(String url, String user, String password, String... statements)
            throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, user, password);
                java.sql.Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
