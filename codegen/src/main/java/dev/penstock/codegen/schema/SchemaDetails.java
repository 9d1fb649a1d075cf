package dev.penstock.codegen.schema;

import dev.penstock.codegen.naming.JavadocText;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a schema that a generator needs beyond those of a query:
 * foreign keys, generated columns, labels of enums, comments.
 */
final class SchemaDetails {
    private static final String POSTGRESQL_ENUMS =
            """
            WITH RECURSIVE base AS (
              SELECT oid AS type, oid AS base FROM pg_catalog.pg_type WHERE typtype <> 'd'
              UNION ALL
              SELECT d.oid, b.base FROM pg_catalog.pg_type d JOIN base b ON d.typbasetype = b.type WHERE d.typtype = 'd'
            )
            SELECT c.relname, a.attname, tn.nspname, t.typname, e.enumlabel
            FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            JOIN base b ON b.type = a.atttypid
            JOIN pg_catalog.pg_type t ON t.oid = b.base
            JOIN pg_catalog.pg_namespace tn ON tn.oid = t.typnamespace
            JOIN pg_catalog.pg_enum e ON e.enumtypid = t.oid
            WHERE n.nspname = ? ORDER BY c.relname, a.attnum, e.enumsortorder
            """;
    private static final String POSTGRESQL_GENERATED =
            """
            SELECT c.relname, a.attname
            FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            WHERE n.nspname = ? AND a.attgenerated <> ''
            """;

    /** Foreign keys that PostgreSQL makes of others, to each partition of the table that these refer to. */
    private static final String POSTGRESQL_PARTITION_KEYS =
            """
            SELECT c.relname, k.conname
            FROM pg_catalog.pg_constraint k
            JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = ? AND k.contype = 'f' AND k.conparentid <> 0
            """;

