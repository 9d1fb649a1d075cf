package dev.penstock.follow;

import dev.penstock.databases.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** Feeds of databases on the server that writes a binary log. */
final class LoggedMariaDb {
    private LoggedMariaDb() {}

    static MariaDbFeed feedOf(TestDatabase database) {
        return feedOf(database.url(), database.user(), database.password());
    }

    static MariaDbFeed feedOf(String url, String user, String password) {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        return MariaDbFeed.of(url, properties);
    }

    /** Ends the connections that read the log. */
    static void killDumps(TestDatabase database) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            List<Long> dumps = new ArrayList<>();
            try (ResultSet row =
                    statement.executeQuery(
                            "SELECT id FROM information_schema.processlist WHERE command = 'Binlog Dump'")) {
                while (row.next()) {
                    dumps.add(row.getLong(1));
                }
            }
            for (long dump : dumps) {
                try {
                    statement.execute("KILL " + dump);
                } catch (SQLException e) {
                    // It has ended by itself.
                    if (e.getErrorCode() != 1094) {
                        throw e;
                    }
                }
            }
        }
    }
}
