package dev.penstock.server.config;

import dev.penstock.server.log.FirstSentence;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/**
 * The number of connections that a database can still take.
 *
 * @param free the number that it would take now
 * @param sensible the number that one server may take, so that other clients, and the cancelling of queries, find one
 */
public record ConnectionAllowance(int free, int sensible) {
    private static final System.Logger LOG = System.getLogger("dev.penstock.server");
    private static final int UNKNOWN_SENSIBLE = 16;
    private static final int LEAST_LEFT_TO_OTHERS = 3;

    /** The allowance of databases without a limit. */
    static final ConnectionAllowance UNLIMITED =
            new ConnectionAllowance(Integer.MAX_VALUE, Integer.MAX_VALUE);

    /** The allowance of databases that can't be asked: any number may be requested, few are taken by default. */
    static final ConnectionAllowance UNKNOWN =
            new ConnectionAllowance(Integer.MAX_VALUE, UNKNOWN_SENSIBLE);

    private static final String POSTGRESQL =
            """
            SELECT least(
                current_setting('max_connections')::int
                    - CASE WHEN r.rolsuper THEN 0 ELSE
                        current_setting('superuser_reserved_connections')::int
                        + coalesce(current_setting('reserved_connections', true)::int, 0) END,
                CASE WHEN r.rolconnlimit < 0 THEN 1000000 ELSE r.rolconnlimit END,
                CASE WHEN d.datconnlimit < 0 THEN 1000000 ELSE d.datconnlimit END),
                (SELECT sum(numbackends) FROM pg_stat_database) - 1
            FROM pg_roles r, pg_database d
            WHERE r.rolname = current_user AND d.datname = current_database()
            """;

    private static final String MARIADB =
            """
            SELECT CASE WHEN @@max_user_connections BETWEEN 1 AND @@max_connections
                THEN @@max_user_connections ELSE @@max_connections END, 1
            """;

    private static final String MARIADB_IN_USE = "SHOW GLOBAL STATUS LIKE 'Threads_connected'";

    /** Asks the database behind a connection, which is not counted. */
    public static ConnectionAllowance of(Connection connection) {
        try {
            String product =
                    connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
            return switch (product) {
                case "postgresql" -> postgresql(connection);
                case "mariadb", "mysql" -> mariaDb(connection);
                case "h2" -> UNLIMITED;
                default -> UNKNOWN;
            };
        } catch (SQLException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Can't find out how many connections the database allows; taking "
                            + UNKNOWN_SENSIBLE
                            + " (--connections sets another number): "
                            + FirstSentence.one(e.getMessage()));
            return UNKNOWN;
        }
    }

    private static ConnectionAllowance postgresql(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(POSTGRESQL)) {
            row.next();
            return of(row.getInt(1), row.getInt(2));
        }
    }

    private static ConnectionAllowance mariaDb(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            int most;
            try (ResultSet row = statement.executeQuery(MARIADB)) {
                row.next();
                most = row.getInt(1);
            }
            try (ResultSet row = statement.executeQuery(MARIADB_IN_USE)) {
                return of(most, row.next() ? row.getInt(2) - 1 : 0);
            }
        }
    }

    /** Returns the allowance of a limit of {@code most} connections, of which some are in use. */
    static ConnectionAllowance of(int most, int inUse) {
        int free = Math.max(0, most - Math.max(0, inUse));
        int leftToOthers = Math.max(LEAST_LEFT_TO_OTHERS, most / 10);
        return new ConnectionAllowance(free, Math.max(Math.min(free, 2), free - leftToOthers));
    }
}
