package dev.penstock.query.sql.schema;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Table;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.SqlColumn;
import dev.penstock.query.sql.statement.SqlTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A reader of the tables and views of a MariaDB or MySQL schema. */
public final class MariaDbSchema {
    private static final String COLUMNS =
            """
            SELECT t.table_name, t.table_type, c.column_name, c.data_type, c.column_type, c.is_nullable,
                   c.character_maximum_length, c.character_octet_length, c.numeric_precision,
                   c.character_set_name, c.collation_name
            FROM information_schema.tables t
            JOIN information_schema.columns c ON c.table_schema = t.table_schema AND c.table_name = t.table_name
             AND BINARY c.table_name = BINARY t.table_name
            WHERE t.table_schema = ? AND t.table_type <> 'SEQUENCE'
            ORDER BY BINARY t.table_name, c.ordinal_position
            """;

    private static final Pattern PLAIN =
            Pattern.compile("[!-\\[\\]-~](?:[ -\\[\\]-~]*[!-\\[\\]-~])?");

    private static final String KEYS =
            """
            SELECT table_name, column_name FROM information_schema.statistics
            WHERE table_schema = ? AND index_name = 'PRIMARY' ORDER BY table_name, seq_in_index
            """;

    /** MariaDB's JSON is a text with a check. */
    private static final String JSON_CHECKS =
            "SELECT table_name, check_clause FROM information_schema.check_constraints WHERE constraint_schema = ?";

    private final Dialect dialect;
    private final MariaDbExactText columns;

    public MariaDbSchema(Dialect dialect, MariaDbExactText columns) {
        this.dialect = dialect;
        this.columns = columns;
    }

