package dev.penstock.query.sql;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one kind of database, read through one kind of driver, needs to be asked and read exactly. Immutable. */
abstract sealed class Dialect permits PostgreSqlDialect, MariaDbDialect, H2Dialect, GenericDialect {
    /** What a text column may fill of a cursor's batch: bytes that a row comes to at the most before its cells count as wide. */
    static final int ROW_BYTES = 96 * 1024;

    /** The database's name in messages. */
    abstract String name();

    /** The tables and views of a schema, or of the connection's own where it is null. */
    abstract List<SqlTable> readTables(Connection connection, @Nullable String schema)
            throws SQLException;

    /** Whether unquoted names become upper case. */
    boolean foldsToUpperCase() {
        return false;
    }

    /** How the SQL names its n-th bound value, counted from 1. */
    String parameterMark(int index) {
        return "?";
    }

    /**
     * An expression of the answer.
     *
     * @param withBinary whether columns of the answer are binary
     */
    String answer(String value, ColumnType type, boolean withBinary) {
        return value;
    }

    /** The value as it is handed to the driver. */
    Object bindable(Column column, Object value) {
        return value;
    }

    /** A condition that tells −0.0 from 0.0 where the column's own comparison does not; null where there is nothing to tell. */
    @Nullable String negativeZero(SqlColumn column) {
        return null;
    }

    /** Whether NaN and the infinities can be stored. */
    boolean hasNonFinite() {
        return true;
    }

    /** Whether texts may hold U+0000. */
    boolean hasNulCharacter() {
        return true;
    }

    /** The smallest difference of two times, in nanoseconds. */
    int nanosecondsUnit() {
        return 1000;
    }

    int minYear() {
        return -999_999_999;
    }

    int maxYear() {
        return 999_999_999;
    }

    /** How many digits a decimal may have. */
    int decimalDigits() {
        return 100_000;
    }

    /** How many of them may be fractional. */
    int decimalScale() {
        return 16_000;
    }

    /** Adds one column of an ORDER BY. */
    abstract void order(SqlText sql, SqlColumn column, boolean descending, boolean nullsFirst);

    /** Adds the end of a SELECT that cuts its rows. */
    void window(SqlText sql, Window window) {
        if (window.isLimited()) {
            sql.add(" LIMIT ").add(Long.toString(window.limit()));
        }
        if (window.offset() > 0) {
            sql.add(" OFFSET ").add(Long.toString(window.offset()));
        }
    }

    /** Whether an offset is better left to the cursor, because the database would hold the whole answer for it. */
    boolean skipsInCursor() {
        return false;
    }

    /** Bytes of UTF-8 (or of binary) in one value, exactly. */
    abstract String exactLength(SqlColumn column);

    /** A part of a long value, from a character (or byte) counted from 1. */
    String chunk(SqlColumn column, long from, int count) {
        return "SUBSTRING(" + column.value() + ", " + from + ", " + count + ")";
    }

    /** Whether positions in a text count UTF-16 units, not characters. */
    boolean countsUtf16Units() {
        return false;
    }

    /** Whether text cells are best read as bytes, because the driver gives them as UTF-8. */
    boolean readsTextAsBytes() {
        return false;
    }

    /** Whether the database runs on the threads of this JVM. */
    boolean isEmbedded() {
        return false;
    }

    /** Whether closing a result that is not read to its end would read the rest. */
    boolean drainsOnClose() {
        return false;
    }

    /** What ends a running query from another thread. */
    Session.Action canceller(Connection connection, Statement statement) {
        return statement::cancel;
    }

    /** Prepares the connection for one query; gives what undoes it, or null. */
    @Nullable Restoration prepare(Connection connection, SqlQuery query) throws SQLException {
        return null;
    }

    /** Undoes what a query needed of its connection. */
    interface Restoration {
        void run() throws SQLException;
    }

    /** A statement whose rows come a few at a time. */
    PreparedStatement statement(Connection connection, SqlQuery query) throws SQLException {
        PreparedStatement statement =
                connection.prepareStatement(
                        query.text(),
                        java.sql.ResultSet.TYPE_FORWARD_ONLY,
                        java.sql.ResultSet.CONCUR_READ_ONLY);
        try {
            setFetchSize(statement, query);
            int index = 1;
            for (Object value : query.values()) {
                statement.setObject(index++, value);
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    /** Makes the driver stream; about as many rows as fit a batch. */
    void setFetchSize(Statement statement, SqlQuery query) throws SQLException {
        statement.setFetchSize(query.rowsPerBatch());
    }

    /** A cursor that has not started. */
    RowCursor cursor(Session session, SqlQuery query, @Nullable WideCells wideCells) {
        return new ResultSetCursor(session, query, this, wideCells);
    }

    /** A SELECT of many rows of a few hundred bytes, for the check that the driver streams. */
    abstract String probe(int rows);

    /** What to do when the driver does not stream. */
    abstract String streamingRemedy();

    /** An identifier in quotes. */
    String quote(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    /** A table in a FROM clause, under the name {@code t}. */
    final String table(@Nullable String schema, String table) {
        return (schema == null ? quote(table) : quote(schema) + '.' + quote(table)) + " t";
    }

    /** A column of the table, which can't be taken for a column of the answer. */
    final String column(String name) {
        return "t." + quote(name);
    }
}
