package dev.penstock.query.sql.schema;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.SqlColumn;
import dev.penstock.query.sql.statement.SqlTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reader of an H2 schema, with the expressions by which its columns are read and compared. */
public record H2Schema(Dialect dialect) implements MetadataSchema.Columns {
    public static final String BYTES = "CAST(CAST(? AS VARCHAR) AS VARBINARY)";

    public List<SqlTable> read(Connection connection, @Nullable String schema) throws SQLException {
        return new MetadataSchema(dialect).read(connection, null, schema, this);
    }

    @Override
    public ColumnType type(int jdbcType, String typeName) {
        return H2Type.columnType(jdbcType, typeName);
    }

    @Override
    public SqlColumn column(Column read, int jdbcType, String typeName, int size) {
        H2Type type = H2Type.of(typeName, read.type());
        Column column = read.of(type.nativeType());
        String name = dialect.column(column.name());
        SqlColumn canonical = canonical(column, name, typeName, type);
        return type.parameter().isEmpty()
                ? canonical
                : canonical.withNativeComparison(
                        new SqlColumn.NativeComparison(
                                name, type.parameter(), type.parameter() + " IS NULL"));
    }

    private static SqlColumn canonical(Column column, String name, String typeName, H2Type type) {
        String text = "CAST(" + (type.isJsonArray() ? json(name) : name) + " AS VARCHAR)";
        SqlColumn plain = SqlColumn.plain(column, name, "?", "");
        return switch (column.type()) {
            case BOOLEAN, INT, LONG, DECIMAL, FLOAT, DOUBLE, DATE, TIME, TIMESTAMP, UUID -> plain;
            case TIMESTAMP_UTC -> plain.withValue("(" + name + " AT TIME ZONE 'UTC')");
            case BINARY -> SqlColumn.plain(column, name, "?", "OCTET_LENGTH(" + name + ")");
            case TEXT -> {
                boolean isPlain = typeName.startsWith("CHARACTER VARYING");
                boolean isFixed = typeName.equals("CHARACTER") || typeName.equals("CHAR");
                boolean isLarge = typeName.startsWith("CHARACTER LARGE");
                boolean isEnum = typeName.startsWith("ENUM");
                String value = isEnum ? text : name;
                SqlColumn sized =
                        SqlColumn.plain(column, name, "?", "(3 * CHAR_LENGTH(" + value + "))")
                                .withValue(value);
                String compared = isFixed ? "RTRIM(" + text + ")" : isPlain ? name : text;
                SqlColumn exact = exact(sized, compared);
                SqlColumn.Equality wider = new SqlColumn.Equality(name, "?", false, null);
                yield isFixed
                        ? exact.withPadding().withEquality(wider)
                        : isLarge || isEnum ? exact : exact.withEquality(wider);
            }
            case JSON, OTHER ->
                    exact(
                            SqlColumn.plain(column, name, "?", "(3 * CHAR_LENGTH(" + text + "))")
                                    .withValue(text),
                            text);
        };
    }

    /** H2's own spelling of an array tells neither texts with commas nor NULLs apart. */
    private static String json(String array) {
        return "CAST(" + array + " AS JSON)";
    }

    /** Java's order of texts is by UTF-16 unit; that of their UTF-8 is by code point. */
    public static SqlColumn exact(SqlColumn column, String text) {
        return column.withComparable("CAST(" + text + " AS VARBINARY)", BYTES).withText(text);
    }
}
