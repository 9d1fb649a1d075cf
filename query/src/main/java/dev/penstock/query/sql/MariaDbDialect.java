package dev.penstock.query.sql;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * MariaDB and MySQL servers, through MariaDB's driver. It reads a result forward, so many rows at a time as the fetch size
 * says; closing early would read the rest, so the query is cancelled first.
 */
non-sealed class MariaDbDialect extends Dialect {
    /** The session's zone decides what a TIMESTAMP reads; it is put back afterwards. */
    private static final String TO_UTC =
            "SET @penstock_time_zone = @@session.time_zone, time_zone = '+00:00'";

    private static final String FROM_UTC = "SET time_zone = @penstock_time_zone";

    /** Rows beyond this make reading no faster. */
    private static final int MAX_FETCH_SIZE = 64;

    @Override
    String name() {
        return "MariaDB";
    }

    @Override
    List<SqlTable> readTables(Connection connection, @Nullable String schema) throws SQLException {
        return new MariaDbSchema(this).read(connection, schema);
    }

    @Override
    String quote(String identifier) {
        return '`' + identifier.replace("`", "``") + '`';
    }

    @Override
    Object bindable(Column column, Object value) {
        return switch (value) {
            case LocalDate date -> date.toString();
            case LocalTime time -> time.toString();
            case LocalDateTime local -> local.toString();
            case Instant instant -> LocalDateTime.ofInstant(instant, ZoneOffset.UTC).toString();
            case UUID uuid -> uuid.toString();
            case Boolean truth -> truth ? 1 : 0;
            case Float number -> number.doubleValue();
            default -> value;
        };
    }

    @Override
    @Nullable String negativeZero(SqlColumn column) {
        return switch (column.column().type()) {
            case FLOAT, DOUBLE -> "CAST(" + column.name() + " AS CHAR) = '-0'";
            default -> null;
        };
    }

    @Override
    boolean hasNonFinite() {
        return false;
    }

    @Override
    int minYear() {
        return 0;
    }

    @Override
    int maxYear() {
        return 9999;
    }

    @Override
    int decimalDigits() {
        return 65;
    }

    @Override
    int decimalScale() {
        return 38;
    }

    @Override
    void order(SqlText sql, SqlColumn column, boolean descending, boolean nullsFirst) {
        // NULL is the least here.
        if (column.column().nullable() && nullsFirst == descending) {
            sql.add(column.name()).add(nullsFirst ? " IS NOT NULL, " : " IS NULL, ");
        }
        sql.add(column.comparable()).add(descending ? " DESC" : "");
        String negative = negativeZero(column);
        if (negative != null) {
            sql.add(", CASE WHEN " + column.name() + " = 0 AND " + negative + " THEN 0 ELSE 1 END");
            sql.add(descending ? " DESC" : "");
        }
    }

    @Override
    void window(SqlText sql, Window window) {
        if (window.isLimited() || window.offset() > 0) {
            sql.add(" LIMIT ");
            sql.add(window.isLimited() ? Long.toString(window.limit()) : "18446744073709551615");
        }
        if (window.offset() > 0) {
            sql.add(" OFFSET ").add(Long.toString(window.offset()));
        }
    }

    @Override
    String exactLength(SqlColumn column) {
        return column.column().type() == ColumnType.BINARY
                ? "OCTET_LENGTH(" + column.name() + ")"
                : "OCTET_LENGTH(CONVERT(" + column.value() + " USING utf8mb4))";
    }

    @Override
    boolean readsTextAsBytes() {
        return true;
    }

    @Override
    boolean drainsOnClose() {
        return true;
    }

    @Override
    @Nullable Restoration prepare(Connection connection, SqlQuery query) throws SQLException {
        if (!query.hasInstants()) {
            return null;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute(TO_UTC);
        }
        return () -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute(FROM_UTC);
            }
        };
    }

    @Override
    void setFetchSize(Statement statement, SqlQuery query) throws SQLException {
        statement.setFetchSize(Math.min(query.rowsPerBatch(), MAX_FETCH_SIZE));
    }

    @Override
    String probe(int rows) {
        return "WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 1000)"
                + " SELECT a.i, REPEAT('x', 200) FROM s AS a CROSS JOIN s AS b LIMIT "
                + rows;
    }

    @Override
    String streamingRemedy() {
        return "pass setFetchSize on to MariaDB Connector/J, and use its version 3 or later";
    }
}
