package dev.penstock.follow;

import dev.penstock.query.Table;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A look at a PostgreSQL database: which transactions everyone sees, and a fingerprint of the tables, of which the log
 * tells nothing.
 *
 * @param visible the transactions
 * @param server the server, its timeline and the publication
 * @param tables by their numbers, those that are there under their names and published: the number of each one's file,
 *     and a digest of its columns
 */
record PostgresLook(VisibleTransactions visible, String server, Map<Long, String> tables) {
    private static final String SQL =
            """
            SELECT pg_current_snapshot()::text,
                   (SELECT s.system_identifier FROM pg_control_system() s) || '/'
                     || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) || '/'
                     || (SELECT left(md5(p::text), 8) FROM pg_publication p WHERE p.pubname = '{publication}'),
                   (SELECT string_agg(
                      c.oid::text || ':' || coalesce(pg_relation_filenode(c.oid), 0) || ':' || left(md5(concat(
                        c.relhassubclass, c.relreplident,
                        (SELECT string_agg(concat(a.attnum, ' ', a.attname, ' ', a.atttypid, ' ', a.atttypmod), ','
                                           ORDER BY a.attnum)
                         FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
                        (SELECT string_agg(e.oid || e.enumlabel, ',' ORDER BY a.attnum, e.oid)
                         FROM pg_enum e JOIN pg_attribute a ON a.atttypid = e.enumtypid WHERE a.attrelid = c.oid),
                        (SELECT string_agg(r::text, ',' ORDER BY r.oid)
                         FROM pg_publication_rel r JOIN pg_publication p ON p.oid = r.prpubid
                         WHERE r.prrelid = c.oid AND p.pubname = '{publication}'))), 12), ' ' ORDER BY c.oid)
                    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                    WHERE ({tables}) AND c.oid IN (SELECT p.relid FROM pg_get_publication_tables('{publication}') p))
            """;

    PostgresLook {
        tables = Map.copyOf(tables);
    }

    /**
     * Looks at a database.
     *
     * @param publication lower-case letters, digits and underscores
     * @param followed the tables by their numbers
     */
    static PostgresLook at(Connection connection, String publication, Map<Long, Table> followed)
            throws SQLException {
        String tables =
                followed.entrySet().stream()
                        .map(each -> condition(each.getKey(), each.getValue()))
                        .collect(Collectors.joining(" OR "));
        String sql = SQL.replace("{publication}", publication).replace("{tables}", tables);
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return new PostgresLook(
                    VisibleTransactions.parse(row.getString(1)),
                    Objects.requireNonNullElse(row.getString(2), ""),
                    tables(Objects.requireNonNullElse(row.getString(3), "")));
        }
    }

    private static String condition(long oid, Table table) {
        String schema = table.schema();
        return "c.oid = "
                + oid
                + " AND c.relname = "
                + literal(table.name())
                + (schema == null ? "" : " AND n.nspname = " + literal(schema));
    }

    private static String literal(String text) {
        return "E'" + text.replace("\\", "\\\\").replace("'", "''") + "'";
    }

    private static Map<Long, String> tables(String text) {
        Map<Long, String> tables = new HashMap<>();
        for (String each : text.split(" ", -1)) {
            int colon = each.indexOf(':');
            if (colon > 0) {
                tables.put(Long.valueOf(each.substring(0, colon)), each.substring(colon + 1));
            }
        }
        return tables;
    }

    /** Returns the tables that differ from those of a look before, by their numbers. */
    List<Long> changedSince(PostgresLook before) {
        List<Long> changed = new ArrayList<>();
        tables.forEach((table, state) -> {
            if (!state.equals(before.tables.get(table))) {
                changed.add(table);
            }
        });
        return changed;
    }

    /** Returns the server and the tables as a text. */
    String fingerprint() {
        return tables.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(each -> " " + each.getKey() + ":" + each.getValue())
                .collect(Collectors.joining("", server, ""));
    }
}
