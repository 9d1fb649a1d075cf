package dev.penstock.query.sql.schema;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Table;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.SqlColumn;
import dev.penstock.query.sql.statement.SqlTable;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A reader of the tables and views of a schema through JDBC's own metadata. */
public final class MetadataSchema {
    private final Dialect dialect;

    public MetadataSchema(Dialect dialect) {
        this.dialect = dialect;
    }

    /** A source of the types and the SQL of columns. */
    public interface Columns {
        /** Returns what a type is to the outside. */
        default ColumnType type(int jdbcType, String typeName) {
            return MetadataSchema.type(jdbcType, typeName);
        }

        /** Returns a column with its SQL. */
        SqlColumn column(Column column, int jdbcType, String typeName, int size);
    }

    public List<SqlTable> read(
            Connection connection, @Nullable String catalog, @Nullable String schema, Columns known)
            throws SQLException {
        DatabaseMetaData metadata = connection.getMetaData();
        String name = schema == null ? connection.getSchema() : schema;
        String pattern = name == null ? null : escaped(metadata, name);
        Map<String, Boolean> views = new TreeMap<>();
        try (ResultSet row = metadata.getTables(catalog, pattern, "%", null)) {
            while (row.next()) {
                String type = String.valueOf(row.getString("TABLE_TYPE")).toUpperCase(Locale.ROOT);
                boolean shown = type.contains("TABLE") || type.contains("VIEW");
                if (shown && !type.contains("SYSTEM")) {
                    views.put(row.getString("TABLE_NAME"), type.contains("VIEW"));
                }
            }
        }
        List<SqlTable> tables = new ArrayList<>();
        for (Map.Entry<String, Boolean> entry : views.entrySet()) {
            String table = entry.getKey();
            List<SqlColumn> columns = columns(metadata, catalog, name, table, known);
            List<Column> shown = columns.stream().map(SqlColumn::column).toList();
            List<String> key = key(metadata, catalog, name, table);
            Table outside = new Table(name, table, shown, key, entry.getValue());
            tables.add(new SqlTable(outside, dialect.table(name, table), columns));
        }
        return tables;
    }

    private List<SqlColumn> columns(
            DatabaseMetaData metadata,
            @Nullable String catalog,
            @Nullable String schema,
            String table,
            Columns known)
            throws SQLException {
        List<SqlColumn> columns = new ArrayList<>();
        String pattern = schema == null ? null : escaped(metadata, schema);
        try (ResultSet row = metadata.getColumns(catalog, pattern, escaped(metadata, table), "%")) {
            while (row.next()) {
                if (table.equals(row.getString("TABLE_NAME"))) {
                    columns.add(column(row, known));
                }
            }
        }
        return columns;
    }

    private SqlColumn column(ResultSet row, Columns known) throws SQLException {
        String name = row.getString("COLUMN_NAME");
        int jdbcType = row.getInt("DATA_TYPE");
        String typeName = String.valueOf(row.getString("TYPE_NAME"));
        int size = row.getInt("COLUMN_SIZE");
        boolean nullable = row.getInt("NULLABLE") != DatabaseMetaData.columnNoNulls;
        ColumnType type = known.type(jdbcType, typeName);
        Column column = new Column(name, type, typeName, nullable, maxBytes(type, size));
        return known.column(column, jdbcType, typeName, size);
    }

    private static List<String> key(
            DatabaseMetaData metadata,
            @Nullable String catalog,
            @Nullable String schema,
            String table)
            throws SQLException {
        Map<Short, String> parts = new TreeMap<>();
        try (ResultSet row = metadata.getPrimaryKeys(catalog, schema, table)) {
            while (row.next()) {
                parts.put(row.getShort("KEY_SEQ"), row.getString("COLUMN_NAME"));
            }
        }
        return List.copyOf(parts.values());
    }

    private static String escaped(DatabaseMetaData metadata, String name) throws SQLException {
        String escape = metadata.getSearchStringEscape();
        if (escape == null || escape.isEmpty()) {
            return name;
        }
        return name.replace(escape, escape + escape)
                .replace("_", escape + "_")
                .replace("%", escape + "%");
    }

    /** Returns what a type of JDBC is to the outside. */
    private static ColumnType type(int jdbcType, String typeName) {
        return switch (jdbcType) {
            case Types.BOOLEAN, Types.BIT -> ColumnType.BOOLEAN;
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER -> ColumnType.INT;
            case Types.BIGINT -> ColumnType.LONG;
            case Types.NUMERIC, Types.DECIMAL -> ColumnType.DECIMAL;
            case Types.REAL -> ColumnType.FLOAT;
            case Types.FLOAT, Types.DOUBLE -> ColumnType.DOUBLE;
            case Types.CHAR,
                    Types.VARCHAR,
                    Types.LONGVARCHAR,
                    Types.CLOB,
                    Types.NCHAR,
                    Types.NVARCHAR,
                    Types.LONGNVARCHAR,
                    Types.NCLOB ->
                    ColumnType.TEXT;
            case Types.DATE -> ColumnType.DATE;
            case Types.TIME -> ColumnType.TIME;
            case Types.TIMESTAMP -> ColumnType.TIMESTAMP;
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB ->
                    ColumnType.BINARY;
            default ->
                    typeName.equalsIgnoreCase("json")
                            ? ColumnType.JSON
                            : typeName.equalsIgnoreCase("uuid")
                                    ? ColumnType.UUID
                                    : ColumnType.OTHER;
        };
    }

    private static int maxBytes(ColumnType type, int size) {
        long length = size <= 0 ? Column.UNBOUNDED : size;
        return switch (type) {
            case BOOLEAN -> 5;
            case INT -> 11;
            case LONG -> 20;
            case DECIMAL -> (int) Math.min(length + 3, Column.UNBOUNDED);
            case FLOAT -> 15;
            case DOUBLE -> 24;
            case TEXT -> (int) Math.min(length * 4, Column.UNBOUNDED);
            case DATE -> 17;
            case TIME -> 18;
            case TIMESTAMP, TIMESTAMP_UTC -> 40;
            case BINARY -> (int) Math.min(Math.ceilDiv(length, 3) * 4, Column.UNBOUNDED);
            case UUID -> 36;
            case JSON, OTHER -> Column.UNBOUNDED;
        };
    }
}
