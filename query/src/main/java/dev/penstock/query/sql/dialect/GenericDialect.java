package dev.penstock.query.sql.dialect;

import dev.penstock.query.Column;
import dev.penstock.query.sql.schema.MetadataSchema;
import dev.penstock.query.sql.statement.Capability;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.JdbcAction;
import dev.penstock.query.sql.statement.SqlBuilder;
import dev.penstock.query.sql.statement.SqlColumn;
import dev.penstock.query.sql.statement.SqlTable;
import dev.penstock.query.sql.statement.SqlTemplate;
import dev.penstock.query.sql.statement.UnsupportedPlanException;
import dev.penstock.query.sql.statement.WindowParameters;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The dialect of any other database that speaks standard SQL. Unverified: texts compare as the database has them, and
 * whether the driver streams is only as sure as the check at the start.
 */
public final class GenericDialect extends Dialect {
    private final String product;
    private final String quote;

    public GenericDialect(DatabaseMetaData metadata) throws SQLException {
        super(capabilities(metadata));
        product = metadata.getDatabaseProductName();
        String mark = metadata.getIdentifierQuoteString();
        quote = mark == null || mark.isBlank() ? "\"" : mark;
    }

    private static Set<Capability> capabilities(DatabaseMetaData metadata) throws SQLException {
        Set<Capability> capabilities =
                EnumSet.of(Capability.NON_FINITE_NUMBERS, Capability.NUL_CHARACTER);
        if (metadata.storesUpperCaseIdentifiers()) {
            capabilities.add(Capability.FOLDS_TO_UPPER_CASE);
        }
        return capabilities;
    }

    @Override
    public String name() {
        return product;
    }

    @Override
    public List<SqlTable> readTables(Connection connection, @Nullable String schema)
            throws SQLException {
        return new MetadataSchema(this)
                .read(connection, connection.getCatalog(), schema, this::column);
    }

    private SqlColumn column(Column column, int jdbcType, String typeName, int size) {
        return SqlColumn.plain(column, column(column.name()), "?", "");
    }

    @Override
    public Object bindable(Object value) {
        return value instanceof Instant instant ? instant.atOffset(ZoneOffset.UTC) : value;
    }

    @Override
    public int decimalDigits() {
        return 38;
    }

    @Override
    public int decimalScale() {
        return 38;
    }

    @Override
    public void order(SqlBuilder sql, SqlColumn column, boolean descending, boolean nullsFirst) {
        if (column.column().nullable()) {
            sql.add("CASE WHEN ").add(column.name()).add(" IS NULL THEN 0 ELSE 1 END");
            sql.add(nullsFirst ? ", " : " DESC, ");
        }
        sql.add(column.comparable()).add(descending ? " DESC" : "");
    }

    @Override
    public void window(SqlBuilder sql, WindowParameters window) {
        offset(sql, window);
        sql.add(window.skip() >= 0 ? " ROWS" : "");
        if (window.limit() >= 0) {
            sql.add(" FETCH NEXT ").bind(count(), rows(window)).add(" ROWS ONLY");
        }
    }

    @Override
    public String exactLength(SqlColumn column) {
        return "OCTET_LENGTH(" + column.name() + ")";
    }

    @Override
    public String digest(SqlColumn column) {
        throw new UnsupportedPlanException(name() + " is not known to have SHA-256");
    }

    @Override
    public JdbcAction prepare(Connection connection, SqlTemplate query) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        return () -> connection.setAutoCommit(autoCommit);
    }

    @Override
    public String probe(int rows) {
        return "WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < "
                + rows
                + ") SELECT i, '"
                + "x".repeat(200)
                + "' FROM s";
    }

    @Override
    public String streamingRemedy() {
        return "look for the driver's setting that makes it read a result piece by piece";
    }

    @Override
    public String quote(String identifier) {
        String closing = quote.equals("[") ? "]" : quote;
        return quote + identifier.replace(closing, closing + closing) + closing;
    }
}
