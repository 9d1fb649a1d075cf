package dev.penstock.query.sql;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Table;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the tables, views, materialized views, partitioned and foreign tables of a PostgreSQL schema from its catalog. */
final class PostgreSqlSchema {
    private static final Set<String> EXACT_COLLATIONS =
            Set.of("C", "POSIX", "ucs_basic", "pg_c_utf8", "pg_unicode_fast");

    /**
     * Whether the database's own collation orders by code point. It has a provider from PostgreSQL 15; a built-in one always does.
     */
    private static final String DEFAULT_IS_EXACT =
            """
            SELECT CASE to_jsonb(d) ->> 'datlocprovider'
                   WHEN 'b' THEN true WHEN 'i' THEN false
                   ELSE d.datcollate IN ('C', 'POSIX') END
            FROM pg_catalog.pg_database d WHERE d.datname = current_database()
            """;

    private static final String COLUMNS =
            """
            WITH RECURSIVE base AS (
              SELECT oid AS type, oid AS base, -1 AS typmod FROM pg_catalog.pg_type WHERE typtype <> 'd'
              UNION ALL
              SELECT d.oid, b.base, CASE WHEN d.typtypmod >= 0 THEN d.typtypmod ELSE b.typmod END
              FROM pg_catalog.pg_type d JOIN base b ON d.typbasetype = b.type WHERE d.typtype = 'd'
            )
            SELECT n.nspname, c.relname, c.relkind IN ('v', 'm') AS is_view, a.attname, a.attnotnull,
                   pg_catalog.format_type(a.atttypid, a.atttypmod) AS shown, t.typname, t.typtype,
                   (SELECT quote_ident(tn.nspname) || '.' || quote_ident(t.typname)
                    FROM pg_catalog.pg_namespace tn WHERE tn.oid = t.typnamespace) AS base_type,
                   CASE WHEN t.typtype = 'e' AND t.oid = a.atttypid AND has_schema_privilege(t.typnamespace, 'USAGE') THEN array(
                     SELECT e.enumlabel::text FROM pg_catalog.pg_enum e WHERE e.enumtypid = t.oid) END AS labels,
                   CASE WHEN a.atttypmod >= 0 THEN a.atttypmod ELSE b.typmod END AS typmod,
                   CASE WHEN l.collnamespace = 'pg_catalog'::regnamespace THEN l.collname END AS collation,
                   coalesce(l.collisdeterministic, true) AS deterministic,
                   (SELECT array_position(i.indkey::int2[], a.attnum) FROM pg_catalog.pg_index i
                    WHERE i.indrelid = c.oid AND i.indisprimary
                      AND array_position(i.indkey::int2[], a.attnum) < i.indnkeyatts) AS key_position
            FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            JOIN base b ON b.type = a.atttypid
            JOIN pg_catalog.pg_type t ON t.oid = b.base
            LEFT JOIN pg_catalog.pg_collation l ON l.oid = a.attcollation
            WHERE n.nspname = coalesce(?::text, current_schema()::text)
              AND c.relkind IN ('r', 'v', 'm', 'p', 'f') AND NOT c.relispartition
            ORDER BY c.relname COLLATE "C", a.attnum
            """;

    private final Dialect dialect;
    private boolean defaultIsExact;

    PostgreSqlSchema(Dialect dialect) {
        this.dialect = dialect;
    }

