package dev.penstock.query.sql.schema;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.NativeType;
import dev.penstock.query.Table;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.SqlColumn;
import dev.penstock.query.sql.statement.SqlTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the tables, views, materialized views, partitioned and foreign tables of a PostgreSQL schema from its
 * catalog.
 */
public final class PostgreSqlSchema {
    private static final Set<String> EXACT_COLLATIONS =
            Set.of("C", "POSIX", "ucs_basic", "pg_c_utf8", "pg_unicode_fast");

    /**
     * Whether the database's own collation orders by code point. It has a provider from PostgreSQL 15; a built-in one
     * always does.
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
              SELECT oid AS type, oid AS base, -1 AS typmod, false AS required
              FROM pg_catalog.pg_type WHERE typtype <> 'd'
              UNION ALL
              SELECT d.oid, b.base, CASE WHEN d.typtypmod >= 0 THEN d.typtypmod ELSE b.typmod END,
                     b.required OR d.typnotnull
              FROM pg_catalog.pg_type d JOIN base b ON d.typbasetype = b.type WHERE d.typtype = 'd'
            ), compared AS (
              SELECT t.oid AS type, bool_or(m.amname = 'btree' AND EXISTS (SELECT FROM pg_catalog.pg_operator p
                       WHERE p.oprname = '<' AND p.oprleft = i.oid AND p.oprright = i.oid)) AS ordered
              FROM pg_catalog.pg_type t
              JOIN pg_catalog.pg_opclass o ON o.opcdefault
              JOIN pg_catalog.pg_am m ON m.oid = o.opcmethod AND m.amname IN ('btree', 'hash')
              JOIN pg_catalog.pg_type i ON i.oid = o.opcintype
              WHERE i.oid = t.oid
                 OR i.typname = CASE t.typtype WHEN 'e' THEN 'anyenum' WHEN 'r' THEN 'anyrange'
                    WHEN 'm' THEN 'anymultirange' WHEN 'c' THEN 'record' END
                 OR EXISTS (SELECT FROM pg_catalog.pg_cast k
                    WHERE k.castsource = t.oid AND k.casttarget = i.oid AND k.castmethod = 'b' AND k.castcontext = 'i')
              GROUP BY t.oid
            )
            SELECT n.nspname, c.relname, c.relkind IN ('v', 'm') AS is_view, a.attname,
                   a.attnotnull OR (b.required AND c.relkind NOT IN ('v', 'm')) AS attnotnull,
                   pg_catalog.format_type(a.atttypid, a.atttypmod) AS shown, t.typname, t.typtype,
                   (SELECT quote_ident(tn.nspname) || '.' || quote_ident(t.typname)
                    FROM pg_catalog.pg_namespace tn WHERE tn.oid = t.typnamespace) AS base_type,
                   has_schema_privilege(t.typnamespace, 'USAGE') AS nameable, t.oid <> a.atttypid AS is_domain,
                   CASE WHEN t.typtype = 'e' THEN array(SELECT e.enumlabel::text FROM pg_catalog.pg_enum e
                     WHERE e.enumtypid = t.oid ORDER BY e.enumsortorder) END AS labels,
                   et.typname AS element, et.typtype AS element_kind,
                   coalesce(k.ordered, ek.ordered) AS ordered,
                   CASE WHEN a.atttypmod >= 0 THEN a.atttypmod ELSE b.typmod END AS typmod,
                   CASE WHEN l.collnamespace = 'pg_catalog'::regnamespace THEN l.collname END AS collation,
                   coalesce(l.collisdeterministic, true) AS deterministic,
                   (SELECT array_position(i.indkey::int2[], a.attnum) FROM pg_catalog.pg_index i
                    WHERE i.indrelid = c.oid AND i.indisprimary
                      AND array_position(i.indkey::int2[], a.attnum) < i.indnkeyatts) AS key_position,
                   c.relkind IN ('r', 'm', 'p') AS addressed
            FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            JOIN base b ON b.type = a.atttypid
            JOIN pg_catalog.pg_type t ON t.oid = b.base
            LEFT JOIN compared k ON k.type = t.oid
            LEFT JOIN pg_catalog.pg_type ae ON ae.oid = t.typelem AND ae.typarray = t.oid
            LEFT JOIN base eb ON eb.type = ae.oid
            LEFT JOIN pg_catalog.pg_type et ON et.oid = eb.base
            LEFT JOIN compared ek ON ek.type = et.oid
            LEFT JOIN pg_catalog.pg_collation l ON l.oid = a.attcollation
            WHERE n.nspname = coalesce(?::text, current_schema()::text)
              AND c.relkind IN ('r', 'v', 'm', 'p', 'f') AND NOT c.relispartition
              AND has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT')
            ORDER BY c.relname COLLATE "C", a.attnum
            """;

    /** Where a row of a table is in its files; another place after each update of it. */
    private static final SqlColumn ROW_ADDRESS =
            SqlColumn.plain(
                            new Column("ctid", ColumnType.TEXT, "tid", false, 32),
                            "t.ctid",
                            "?::text::tid",
                            "")
                    .withValue("t.ctid::text");

    private final Dialect dialect;
    private boolean defaultIsExact;

    public PostgreSqlSchema(Dialect dialect) {
        this.dialect = dialect;
    }

