package dev.penstock.follow.binlog;

import dev.penstock.query.QueryException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The settings of a server without which its log does not tell all changes. */
public final class ServerSettings {
    /** Access denied; you need (at least one of) the … privilege(s). */
    static final int NO_PRIVILEGE = 1227;

    private static final String SETTINGS =
            """
            SELECT VERSION(), @@global.log_bin, @@global.binlog_format, @@global.log_bin_compress,
                   @@global.gtid_slave_pos <> '' AND NOT @@global.log_slave_updates
            """;

    private ServerSettings() {}

    /**
     * Checks that the server logs every changed row of all databases.
     *
     * @throws QueryException with a sentence that names what is missing, and what cures it
     */
    public static void check(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            requireMariaDb(statement);
            try (ResultSet row = statement.executeQuery(SETTINGS)) {
                row.next();
                check(row);
            }
            requireAllDatabases(statement);
            requireReplicated(statement);
        }
    }

    private static void requireMariaDb(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT VERSION()")) {
            row.next();
            if (!row.getString(1).toLowerCase(Locale.ROOT).contains("mariadb")) {
                throw refused(
                        ("the server is %s, whose log is another than MariaDB's: load its tables with a column that"
                                        + " grows (incremental), or as a whole")
                                .formatted(row.getString(1)));
            }
        }
    }

    private static void check(ResultSet row) throws SQLException {
        if (!row.getBoolean(2)) {
            throw refused(
                    "the server writes no binary log: start it with --log-bin, or write log_bin into the section"
                            + " [mariadb] of its configuration, and start it anew");
        }
        if (!row.getString(3).equalsIgnoreCase("ROW")) {
            throw refused(
                    ("binlog_format is %s, and the log has statements in place of rows: SET GLOBAL binlog_format = ROW,"
                                    + " write it into the server's configuration, and connect its clients anew")
                            .formatted(row.getString(3)));
        }
        if (row.getBoolean(4)) {
            throw refused(
                    "log_bin_compress is on, and rows that are compressed are not read: SET GLOBAL log_bin_compress ="
                            + " OFF");
        }
        if (row.getBoolean(5)) {
            throw refused(
                    "the server is, or was, a replica that does not log what it replicates: follow its primary; or set"
                            + " log_slave_updates in its configuration and start it anew; or, if it replicates no more,"
                            + " SET GLOBAL gtid_slave_pos = ''");
        }
    }

    /** Filters go by a statement's default database, not by the table's: so one that is named is not safe either. */
    private static void requireAllDatabases(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SHOW MASTER STATUS")) {
            if (row.next() && !(isEmpty(row.getString(3)) && isEmpty(row.getString(4)))) {
                throw refused(
                        "the server leaves changes of some databases out of its log: take binlog_do_db and"
                                + " binlog_ignore_db out of its configuration, and start it anew");
            }
        } catch (SQLException e) {
            if (e.getErrorCode() == NO_PRIVILEGE) {
                throw new QueryException(
                        QueryException.Kind.DATABASE,
                        message("the user lacks a privilege: " + grant(statement)),
                        e);
            }
            throw e;
        }
    }

    /** A replica, or a node of a cluster, logs what it is sent by others only if it is told to. */
    private static void requireReplicated(Statement statement) throws SQLException {
        boolean logs = isOn(statement, "SELECT @@global.log_slave_updates", 1);
        if (logs) {
            return;
        }
        boolean isNode = isOn(statement, "SHOW GLOBAL VARIABLES LIKE 'wsrep_on'", 2);
        boolean isReplica = isOn(statement, "SHOW GLOBAL STATUS LIKE 'Slaves_running'", 2);
        if (isNode || isReplica) {
            throw refused(
                    "the server does not log what other servers send it: set log_slave_updates in its configuration"
                            + " and start it anew");
        }
    }

    private static boolean isOn(Statement statement, String question, int column)
            throws SQLException {
        try (ResultSet row = statement.executeQuery(question)) {
            String value = row.next() ? row.getString(column) : null;
            return value != null && !value.equals("0") && !value.equalsIgnoreCase("OFF");
        }
    }

    private static boolean isEmpty(@Nullable String text) {
        return text == null || text.isEmpty();
    }

    /** Returns the statement that gives a connection's user what is needed. */
    static String grant(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT CURRENT_USER()")) {
            row.next();
            String user = row.getString(1);
            int at = user.lastIndexOf('@');
            return "GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO %s@%s"
                    .formatted(quoted(user.substring(0, at)), quoted(user.substring(at + 1)));
        }
    }

    private static String quoted(String name) {
        return "'" + name.replace("'", "''") + "'";
    }

    private static QueryException refused(String why) {
        return new QueryException(QueryException.Kind.DATABASE, message(why));
    }

    static String message(String why) {
        return "MariaDB's changes can't be followed: " + why;
    }
}
