package dev.penstock.codegen;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a generator wants to know of a schema and a query does not: foreign keys, generated columns, labels of enums. */
final class Details {
    private static final String POSTGRESQL_ENUMS =
            """
            WITH RECURSIVE base AS (
              SELECT oid AS type, oid AS base FROM pg_catalog.pg_type WHERE typtype <> 'd'
              UNION ALL
              SELECT d.oid, b.base FROM pg_catalog.pg_type d JOIN base b ON d.typbasetype = b.type WHERE d.typtype = 'd'
            )
            SELECT c.relname, a.attname, t.typname, e.enumlabel
            FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            JOIN base b ON b.type = a.atttypid
            JOIN pg_catalog.pg_type t ON t.oid = b.base
            JOIN pg_catalog.pg_enum e ON e.enumtypid = t.oid
            WHERE n.nspname = ? ORDER BY c.relname, a.attnum, e.enumsortorder
            """;
    private static final String H2_ENUMS =
            """
            SELECT c.table_name, c.column_name, c.domain_name, e.value_name
            FROM information_schema.columns c
            JOIN information_schema.enum_values e
              ON e.object_schema = c.table_schema AND e.object_name = c.table_name AND e.object_type = 'TABLE'
             AND e.enum_identifier = c.dtd_identifier
            WHERE c.table_schema = ? AND c.data_type = 'ENUM'
            ORDER BY c.table_name, c.ordinal_position, e.value_ordinal
            """;

    private final Set<List<String>> generated = new HashSet<>();
    private final Map<List<String>, Labels> labels = new HashMap<>();
    private final Map<String, List<Reference>> references = new HashMap<>();

    private Details() {}

    static Details read(Connection connection, Schema schema) throws SQLException {
        Details details = new Details();
        if (schema.tables().isEmpty()) {
            return details;
        }
        DatabaseMetaData metadata = connection.getMetaData();
        String name = schema.tables().getFirst().schema();
        // MariaDB and MySQL call their databases catalogs.
        boolean inCatalogs = !metadata.supportsSchemasInTableDefinitions();
        Place place = new Place(inCatalogs ? name : null, inCatalogs ? null : name);
        details.readGenerated(metadata, place);
        for (Table table : schema.tables()) {
            if (!table.view()) {
                details.references.put(table.name(), references(metadata, place, table.name()));
            }
        }
        switch (metadata.getDatabaseProductName().toLowerCase(Locale.ROOT)) {
            case "postgresql" -> details.readLabels(connection, POSTGRESQL_ENUMS, name);
            case "h2" -> details.readLabels(connection, H2_ENUMS, name);
            default -> {}
        }
        return details;
    }

    private record Place(@Nullable String catalog, @Nullable String schema) {}

    private void readGenerated(DatabaseMetaData metadata, Place place) throws SQLException {
        String escape = metadata.getSearchStringEscape();
        String schema = place.schema();
        String pattern =
                schema == null || escape == null || escape.isEmpty()
                        ? schema
                        : schema.replace(escape, escape + escape)
                                .replace("_", escape + "_")
                                .replace("%", escape + "%");
        try (ResultSet row = metadata.getColumns(place.catalog(), pattern, "%", "%")) {
            while (row.next()) {
                if ("YES".equals(row.getString("IS_GENERATEDCOLUMN"))) {
                    generated.add(
                            List.of(row.getString("TABLE_NAME"), row.getString("COLUMN_NAME")));
                }
            }
        }
    }

    /** One column of a foreign key. */
    private record Part(String key, short position, String column, String table, String target) {}

    private static List<Reference> references(DatabaseMetaData metadata, Place place, String table)
            throws SQLException {
        List<Part> parts = new ArrayList<>();
        try (ResultSet row = metadata.getImportedKeys(place.catalog(), place.schema(), table)) {
            while (row.next()) {
                boolean elsewhere =
                        place.catalog() != null
                                ? !place.catalog().equalsIgnoreCase(row.getString("PKTABLE_CAT"))
                                : place.schema() != null
                                        && !place.schema().equals(row.getString("PKTABLE_SCHEM"));
                if (!elsewhere) {
                    parts.add(
                            new Part(
                                    String.valueOf(row.getString("FK_NAME")),
                                    row.getShort("KEY_SEQ"),
                                    row.getString("FKCOLUMN_NAME"),
                                    row.getString("PKTABLE_NAME"),
                                    row.getString("PKCOLUMN_NAME")));
                }
            }
        }
        Map<String, List<Part>> keys = new TreeMap<>();
        parts.forEach(part ->
                keys.computeIfAbsent(part.key() + "\0" + part.table(), _ -> new ArrayList<>())
                        .add(part));
        List<Reference> references = new ArrayList<>();
        for (List<Part> key : keys.values()) {
            key.sort(Comparator.comparingInt(Part::position));
            references.add(
                    new Reference(
                            key.stream().map(Part::column).toList(),
                            key.getFirst().table(),
                            key.stream().map(Part::target).toList(),
                            "",
                            ""));
        }
        // Names of keys may be made by the database, and then differ from one to the next.
        references.sort(
                Comparator.comparing((Reference r) -> String.join("\0", r.columns()))
                        .thenComparing(Reference::table));
        return references;
    }

    private void readLabels(Connection connection, String sql, @Nullable String schema)
            throws SQLException {
        Map<List<String>, List<String>> texts = new HashMap<>();
        Map<List<String>, String> types = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, schema);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    List<String> column = List.of(row.getString(1), row.getString(2));
                    String type = row.getString(3);
                    types.put(column, type == null ? "" : type);
                    texts.computeIfAbsent(column, _ -> new ArrayList<>()).add(row.getString(4));
                }
            }
        }
        texts.forEach((column, all) ->
                labels.put(column, Labels.of(types.getOrDefault(column, ""), all)));
    }

    boolean isGenerated(String table, String column) {
        return generated.contains(List.of(table, column));
    }

    List<Reference> references(String table) {
        return references.getOrDefault(table, List.of());
    }

    /** The enum that a column is; null where it is none. */
    @Nullable Labels labels(String table, Column column) {
        Labels found = labels.get(List.of(table, column.name()));
        if (found != null || column.type() != ColumnType.TEXT) {
            return found;
        }
        String type = column.databaseType();
        return type.regionMatches(true, 0, "enum(", 0, 5)
                ? Labels.of("", quoted(type.substring(5)))
                : null;
    }

    /** The texts in a list like {@code 'a','it''s')}, as MariaDB shows an enum. */
    private static List<String> quoted(String list) {
        List<String> texts = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        boolean inside = false;
        for (int i = 0; i < list.length(); i++) {
            char c = list.charAt(i);
            if (c != '\'') {
                if (inside) {
                    text.append(c);
                }
            } else if (inside && i + 1 < list.length() && list.charAt(i + 1) == '\'') {
                text.append('\'');
                i++;
            } else {
                if (inside) {
                    texts.add(text.toString());
                    text.setLength(0);
                }
                inside = !inside;
            }
        }
        return texts;
    }
}