    List<SqlTable> read(Connection connection, @Nullable String schema) throws SQLException {
        Map<String, List<SqlColumn>> columns = new LinkedHashMap<>();
        Map<String, String[]> keys = new LinkedHashMap<>();
        Map<String, Boolean> views = new LinkedHashMap<>();
        String found = schema;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(DEFAULT_IS_EXACT)) {
            defaultIsExact = row.next() && row.getBoolean(1);
        }
        try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
            statement.setString(1, schema);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    found = row.getString(1);
                    String table = row.getString(2);
                    views.put(table, row.getBoolean(3));
                    columns.computeIfAbsent(table, _ -> new ArrayList<>()).add(column(row));
                    int position = row.getInt("key_position");
                    if (!row.wasNull()) {
                        // Positions in an int2vector count from 0; columns that are only INCLUDEd
                        // come last.
                        keys.computeIfAbsent(table, _ -> new String[64])[position] =
                                row.getString(4);
                    }
                }
            }
        }
        List<SqlTable> tables = new ArrayList<>();
        for (Map.Entry<String, List<SqlColumn>> entry : columns.entrySet()) {
            String name = entry.getKey();
            List<String> key = new ArrayList<>();
            for (String part : keys.getOrDefault(name, new String[0])) {
                if (part != null) {
                    key.add(part);
                }
            }
            List<Column> shown = entry.getValue().stream().map(SqlColumn::column).toList();
            Table table = new Table(found, name, shown, key, Boolean.TRUE.equals(views.get(name)));
            tables.add(new SqlTable(table, dialect.table(found, name), entry.getValue()));
        }
        return tables;
    }

    private SqlColumn column(ResultSet row) throws SQLException {
        String base = row.getString("typname");
        boolean isEnum = "e".equals(row.getString("typtype"));
        int typmod = row.getInt("typmod");
        ColumnType type = isEnum ? ColumnType.TEXT : type(base);
        Column column =
                new Column(
                        row.getString("attname"),
                        type,
                        row.getString("shown"),
                        !row.getBoolean("attnotnull"),
                        isEnum ? 4 * 63 : maxBytes(type, base, typmod));
        String name = dialect.column(column.name());
        return switch (type) {
            case TEXT -> isEnum ? enumeration(column, name, row) : text(column, name, base, row);
            case JSON, OTHER -> asText(column, name);
            case DECIMAL ->
                    base.equals("money")
                            ? SqlColumn.plain(column, name, "?::numeric", "")
                                    .withValue(name + "::numeric")
                                    .withComparable(name + "::numeric", "?::numeric")
                            : SqlColumn.plain(column, name, "?::numeric", "");
            case BINARY -> SqlColumn.plain(column, name, "?::bytea", "octet_length(" + name + ")");
            case LONG ->
                    SqlColumn.plain(
                            column, name, "?::" + (base.equals("oid") ? "oid" : "int8"), "");
            case INT -> SqlColumn.plain(column, name, "?::int4", "");
            case BOOLEAN -> SqlColumn.plain(column, name, "?::bool", "");
            case FLOAT -> SqlColumn.plain(column, name, "?::float4", "");
            case DOUBLE -> SqlColumn.plain(column, name, "?::float8", "");
            case DATE, TIME, TIMESTAMP, UUID -> SqlColumn.plain(column, name, "?::" + base, "");
            case TIMESTAMP_UTC -> SqlColumn.plain(column, name, "?::timestamptz", "");
        };
    }

    private SqlColumn asText(Column column, String name) {
        String text = "(" + name + ")::text";
        // Some types' casts to text say more than their output (inet's mask): one of the two for
        // all.
        return SqlColumn.plain(column, name, "?::text", "octet_length(" + text + ")")
                .withValue(text)
                .withComparable(text + " COLLATE \"C\"", "?::text")
                .withText(text);
    }

    /**
     * Values of an enum are equal where their labels are; they are ordered as the type was declared. A domain over one has no equality, and a type
     * that may not be named is no use.
     */
    private SqlColumn enumeration(Column column, String name, ResultSet row) throws SQLException {
        Array array = row.getArray("labels");
        if (array == null) {
            return asText(column, name);
        }
        String parameter = "?::" + row.getString("base_type");
        List<String> labels = List.of((String[]) array.getArray());
        return asText(column, name)
                .withEquality(new SqlColumn.Equality(name, parameter, true, labels));
    }

    private SqlColumn text(Column column, String name, String base, ResultSet row)
            throws SQLException {
        boolean isText = base.equals("text") || base.equals("varchar");
        if (!isText && !base.equals("bpchar")) {
            return asText(column, name);
        }
        String collation = row.getString("collation");
        boolean deterministic = row.getBoolean("deterministic");
        boolean exact =
                collation != null
                        && (EXACT_COLLATIONS.contains(collation)
                                || (defaultIsExact && collation.equals("default")))
                        && deterministic;
        String length = "octet_length(" + name + ")";
        if (isText && exact) {
            return SqlColumn.plain(column, name, "?::text", length).withText(name);
        }
        String text = isText ? name : "(" + name + ")::text";
        // A collation of its own meaning has no LIKE before PostgreSQL 18, and after that one of
        // its own meaning.
        String matched = deterministic ? text : text + " COLLATE \"C\"";
        SqlColumn plain = SqlColumn.plain(column, name, "?::text", length).withText(matched);
        SqlColumn comparable =
                plain.withComparable(text + " COLLATE \"C\"", "?::text")
                        .withEquality(
                                isText
                                        ? new SqlColumn.Equality(
                                                name, "?::text", deterministic, null)
                                        : new SqlColumn.Equality(name, "?::bpchar", false, null));
        return isText ? comparable : comparable.withPadding();
    }

    private static ColumnType type(String base) {
        return switch (base) {
            case "bool" -> ColumnType.BOOLEAN;
            case "int2", "int4" -> ColumnType.INT;
            case "int8", "oid" -> ColumnType.LONG;
            case "numeric", "money" -> ColumnType.DECIMAL;
            case "float4" -> ColumnType.FLOAT;
            case "float8" -> ColumnType.DOUBLE;
            case "text", "varchar", "bpchar", "name", "char", "citext" -> ColumnType.TEXT;
            case "date" -> ColumnType.DATE;
            case "time" -> ColumnType.TIME;
            case "timestamp" -> ColumnType.TIMESTAMP;
            case "timestamptz" -> ColumnType.TIMESTAMP_UTC;
            case "bytea" -> ColumnType.BINARY;
            case "uuid" -> ColumnType.UUID;
            case "json", "jsonb" -> ColumnType.JSON;
            default -> ColumnType.OTHER;
        };
    }

    private static int maxBytes(ColumnType type, String base, int typmod) {
        boolean limited = typmod >= 4;
        return switch (type) {
            case BOOLEAN -> 5;
            case INT -> 11;
            case LONG -> 20;
            case DECIMAL -> limited ? ((typmod - 4) >> 16 & 0xffff) + 4 : 147_458;
            case FLOAT -> 15;
            case DOUBLE -> 24;
            case TEXT ->
                    limited && (base.equals("varchar") || base.equals("bpchar"))
                            ? (int) Math.min((typmod - 4) * 4L, Column.UNBOUNDED)
                            : base.equals("name") || base.equals("char") ? 256 : Column.UNBOUNDED;
            case DATE -> 16;
            case TIME -> 16;
            case TIMESTAMP, TIMESTAMP_UTC -> 32;
            case UUID -> 36;
            case BINARY, JSON -> Column.UNBOUNDED;
            case OTHER ->
                    switch (base) {
                        case "interval" -> 96;
                        case "inet", "cidr", "macaddr", "macaddr8", "timetz", "pg_lsn", "tid" -> 64;
                        case "xid", "cid", "xid8", "regclass", "regproc", "regtype", "regrole" ->
                                512;
                        default -> Column.UNBOUNDED;
                    };
        };
    }
}
