package dev.penstock.follow.binlog;

import dev.penstock.query.Column;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the catalog of the tables that are followed, and of those from which foreign keys hand changes down to
 * them: InnoDB changes such rows without a word in the log.
 */
final class CatalogReader {
    private static final String COLUMNS =
            """
            SELECT column_name, data_type, column_type, character_set_name, ordinal_position
            FROM information_schema.columns
            WHERE table_schema = ? AND table_name = ? AND BINARY table_name = BINARY ? ORDER BY ordinal_position
            """;

    private static final String TABLE =
            """
            SELECT t.table_type, t.engine, e.transactions FROM information_schema.tables t
            LEFT JOIN information_schema.engines e ON e.engine = t.engine
            WHERE t.table_schema = ? AND t.table_name = ? AND BINARY t.table_name = BINARY ?
            """;

    private static final String KEY =
            """
            SELECT column_name, sub_part FROM information_schema.statistics
            WHERE table_schema = ? AND table_name = ? AND BINARY table_name = BINARY ? AND index_name = 'PRIMARY'
            ORDER BY seq_in_index
            """;

    /** The rules of keys are shown only to users with another privilege than SELECT. */
    private static final String REFERENCES =
            """
            SELECT k.table_name, k.referenced_table_schema, k.referenced_table_name,
                   COALESCE(r.delete_rule, 'CASCADE'), COALESCE(r.update_rule, 'CASCADE'), k.referenced_column_name
            FROM information_schema.key_column_usage k LEFT JOIN information_schema.referential_constraints r
              ON r.constraint_schema = k.constraint_schema AND r.table_name = k.table_name
             AND r.constraint_name = k.constraint_name AND r.constraint_schema = ?
            WHERE k.constraint_schema = ? AND k.table_schema = ? AND k.referenced_table_name IS NOT NULL
            """;

    /** A column, as the server describes it. */
    private record Described(
            String name, int place, String dataType, String columnType, @Nullable String charset) {}

    /**
     * A column to which a foreign key refers that changes rows by itself.
     *
     * @param child the table with the foreign key
     * @param parent the table that it refers to
     */
    private record Reference(
            Catalog.Name child,
            Catalog.Name parent,
            boolean onDelete,
            boolean onUpdate,
            String column) {}

    private final Connection connection;
    private final Map<Catalog.Name, Table> followed = new LinkedHashMap<>();
    private final List<Reference> references = new ArrayList<>();
    private final Set<String> schemas = new HashSet<>();
    private final boolean swapsUuids;
    private final boolean foldsCase;

    private CatalogReader(Connection connection, List<Table> tables) throws SQLException {
        this.connection = connection;
        try (var statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT VERSION(), @@lower_case_table_names")) {
            row.next();
            swapsUuids = UuidBytes.writtenBy(row.getString(1));
            foldsCase = row.getInt(2) != 0;
        }
        for (Table table : tables) {
            followed.put(name(schema(connection, table), table.name()), table);
        }
    }

    private Catalog.Name name(String schema, String table) {
        return foldsCase
                ? new Catalog.Name(schema.toLowerCase(Locale.ROOT), table.toLowerCase(Locale.ROOT))
                : new Catalog.Name(schema, table);
    }

    private static String schema(Connection connection, Table table) throws SQLException {
        String schema = table.schema() == null ? connection.getCatalog() : table.schema();
        if (schema == null) {
            throw new SQLException("the JDBC URL names no database; add one");
        }
        return schema;
    }

    /**
     * Reads the catalog.
     *
     * @throws QueryException if a table has no transactions
     */
    static Catalog read(Connection connection, List<Table> tables) throws SQLException {
        CatalogReader reader = new CatalogReader(connection, tables);
        reader.readReferences();
        List<WatchedTable> watched = new ArrayList<>();
        for (Catalog.Name name : reader.names()) {
            watched.add(reader.table(name));
        }
        return new Catalog(watched, reader.foldsCase);
    }

    /** Reads foreign keys of the schemas of followed tables, and of those that they refer to. */
    private void readReferences() throws SQLException {
        Deque<String> left = new ArrayDeque<>();
        followed.keySet().forEach(name -> left.add(name.schema()));
        while (!left.isEmpty()) {
            String schema = left.remove();
            if (schemas.add(schema)) {
                readReferences(schema).forEach(reference -> left.add(reference.parent().schema()));
            }
        }
    }