    public List<SqlTable> read(Connection connection, @Nullable String schema) throws SQLException {
        Map<String, List<SqlColumn>> columns = new LinkedHashMap<>();
        Map<String, String[]> keys = new LinkedHashMap<>();
        Map<String, Boolean> views = new LinkedHashMap<>();
        Set<String> addressed = new HashSet<>();
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
                    if (row.getBoolean("addressed")) {
                        addressed.add(table);
                    }
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
            tables.add(
                    new SqlTable(
                            table,
                            dialect.table(found, name),
                            entry.getValue(),
                            addressed.contains(name) ? ROW_ADDRESS : null));
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
                        isEnum ? 4 * 63 : maxBytes(type, base, typmod),
                        nativeType(row, type, base, isEnum));
        String name = dialect.column(column.name());
        return switch (type) {
            case TEXT -> isEnum ? enumeration(column, name, row) : text(column, name, base, row);
            case JSON, OTHER -> withNativeComparison(asText(column, name), row);
            case DECIMAL ->
                    base.equals("money")
                            ? SqlColumn.plain(column, name, "?::numeric", "")
                                    .withValue(name + "::numeric")
                                    .withComparable(name + "::numeric", "?::numeric")
                            : withNativeComparison(
                                    SqlColumn.plain(column, name, "?::numeric", ""), row);
            case BINARY -> SqlColumn.plain(column, name, "?::bytea", "octet_length(" + name + ")");
            case LONG ->
                    SqlColumn.plain(
                            column, name, "?::" + (base.equals("oid") ? "oid" : "int8"), "");
            case INT -> SqlColumn.plain(column, name, "?::int4", "");
            case BOOLEAN -> SqlColumn.plain(column, name, "?::bool", "");
            case FLOAT -> SqlColumn.plain(column, name, "?::float4", "");
            case DOUBLE -> SqlColumn.plain(column, name, "?::float8", "");
            case UUID -> SqlColumn.plain(column, name, "?::uuid", "");
            case DATE, TIME, TIMESTAMP, TIMESTAMP_UTC ->
                    withNativeComparison(SqlColumn.plain(column, name, "?::" + base, ""), row);
        };
    }

    /**
     * Returns how a type compares. PostgreSQL can compare what it has a default operator class for; of an array, this
     * is its elements' type. A few classes have operators of other names than the usual ones: then there is an equality
     * alone.
     */
    private static NativeType nativeType(
            ResultSet row, ColumnType type, String base, boolean isEnum) throws SQLException {
        if (isEnum) {
            List<String> labels = List.of((String[]) row.getArray("labels").getArray());
            return row.getBoolean("nameable")
                    ? NativeType.ofLabels(labels)
                    : new NativeType(NativeType.Comparison.EQUALITY, labels, null);
        }
        if (type != ColumnType.JSON && type != ColumnType.OTHER && !base.equals("citext")) {
            return NativeType.CANONICAL;
        }
        boolean ordered = row.getBoolean("ordered");
        boolean isCompared = !row.wasNull() && row.getBoolean("nameable");
        NativeType.Comparison comparison =
                !isCompared
                        ? NativeType.Comparison.NONE
                        : ordered ? NativeType.Comparison.ORDERED : NativeType.Comparison.EQUALITY;
        String element = row.getString("element");
        // Arrays of boxes are the only ones that are not written with commas.
        if (element == null || element.equals("box")) {
            return NativeType.of(comparison);
        }
        boolean isText = "e".equals(row.getString("element_kind"));
        return NativeType.ofArray(comparison, isText ? ColumnType.TEXT : type(element));
    }

    /**
     * Returns the same column, which compares as its own type does as well. A domain is cast to what it is made of, for
     * operators are looked up by that.
     */
    private static SqlColumn withNativeComparison(SqlColumn column, ResultSet row)
            throws SQLException {
        if (!row.getBoolean("nameable")) {
            return column;
        }
        String type = row.getString("base_type");
        String value =
                row.getBoolean("is_domain") ? "(" + column.name() + ")::" + type : column.name();
        String parameter = "?::text::" + type;
        // SQL says of a row that it is NULL where all its fields are, and is not where none is.
        boolean isRow = "c".equals(row.getString("typtype"));
        return column.withNativeComparison(
                new SqlColumn.NativeComparison(
                        value,
                        parameter,
                        "(" + parameter + ")::text IS NULL",
                        isRow ? "(" + column.name() + ")::text" : null));
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
     * Values of an enum are equal where their labels are; they are ordered as the type was declared. A domain over one
     * has no equality of its own, and a type that may not be named is no use.
     */
    private SqlColumn enumeration(Column column, String name, ResultSet row) throws SQLException {
        SqlColumn compared = withNativeComparison(asText(column, name), row);
        SqlColumn.NativeComparison nativeComparison = compared.nativeComparison();
        if (nativeComparison == null) {
            return compared;
        }
        return compared.withEquality(
                new SqlColumn.Equality(
                        nativeComparison.comparable(),
                        nativeComparison.parameter(),
                        true,
                        column.nativeType().labels()));
    }

    private SqlColumn text(Column column, String name, String base, ResultSet row)
            throws SQLException {
        boolean isText = base.equals("text") || base.equals("varchar");
        if (!isText && !base.equals("bpchar")) {
            SqlColumn plain = asText(column, name);
            return base.equals("citext") ? withNativeComparison(plain, row) : plain;
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
            return SqlColumn.plain(column, name, "?::text", length)
                    .withText(name)
                    .withCollation(collation);
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