    private static final String POSTGRESQL_COMMENTS =
            """
            SELECT c.relname, a.attname, left(d.description, ?)
            FROM pg_catalog.pg_description d
            JOIN pg_catalog.pg_class c ON c.oid = d.objoid
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.objsubid AND a.attnum > 0
            WHERE d.classoid = 'pg_catalog.pg_class'::regclass AND n.nspname = ?
            """;
    private static final String H2_ENUMS =
            """
            SELECT c.table_name, c.column_name, c.domain_schema, c.domain_name, e.value_name
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
    private final Set<List<String>> partitionKeys = new HashSet<>();
    private final Map<List<String>, String> comments = new HashMap<>();
    private final List<String> leftOut = new ArrayList<>();

    private SchemaDetails() {}

    static SchemaDetails read(Connection connection, Schema schema) throws SQLException {
        SchemaDetails details = new SchemaDetails();
        if (schema.tables().isEmpty()) {
            return details;
        }
        DatabaseMetaData metadata = connection.getMetaData();
        String name = schema.tables().getFirst().schema();
        // MariaDB and MySQL call their databases catalogs.
        boolean inCatalogs = !metadata.supportsSchemasInTableDefinitions();
        Place place = new Place(inCatalogs ? name : null, inCatalogs ? null : name);
        String product = metadata.getDatabaseProductName().toLowerCase(Locale.ROOT);
        if (product.equals("postgresql")) {
            readPairs(connection, POSTGRESQL_PARTITION_KEYS, name, details.partitionKeys);
        }
        for (Table table : schema.tables()) {
            if (!table.view()) {
                details.references.put(
                        table.name(), details.readReferences(metadata, place, table.name()));
            }
        }
        switch (product) {
            case "postgresql" -> {
                // Its driver takes seconds to find every column of a new database.
                readPairs(connection, POSTGRESQL_GENERATED, name, details.generated);
                details.readComments(connection, name);
                details.readLabels(connection, POSTGRESQL_ENUMS, name);
            }
            case "h2" -> {
                details.readColumns(metadata, place);
                details.readComments(metadata, place);
                details.readLabels(connection, H2_ENUMS, name);
            }
            default -> {
                details.readColumns(metadata, place);
                details.readComments(metadata, place);
            }
        }
        return details;
    }

    private record Place(@Nullable String catalog, @Nullable String schema) {
        /** The schema's name as a pattern of {@link DatabaseMetaData} that matches it alone. */
        @Nullable String pattern(DatabaseMetaData metadata) throws SQLException {
            String escape = metadata.getSearchStringEscape();
            return schema == null || escape == null || escape.isEmpty()
                    ? schema
                    : schema.replace(escape, escape + escape)
                            .replace("_", escape + "_")
                            .replace("%", escape + "%");
        }

        /** The schema of the table that a foreign key refers to; null where that is this one. */
        @Nullable String other(ResultSet key) throws SQLException {
            String there = key.getString(catalog != null ? "PKTABLE_CAT" : "PKTABLE_SCHEM");
            boolean here =
                    catalog != null
                            ? catalog.equalsIgnoreCase(there)
                            : schema == null || schema.equals(there);
            return here ? null : there;
        }
    }

    private static void readPairs(
            Connection connection, String sql, @Nullable String schema, Set<List<String>> pairs)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, schema);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    pairs.add(List.of(row.getString(1), row.getString(2)));
                }
            }
        }
    }

    private void readComments(Connection connection, @Nullable String schema) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(POSTGRESQL_COMMENTS)) {
            statement.setInt(1, JavadocText.MAX_CHARACTERS + 1);
            statement.setString(2, schema);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    String column = row.getString(2);
                    String table = row.getString(1);
                    comments.put(
                            column == null ? List.of(table) : List.of(table, column),
                            row.getString(3));
                }
            }
        }
    }

    /** Which columns are generated, and the comments of all. */
    private void readColumns(DatabaseMetaData metadata, Place place) throws SQLException {
        try (ResultSet row =
                metadata.getColumns(place.catalog(), place.pattern(metadata), "%", "%")) {
            while (row.next()) {
                List<String> column =
                        List.of(row.getString("TABLE_NAME"), row.getString("COLUMN_NAME"));
                String comment = row.getString("REMARKS");
                if ("YES".equals(row.getString("IS_GENERATEDCOLUMN"))) {
                    generated.add(column);
                }
                if (comment != null) {
                    comments.put(column, comment);
                }
            }
        }
    }

    private void readComments(DatabaseMetaData metadata, Place place) throws SQLException {
        try (ResultSet row =
                metadata.getTables(place.catalog(), place.pattern(metadata), "%", null)) {
            while (row.next()) {
                String comment = row.getString("REMARKS");
                if (comment != null) {
                    comments.put(List.of(row.getString("TABLE_NAME")), comment);
                }
            }
        }
    }

    /** One column of a foreign key. */
    private record Part(String key, short position, String column, String table, String target) {}

    private List<Reference> readReferences(DatabaseMetaData metadata, Place place, String table)
            throws SQLException {
        List<Part> parts = new ArrayList<>();
        try (ResultSet row = metadata.getImportedKeys(place.catalog(), place.schema(), table)) {
            while (row.next()) {
                String key = String.valueOf(row.getString("FK_NAME"));
                if (partitionKeys.contains(List.of(table, key))) {
                    continue;
                }
                String column = row.getString("FKCOLUMN_NAME");
                String target = row.getString("PKTABLE_NAME");
                String elsewhere = place.other(row);
                if (elsewhere == null) {
                    parts.add(
                            new Part(
                                    key,
                                    row.getShort("KEY_SEQ"),
                                    column,
                                    target,
                                    row.getString("PKCOLUMN_NAME")));
                } else {
                    leftOut.add(
                            "the foreign key of "
                                    + table
                                    + "."
                                    + column
                                    + " to "
                                    + elsewhere
                                    + "."
                                    + target
                                    + ", which is in another schema");
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
        Map<List<String>, List<String>> texts = new LinkedHashMap<>();
        Map<List<String>, List<String>> types = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, schema);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    List<String> column = List.of(row.getString(1), row.getString(2));
                    if (row.getString(4) != null) {
                        types.put(column, List.of(row.getString(3), row.getString(4)));
                    }
                    texts.computeIfAbsent(column, _ -> new ArrayList<>()).add(row.getString(5));
                }
            }
        }
        Set<List<String>> distinct = new HashSet<>(types.values());
        texts.forEach((column, all) -> {
            List<String> type = types.get(column);
            labels.put(column, Labels.of(type == null ? "" : name(type, distinct, schema), all));
        });
    }

    /** The name of an enum, with its schema before it where another schema's enum has the same name. */
    private static String name(List<String> type, Set<List<String>> all, @Nullable String schema) {
        String name = type.getLast();
        boolean only = all.stream().filter(each -> each.getLast().equals(name)).count() == 1;
        return only || type.getFirst().equals(schema) ? name : type.getFirst() + "." + name;
    }

    /** What is not generated though the database has it, each as a part of a sentence. */
    List<String> leftOut() {
        return List.copyOf(leftOut);
    }

    boolean isGenerated(String table, String column) {
        return generated.contains(List.of(table, column));
    }

    /** The comment of a table or view; empty where it has none. */
    String comment(Table table) {
        String comment = comments.getOrDefault(List.of(table.name()), "");
        // MariaDB and MySQL say so of each view, which can't have a comment there.
        return table.view() && comment.equals("VIEW") ? "" : comment;
    }

    /** The comment of a column; empty where it has none. */
    String comment(Table table, Column column) {
        return comments.getOrDefault(List.of(table.name(), column.name()), "");
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
        if (!type.regionMatches(true, 0, "enum(", 0, 5)) {
            return null;
        }
        List<String> texts = quoted(type.substring(5));
        // MariaDB lets labels repeat, outside of its strict mode.
        boolean distinct = new HashSet<>(texts).size() == texts.size();
        return distinct ? Labels.of("", texts) : null;
    }

    /** The texts in a list like {@code 'a','it''s','a\\b')}, as MariaDB shows an enum. */
    private static List<String> quoted(String list) {
        List<String> texts = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        boolean inside = false;
        for (int i = 0; i < list.length(); i++) {
            char c = list.charAt(i);
            if (c == '\\' && inside && i + 1 < list.length()) {
                text.append(unescaped(list.charAt(++i)));
            } else if (c != '\'') {
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

    private static char unescaped(char escaped) {
        return switch (escaped) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case '0' -> '\0';
            default -> escaped;
        };
    }
}