    public List<SqlTable> read(Connection connection, @Nullable String schema) throws SQLException {
        String name = schema == null ? connection.getCatalog() : schema;
        if (name == null) {
            throw new SQLException("the JDBC URL names no database; add one, or name a schema");
        }
        Map<String, List<String>> keys = new HashMap<>();
        pairs(connection, KEYS, name)
                .forEach(p -> keys.computeIfAbsent(p[0], _ -> new ArrayList<>()).add(p[1]));
        Set<String> json = jsonChecks(connection, name);
        Map<String, List<SqlColumn>> found = new LinkedHashMap<>();
        Set<String> views = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    String table = row.getString(1);
                    if (isOfView(row)) {
                        views.add(table);
                    }
                    String check = table + ":json_valid(" + dialect.quote(row.getString(3)) + ")";
                    found.computeIfAbsent(table, _ -> new ArrayList<>())
                            .add(column(row, json.contains(check)));
                }
            }
        }
        List<SqlTable> tables = new ArrayList<>();
        found.forEach((table, list) -> {
            List<Column> shown = list.stream().map(SqlColumn::column).toList();
            List<String> key = keys.getOrDefault(table, List.of());
            Table outside = new Table(name, table, shown, key, views.contains(table));
            tables.add(new SqlTable(outside, dialect.table(name, table), list));
        });
        return tables;
    }

    private static Set<String> jsonChecks(Connection connection, String schema) {
        Set<String> checks = new HashSet<>();
        try {
            pairs(connection, JSON_CHECKS, schema).forEach(p -> checks.add(p[0] + ":" + p[1]));
        } catch (SQLException e) {
            // MySQL's table of checks has other columns; it has a type for JSON.
        }
        return checks;
    }

    private static List<String[]> pairs(Connection connection, String sql, String schema)
            throws SQLException {
        List<String[]> pairs = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, schema);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    pairs.add(new String[] {row.getString(1), row.getString(2)});
                }
            }
        }
        return pairs;
    }

    private static boolean isOfView(ResultSet row) throws SQLException {
        return row.getString(2).endsWith("VIEW");
    }

    private SqlColumn column(ResultSet row, boolean isJson) throws SQLException {
        String dataType = row.getString("data_type").toLowerCase(Locale.ROOT);
        String shown = row.getString("column_type");
        int precision = row.getInt("numeric_precision");
        ColumnType type = isJson ? ColumnType.JSON : type(dataType, shown);
        Column column =
                new Column(
                        row.getString("column_name"),
                        type,
                        isJson ? "json" : shown,
                        "YES".equals(row.getString("is_nullable")),
                        maxBytes(type, characters(row), precision),
                        MariaDbValues.nativeType(type, dataType, shown));
        return MariaDbValues.withNativeComparison(
                switch (type) {
                    case TEXT -> text(column, dataType, row);
                    default -> expressions(column, dataType, shown);
                },
                dataType,
                isOfView(row));
    }

    /**
     * Returns how many characters a text may have, which its characters and its bytes in its own character set bound.
     */
    private static long characters(ResultSet row) throws SQLException {
        long characters = row.getLong("character_maximum_length");
        String set = row.getString("character_set_name");
        return set != null && set.startsWith("utf8")
                ? Math.min(characters, row.getLong("character_octet_length") / 4 + 1)
                : characters;
    }

    private SqlColumn text(Column column, String dataType, ResultSet row) throws SQLException {
        String name = dialect.column(column.name());
        SqlColumn plain = SqlColumn.plain(column, name, "?", "OCTET_LENGTH(" + name + ")");
        List<String> labels = dataType.equals("enum") ? labels(column.databaseType()) : List.of();
        if (!labels.isEmpty()) {
            return MariaDbExactText.bytes(plain, name)
                    .withEquality(new SqlColumn.Equality(name, "?", true, labels));
        }
        String collation = row.getString("collation_name");
        // Such are ordered by their places in the declaration, whatever their collation.
        boolean isDeclared = dataType.equals("enum") || dataType.equals("set");
        if (columns.exactCollation().equals(collation) && !isDeclared) {
            return plain.withText(name);
        }
        String set = row.getString("character_set_name");
        if ("utf8mb4".equals(set)) {
            return columns.exact(plain, name)
                    .withEquality(new SqlColumn.Equality(name, "?", false, null));
        }
        // What the character set lacks is an error in a comparison, and becomes another character
        // here.
        String parameter = "CONVERT(? USING %s) COLLATE %s".formatted(set, collation);
        return MariaDbExactText.bytes(plain, name)
                .withEquality(new SqlColumn.Equality(name, parameter, false, null));
    }

    /** Returns the values of an enum's declaration, where each is equal to itself alone in any collation; else none. */
    private static List<String> labels(String declaration) {
        List<String> labels = MariaDbValues.labels(declaration);
        Set<String> different = new HashSet<>();
        boolean plain =
                labels.stream()
                        .allMatch(text ->
                                PLAIN.matcher(text).matches()
                                        && different.add(text.toLowerCase(Locale.ROOT)));
        return plain ? labels : List.of();
    }

    private SqlColumn expressions(Column column, String dataType, String shown) {
        String name = dialect.column(column.name());
        String text = "CAST(" + name + " AS CHAR)";
        boolean zerofill = shown.contains("zerofill");
        SqlColumn plain = SqlColumn.plain(column, name, "?", "");
        SqlColumn.Equality wider = new SqlColumn.Equality(name, "?", false, null);
        return switch (column.type()) {
            case BOOLEAN ->
                    plain.withValue("(" + name + " <> 0)")
                            .withComparable("(" + name + " <> 0)", "?");
            case INT, LONG ->
                    dataType.equals("bit") || dataType.equals("year")
                            ? plain.withValue("(" + name + " + 0)")
                                    .withComparable("(" + name + " + 0)", "?")
                            : plain;
            // A float is shown with six digits; as a double it is exact. A sum would lose the sign
            // of
            // -0.0.
            case FLOAT ->
                    plain.withValue("(" + name + " * 1e0)")
                            .withComparable("(" + name + " + 0e0)", "?");
            case DOUBLE -> plain;
            case DECIMAL ->
                    dataType.equals("bit") || zerofill
                            ? plain.withValue("CAST((" + name + " + 0) AS CHAR)")
                            : plain;
            case DATE ->
                    plain.withValue(columns.spellsDays() ? name : text)
                            .withComparable(name, "CAST(? AS DATE)");
            case TIME -> plain.withValue(text).withComparable(name, "CAST(? AS TIME(6))");
            // The drivers take it for a time of the JVM's zone, whose clocks leave out an hour.
            case TIMESTAMP, TIMESTAMP_UTC ->
                    plain.withValue(text).withComparable(name, "CAST(? AS DATETIME(6))");
            case BINARY -> SqlColumn.plain(column, name, "?", "OCTET_LENGTH(" + name + ")");
            case UUID -> MariaDbExactText.bytes(plain.withValue(text), text).withEquality(wider);
            case TEXT, JSON -> {
                SqlColumn exact =
                        MariaDbExactText.bytes(
                                SqlColumn.plain(column, name, "?", "OCTET_LENGTH(" + name + ")"),
                                name);
                // MySQL's own JSON is never equal to a text; MariaDB's is one.
                yield dataType.equals("json") ? exact : exact.withEquality(wider);
            }
            case OTHER -> {
                String spelled = isGeometry(dataType) ? "ST_AsText(" + name + ")" : text;
                String length = "OCTET_LENGTH(" + spelled + ")";
                yield MariaDbExactText.bytes(
                        SqlColumn.plain(column, name, "?", length).withValue(spelled), spelled);
            }
        };
    }

    static boolean isGeometry(String dataType) {
        return switch (dataType) {
            case "geometry",
                    "point",
                    "linestring",
                    "polygon",
                    "multipoint",
                    "multilinestring",
                    "multipolygon",
                    "geometrycollection",
                    "geomcollection" ->
                    true;
            default -> false;
        };
    }

    private static ColumnType type(String dataType, String shown) {
        boolean unsigned = shown.contains("unsigned");
        return switch (dataType) {
            case "tinyint" -> shown.startsWith("tinyint(1)") ? ColumnType.BOOLEAN : ColumnType.INT;
            case "bit" ->
                    shown.equals("bit(1)")
                            ? ColumnType.BOOLEAN
                            : shown.equals("bit(64)") ? ColumnType.DECIMAL : ColumnType.LONG;
            case "smallint", "mediumint", "year" -> ColumnType.INT;
            case "int" -> unsigned ? ColumnType.LONG : ColumnType.INT;
            case "bigint" -> unsigned ? ColumnType.DECIMAL : ColumnType.LONG;
            case "decimal" -> ColumnType.DECIMAL;
            case "float" -> ColumnType.FLOAT;
            case "double" -> ColumnType.DOUBLE;
            case "char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set" ->
                    ColumnType.TEXT;
            case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob" ->
                    ColumnType.BINARY;
            case "date" -> ColumnType.DATE;
            case "time" -> ColumnType.TIME;
            case "datetime" -> ColumnType.TIMESTAMP;
            case "timestamp" -> ColumnType.TIMESTAMP_UTC;
            case "uuid" -> ColumnType.UUID;
            case "json" -> ColumnType.JSON;
            default -> ColumnType.OTHER;
        };
    }

    private static int maxBytes(ColumnType type, long characters, int precision) {
        return switch (type) {
            case BOOLEAN -> 5;
            case INT -> 11;
            case LONG, DECIMAL -> Math.max(precision, 20) + 3;
            case FLOAT -> 15;
            case DOUBLE -> 24;
            case TEXT, JSON -> Math.clamp(characters * 4, 1, Column.UNBOUNDED);
            case BINARY -> Math.clamp(Math.ceilDiv(characters, 3) * 4, 1, Column.UNBOUNDED);
            case DATE -> 10;
            case TIME -> 17;
            case TIMESTAMP, TIMESTAMP_UTC -> 27;
            case UUID -> 36;
            case OTHER -> Column.UNBOUNDED;
        };
    }
}
