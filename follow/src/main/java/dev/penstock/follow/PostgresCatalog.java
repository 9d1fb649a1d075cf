package dev.penstock.follow;

import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings, tables and publication that following needs of a PostgreSQL database: looked at, made where they are
 * missing, and refused by a sentence with the remedy. Used over one connection.
 */
final class PostgresCatalog {
    private static final int LEAST_VERSION = 130_000;
    private static final int FILTERS_SINCE = 150_000;
    private static final String NOT_ALLOWED = "42501";

    private static final String SERVER =
            """
            SELECT current_setting('server_version_num')::int, current_setting('server_version'),
                   current_setting('wal_level'), pg_is_in_recovery()
            """;

    private static final String TABLE =
            """
            SELECT c.oid::bigint, c.relkind, c.relreplident, c.relpersistence,
                   EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = c.oid),
                   CASE c.relreplident WHEN 'f' THEN true WHEN 'n' THEN false
                     ELSE EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisvalid AND i.indimmediate
                       AND CASE c.relreplident WHEN 'd' THEN i.indisprimary ELSE i.indisreplident END) END
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = coalesce(?::text, current_schema()::text) AND c.relname = ?
            """;

    private final Connection connection;
    private final String publication;

    PostgresCatalog(Connection connection, String publication) {
        this.connection = connection;
        this.publication = publication;
    }

    /**
     * The tables that can be followed.
     *
     * @param oids their numbers
     * @param wasComplete whether the publication had all of them before
     */
    record Published(List<Long> oids, boolean wasComplete) {
        Published {
            oids = List.copyOf(oids);
        }
    }

    /**
     * Has the publication tell of these tables.
     *
     * @throws QueryException with the remedy where that can't be
     */
    Published publish(List<Table> tables) throws SQLException {
        int version = requireServer();
        List<Long> oids = new ArrayList<>();
        for (Table table : tables) {
            oids.add(requireTable(table));
        }
        List<Table> missing = missing(tables, version);
        if (missing == null) {
            make("CREATE PUBLICATION " + name(publication) + " FOR TABLE " + names(tables));
        } else if (!missing.isEmpty()) {
            make("ALTER PUBLICATION " + name(publication) + " ADD TABLE " + names(missing));
        }
        return new Published(oids, missing != null && missing.isEmpty());
    }

    private int requireServer() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(SERVER)) {
            row.next();
            int version = row.getInt(1);
            if (version < LEAST_VERSION) {
                throw refused(
                        "PostgreSQL %s can't be followed: update it to 13 or later"
                                .formatted(row.getString(2)));
            }
            if (row.getBoolean(4)) {
                throw refused(
                        "the changes of a standby server can't be followed: connect to the primary server");
            }
            if (!row.getString(3).equals("logical")) {
                throw refused(
                        ("the server's wal_level is %s, and its changes can be followed with logical alone: run"
                                        + " ALTER SYSTEM SET wal_level = logical and restart the server")
                                .formatted(row.getString(3)));
            }
            return version;
        }
    }

    private long requireTable(Table table) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(TABLE)) {
            statement.setString(1, table.schema());
            statement.setString(2, table.name());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new QueryException(
                            QueryException.Kind.UNKNOWN_NAME,
                            "table %s can't be followed: it is not there any more"
                                    .formatted(table.name()));
                }
                String why = refusal(row, name(table));
                if (why != null) {
                    throw refused("table %s can't be followed: %s".formatted(table.name(), why));
                }
                return row.getLong(1);
            }
        }
    }

    private static @Nullable String refusal(ResultSet row, String name) throws SQLException {
        String kind = row.getString(2);
        if (kind.equals("v") || kind.equals("m")) {
            return "it is a view, of which the log tells nothing; choose its tables, or refresh by time";
        }
        if (kind.equals("p") || row.getBoolean(5)) {
            return "it has partitions or inherits, and the log does not tell when these come and go; refresh by time";
        }
        if (!kind.equals("r")) {
            return "its rows are of another server; refresh by time";
        }
        if (!row.getString(4).equals("p")) {
            return "it is not logged: run ALTER TABLE " + name + " SET LOGGED";
        }
        return !row.getBoolean(6)
                ? "once it was published, its updates and deletions would fail for want of a replica identity: run"
                        + " ALTER TABLE "
                        + name
                        + " REPLICA IDENTITY FULL"
                : null;
    }

    /** Returns the tables that the publication lacks; null where there is no publication. */
    private @Nullable List<Table> missing(List<Table> tables, int version) throws SQLException {
        String kinds = "SELECT pubinsert AND pubupdate AND pubdelete AND pubtruncate";
        try (PreparedStatement statement =
                connection.prepareStatement(kinds + " FROM pg_publication WHERE pubname = ?")) {
            statement.setString(1, publication);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return null;
                }
                if (!row.getBoolean(1)) {
                    throw refused(
                            ("publication %s does not tell of every kind of change: run ALTER PUBLICATION %s SET"
                                            + " (publish = 'insert, update, delete, truncate')")
                                    .formatted(publication, name(publication)));
                }
            }
        }
        Set<String> published = published(version);
        return tables.stream().filter(table -> !published.contains(name(table))).toList();
    }

    private Set<String> published(int version) throws SQLException {
        String filter = version >= FILTERS_SINCE ? "rowfilter IS NOT NULL" : "false";
        Set<String> names = new HashSet<>();
        try (PreparedStatement statement =
                connection.prepareStatement(
                        "SELECT schemaname, tablename, "
                                + filter
                                + " FROM pg_publication_tables WHERE pubname = ?")) {
            statement.setString(1, publication);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    String name = name(row.getString(1)) + "." + name(row.getString(2));
                    if (row.getBoolean(3)) {
                        throw refused(
                                ("publication %s tells of some rows of table %s alone: take another publication, or"
                                                + " add the table to this one without WHERE")
                                        .formatted(publication, row.getString(2)));
                    }
                    names.add(name);
                }
            }
        }
        return names;
    }

    private void make(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            if (NOT_ALLOWED.equals(e.getSQLState())) {
                throw new QueryException(
                        QueryException.Kind.DATABASE,
                        ("user %s may not have publication %s tell of the tables: run this as their owner, with the"
                                        + " right to CREATE in the database: %s")
                                .formatted(
                                        connection.getMetaData().getUserName(), publication, sql),
                        e);
            }
            throw e;
        }
    }

    private static QueryException refused(String why) {
        return new QueryException(QueryException.Kind.DATABASE, why);
    }

    private static String names(List<Table> tables) {
        return tables.stream().map(PostgresCatalog::name).collect(Collectors.joining(", "));
    }

    private static String name(Table table) {
        String schema = table.schema();
        return (schema == null ? "" : name(schema) + ".") + name(table.name());
    }

    /** Returns a name in quotes. */
    static String name(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