    private List<Reference> readReferences(String schema) throws SQLException {
        List<Reference> found = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(REFERENCES)) {
            for (int i = 1; i <= 3; i++) {
                statement.setString(i, schema);
            }
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    Reference reference =
                            new Reference(
                                    name(schema, row.getString(1)),
                                    name(row.getString(2), row.getString(3)),
                                    changesRows(row.getString(4)),
                                    changesRows(row.getString(5)),
                                    row.getString(6));
                    if (reference.onDelete() || reference.onUpdate()) {
                        found.add(reference);
                    }
                }
            }
        }
        references.addAll(found);
        return found;
    }

    private static boolean changesRows(String rule) {
        return switch (rule.toUpperCase(Locale.ROOT)) {
            case "RESTRICT", "NO ACTION" -> false;
            default -> true;
        };
    }

    /** Returns the names of followed tables, and of those from which changes are handed down to one. */
    private Set<Catalog.Name> names() {
        Set<Catalog.Name> names = new HashSet<>(followed.keySet());
        for (Reference reference : references) {
            if (!reached(reference.child()).isEmpty()) {
                names.add(reference.parent());
            }
        }
        return names;
    }

    /** Returns the followed tables that may change with rows of a table, itself among them. */
    private Set<String> reached(Catalog.Name from) {
        Set<Catalog.Name> seen = new HashSet<>();
        Deque<Catalog.Name> left = new ArrayDeque<>(List.of(from));
        while (!left.isEmpty()) {
            Catalog.Name next = left.remove();
            if (seen.add(next)) {
                for (Reference reference : references) {
                    if (reference.parent().equals(next)) {
                        left.add(reference.child());
                    }
                }
            }
        }
        return seen.stream()
                .map(followed::get)
                .filter(java.util.Objects::nonNull)
                .map(Table::name)
                .collect(Collectors.toSet());
    }

    private WatchedTable table(Catalog.Name name) throws SQLException {
        List<Described> columns = columns(name);
        Set<String> onDelete = new HashSet<>();
        Map<Catalog.Name, Set<Integer>> onUpdate = new HashMap<>();
        boolean seen = true;
        for (Reference reference : references) {
            if (reference.parent().equals(name) && reference.onDelete()) {
                onDelete.addAll(reached(reference.child()));
            }
            if (reference.parent().equals(name) && reference.onUpdate()) {
                Described column = find(columns, reference.column());
                seen &= column != null;
                onUpdate.computeIfAbsent(reference.child(), _ -> new HashSet<>())
                        .add(column == null ? 0 : column.place());
            }
        }
        List<WatchedTable.Cascade> cascades = new ArrayList<>();
        onUpdate.forEach((child, places) ->
                cascades.add(new WatchedTable.Cascade(List.copyOf(places), reached(child))));
        Table table = followed.get(name);
        boolean versioned = isVersioned(name, table != null);
        return new WatchedTable(
                name.schema(),
                name.table(),
                table == null ? null : table.name(),
                seen && !columns.isEmpty() ? columns.getLast().place() + 1 : 0,
                versioned,
                table == null ? List.of() : key(name, table, columns),
                onDelete,
                cascades);
    }

    /** Returns whether a table keeps rows that are gone, or may do so. */
    private boolean isVersioned(Catalog.Name name, boolean isFollowed) throws SQLException {
        try (PreparedStatement statement = prepared(TABLE, name);
                ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                return true;
            }
            if (isFollowed && !"YES".equals(row.getString(3))) {
                throw new QueryException(
                        QueryException.Kind.DATABASE,
                        ServerSettings.message(
                                ("table %s is of the engine %s, which has no transactions, so that its rows are not"
                                                + " of one moment: ALTER TABLE `%s` ENGINE = InnoDB")
                                        .formatted(name.table(), row.getString(2), name.table())));
            }
            return row.getString(1).equals("SYSTEM VERSIONED");
        }
    }

    private List<Described> columns(Catalog.Name name) throws SQLException {
        List<Described> columns = new ArrayList<>();
        try (PreparedStatement statement = prepared(COLUMNS, name);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                columns.add(
                        new Described(
                                row.getString(1),
                                row.getInt(5) - 1,
                                row.getString(2).toLowerCase(Locale.ROOT),
                                row.getString(3),
                                row.getString(4)));
            }
        }
        return columns;
    }

    private PreparedStatement prepared(String sql, Catalog.Name name) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setString(1, name.schema());
        statement.setString(2, name.table());
        statement.setString(3, name.table());
        return statement;
    }

    /** Returns a column; null if it is not there any more, or the user can't see it. */
    private static @Nullable Described find(List<Described> columns, String name) {
        for (Described column : columns) {
            if (column.name().equalsIgnoreCase(name)) {
                return column;
            }
        }
        return null;
    }

    /** Returns the columns of a table's key, or none if rows can't be told by it. */
    private List<KeyColumn> key(Catalog.Name name, Table table, List<Described> columns)
            throws SQLException {
        List<String> names = new ArrayList<>();
        boolean whole = true;
        try (PreparedStatement statement = prepared(KEY, name);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                names.add(row.getString(1));
                // Of the beginning of a text, which itself may be of any length.
                whole &= row.getString(2) == null;
            }
        }
        if (!whole || !names.equals(table.primaryKey())) {
            return List.of();
        }
        List<KeyColumn> key = new ArrayList<>();
        for (String each : names) {
            KeyColumn column = column(table.column(each), columns);
            if (column == null) {
                return List.of();
            }
            key.add(column);
        }
        return key;
    }

    /** Returns a column of the key; null if it can't be told by, or is no longer as the table was read. */
    private @Nullable KeyColumn column(Column known, List<Described> columns) {
        Described now = find(columns, known.name());
        return now != null && now.columnType().equals(known.databaseType())
                ? KeyColumn.of(
                        known,
                        now.place(),
                        now.dataType(),
                        now.columnType(),
                        now.charset(),
                        swapsUuids)
                : null;
    }
}
