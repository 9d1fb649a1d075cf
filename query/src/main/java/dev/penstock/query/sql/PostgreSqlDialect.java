package dev.penstock.query.sql;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL from version 12. Read through {@code COPY} where the driver is PostgreSQL's own and lets itself be unwrapped, else
 * through a portal. All values are bound as text and cast by the SQL.
 */
final class PostgreSqlDialect extends Dialect {
    static final String QUERY_CANCELLED = "57014";

    /** Fixes how values are spelled, for one transaction. */
    static final String SETTINGS =
            "SELECT set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO, YMD', true),"
                    + " set_config('IntervalStyle', 'postgres', true), set_config('bytea_output', 'hex', true),"
                    + " set_config('extra_float_digits', '1', true)";

    private final boolean copies;

    PostgreSqlDialect(boolean copies) {
        this.copies = copies;
    }

    @Override
    String name() {
        return "PostgreSQL";
    }

    @Override
    List<SqlTable> readTables(Connection connection, @Nullable String schema) throws SQLException {
        return new PostgreSqlSchema(this, copies).read(connection, schema);
    }

    @Override
    String parameterMark(int index) {
        return copies ? "current_setting('penstock.p" + index + "')" : "?";
    }

    @Override
    String answer(String value, ColumnType type, boolean withBinary) {
        return copies && withBinary && type != ColumnType.BINARY ? "(" + value + ")::text" : value;
    }

    @Override
    Object bindable(Column column, Object value) {
        return switch (value) {
            case BigDecimal decimal -> decimal.toPlainString();
            case byte[] bytes -> "\\x" + HexFormat.of().formatHex(bytes);
            case LocalDate date -> date(date);
            case LocalDateTime local -> timestamp(local);
            case Instant instant -> timestamp(LocalDateTime.ofInstant(instant, ZoneOffset.UTC));
            case LocalTime time -> time.toString();
            default -> value.toString();
        };
    }

    private static String date(LocalDate date) {
        int year = date.getYear();
        return "%04d-%02d-%02d%s"
                .formatted(
                        year > 0 ? year : 1 - year,
                        date.getMonthValue(),
                        date.getDayOfMonth(),
                        year > 0 ? "" : " BC");
    }

    private static String timestamp(LocalDateTime local) {
        String date = date(local.toLocalDate());
        int space = date.indexOf(' ');
        String day = space < 0 ? date : date.substring(0, space);
        return day + ' ' + local.toLocalTime() + "+00" + (space < 0 ? "" : " BC");
    }

    @Override
    @Nullable String negativeZero(SqlColumn column) {
        return switch (column.column().type()) {
            case FLOAT, DOUBLE -> "(" + column.name() + ")::text = '-0'";
            default -> null;
        };
    }

    @Override
    boolean hasNulCharacter() {
        return false;
    }

    @Override
    int minYear() {
        return -4712;
    }

    @Override
    int maxYear() {
        return 294_275;
    }

    @Override
    void order(SqlText sql, SqlColumn column, boolean descending, boolean nullsFirst) {
        sql.add(column.comparable()).add(descending ? " DESC" : "");
        if (column.column().nullable() && nullsFirst != descending) {
            sql.add(nullsFirst ? " NULLS FIRST" : " NULLS LAST");
        }
        String negative = negativeZero(column);
        if (negative != null) {
            sql.add(", CASE WHEN " + column.name() + " = 0 AND " + negative + " THEN 0 ELSE 1 END");
            sql.add(descending ? " DESC" : "");
        }
    }

    @Override
    String exactLength(SqlColumn column) {
        return column.column().type() == ColumnType.BINARY
                ? "octet_length(" + column.name() + ")"
                : "octet_length(convert_to((" + column.name() + ")::text, 'UTF8'))";
    }

    @Override
    String chunk(SqlColumn column, long from, int count) {
        String whole =
                column.column().type() == ColumnType.BINARY
                        ? column.name()
                        : "(" + column.name() + ")::text";
        return "substr(" + whole + ", " + from + ", " + count + ")";
    }

    @Override
    boolean readsTextAsBytes() {
        return true;
    }

    @Override
    Restoration prepare(Connection connection, SqlQuery query) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute(SETTINGS);
        }
        return () -> connection.setAutoCommit(autoCommit);
    }

    @Override
    PreparedStatement statement(Connection connection, SqlQuery query) throws SQLException {
        PreparedStatement statement = super.statement(connection, query);
        statement.setFetchSize(Math.max(2, query.rowsPerBatch()));
        return statement;
    }

    @Override
    RowCursor cursor(Session session, SqlQuery query, @Nullable WideCells wideCells) {
        if (!copies) {
            return super.cursor(session, query, wideCells);
        }
        return query.hasBinary()
                ? new BinaryCopyCursor(session, query, wideCells)
                : new CopyCursor(session, query, wideCells);
    }

    @Override
    String probe(int rows) {
        return "SELECT i, repeat('x', 200) FROM generate_series(1, " + rows + ") AS s(i)";
    }

    @Override
    String streamingRemedy() {
        return "let the connection be unwrapped to org.postgresql.PGConnection, or leave preferQueryMode at extended and"
                + " pass setFetchSize and setAutoCommit on to the driver";
    }
}
