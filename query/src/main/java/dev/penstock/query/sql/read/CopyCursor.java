package dev.penstock.query.sql.read;

import dev.penstock.query.ColumnType;
import dev.penstock.query.sql.statement.PostgreSqlSettings;
import dev.penstock.query.sql.statement.SqlQuery;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/**
 * A cursor over PostgreSQL's {@code COPY (SELECT ...) TO STDOUT}, in its text format unless {@link BinaryCopyCursor} is
 * at work. The driver hands out one row at a time as bytes; they are split and unescaped where they are, in one pass,
 * so that a cell of text is never copied.
 *
 * <p>COPY takes no bound values. So the values are bound to a SELECT of {@code set_config} that goes before it in the
 * same transaction, and the COPY's conditions read them with {@code current_setting}, which the planner takes for a
 * constant.
 */
class CopyCursor extends RowCursor {
    private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);

    /** The SQLSTATE of a query that was cancelled. */
    private static final String QUERY_CANCELLED = "57014";

    /** How long the server may take to answer a cancel. */
    private static final int DRAIN_MILLIS = 2000;

    /** Columns whose text needs more than to be unescaped. */
    private final int[] converted;

    private @Nullable CopyOut copy;

    CopyCursor(Session session, SqlQuery query, @Nullable WideCells wideCells) {
        super(session, query, wideCells);
        int[] columns = new int[types.length];
        int count = 0;
        for (int i = 0; i < types.length; i++) {
            if (padded[i] || isConverted(types[i])) {
                columns[count++] = i;
            }
        }
        converted = Arrays.copyOf(columns, count);
    }

    private static boolean isConverted(ColumnType type) {
        return switch (type) {
            case BOOLEAN, FLOAT, DOUBLE, DATE, TIME, TIMESTAMP, TIMESTAMP_UTC, BINARY -> true;
            case INT, LONG, DECIMAL, TEXT, UUID, JSON, OTHER -> false;
        };
    }

    @Override
    void start(Connection connection) throws SQLException {
        PGConnection server = connection.unwrap(PGConnection.class);
        boolean bare =
                query.values().isEmpty()
                        && query.template().traits().plain()
                        && spellsAsNeeded(server);
        if (!bare && connection.getAutoCommit()) {
            connection.setAutoCommit(false);
            session.onClose(() -> connection.setAutoCommit(true));
        }
        if (!connection.getAutoCommit()) {
            session.onClose(connection::rollback);
        }
        session.running(server::cancelQuery);
        if (!bare) {
            bind(connection);
            session.requireNotCancelled();
        }
        CopyOut out =
                server.getCopyAPI().copyOut("COPY (" + query.text() + ") TO STDOUT" + options());
        copy = out;
        session.onClose(() -> end(connection, out));
    }

    /**
     * Returns whether the session's settings are known to do, so that a query without values needs no transaction
     * around it.
     */
    private boolean spellsAsNeeded(PGConnection server) {
        String dates = server.getParameterStatus("DateStyle");
        boolean iso = dates != null && dates.startsWith("ISO");
        boolean utc = "UTC".equals(server.getParameterStatus("TimeZone"));
        for (ColumnType type : types) {
            boolean known =
                    switch (type) {
                        case BOOLEAN, INT, LONG, DECIMAL, TEXT, TIME, BINARY, UUID, JSON -> true;
                        case DATE, TIMESTAMP -> iso;
                        case TIMESTAMP_UTC -> iso && utc;
                        case FLOAT, DOUBLE, OTHER -> false;
                    };
            if (!known) {
                return false;
            }
        }
        return true;
    }

    /** Returns what follows the COPY. */
    String options() {
        return "";
    }

    private void bind(Connection connection) throws SQLException {
        StringBuilder sql = new StringBuilder(PostgreSqlSettings.SPELLING);
        if (!query.values().isEmpty()) {
            // One array, for a SELECT has 1664 columns at the most.
            sql.append(", (SELECT count(set_config('penstock.p' || p.n, p.v, true))")
                    .append(" FROM unnest(?::text[]) WITH ORDINALITY AS p(v, n))");
        }
        try (PreparedStatement statement = connection.prepareStatement(sql.toString())) {
            if (!query.values().isEmpty()) {
                statement.setArray(1, connection.createArrayOf("text", query.values().toArray()));
            }
            statement.execute();
        }
    }

    /**
     * Reads what the server had sent before it noticed the cancel, up to its answer to that, or up to the end where
     * every row was read: only then is the connection in step again. The driver's own {@code cancelCopy} leaves it
     * unread.
     */
    private static void end(Connection connection, CopyOut out) throws SQLException {
        if (!out.isActive()) {
            return;
        }
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DRAIN_MILLIS);
        int timeout = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, DRAIN_MILLIS);
        try {
            while (out.readFromCopy() != null) {
                if (System.nanoTime() - deadline > 0) {
                    connection.abort(Runnable::run);
                    return;
                }
            }
        } catch (SQLException e) {
            if (!QUERY_CANCELLED.equals(e.getSQLState())) {
                connection.abort(Runnable::run);
                throw e;
            }
        }
        connection.setNetworkTimeout(Runnable::run, timeout);
    }

    @Override
    boolean drainsOnClose() {
        return copy != null && copy.isActive();
    }

    @Override
    boolean advance() throws SQLException {
        CopyOut out = copy;
        byte[] row = out == null ? null : out.readFromCopy();
        while (out != null && row != null && !split(row)) {
            row = out.readFromCopy();
        }
        if (row == null) {
            return false;
        }
        for (int column : converted) {
            if (lengths[column] > 0) {
                convert(row, column);
            }
        }
        return true;
    }

    /** Finds the row's cells; tells whether the message was a row. */
    boolean split(byte[] row) throws SQLException {
        int end = row.length - 1;
        int last = lengths.length - 1;
        int column = 0;
        int start = 0;
        int position = 0;
        while (column <= last) {
            while (position < end && row[position] != '\t' && row[position] != '\\') {
                position++;
            }
            arrays[column] = row;
            offsets[column] = start;
            if (position < end && row[position] == '\\') {
                position = unescape(row, column, start, position, end);
            } else {
                lengths[column] = position - start;
            }
            column++;
            if (position >= end) {
                break;
            }
            position++;
            start = position;
        }
        if (column <= last || position < end) {
            throw otherColumns();
        }
        return true;
    }

    static SQLException otherColumns() {
        return new SQLException("COPY gave a row of other columns than were asked for");
    }

    /** From the first backslash of a cell to its end; gives where that is. */
    private int unescape(byte[] row, int column, int start, int from, int end) {
        if (from == start && row[from + 1] == 'N' && (from + 2 >= end || row[from + 2] == '\t')) {
            lengths[column] = NULL;
            return from + 2;
        }
        int read = from;
        int write = from;
        while (read < end && row[read] != '\t') {
            byte b = row[read++];
            if (b == '\\') {
                b = unescaped(row[read++]);
            }
            row[write++] = b;
        }
        lengths[column] = write - start;
        return read;
    }

    private static byte unescaped(byte escape) {
        return switch (escape) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'v' -> 0x0b;
            default -> escape;
        };
    }

    private void convert(byte[] row, int column) {
        int slot = column * CanonicalText.SLOT;
        int start = offsets[column];
        int length = lengths[column];
        switch (types[column]) {
            case BOOLEAN -> {
                byte[] word = row[start] == 't' ? TRUE : FALSE;
                set(column, word, word.length);
            }
            case DATE -> {
                if (length != 10 || row[start + 4] != '-') {
                    setScratch(column, CanonicalText.date(row, start, length, scratch, slot));
                }
            }
            case TIME -> setScratch(column, CanonicalText.time(row, start, length, scratch, slot));
            case TIMESTAMP ->
                    setScratch(
                            column,
                            CanonicalText.timestamp(row, start, length, scratch, slot, false));
            case TIMESTAMP_UTC ->
                    setScratch(
                            column,
                            CanonicalText.timestamp(row, start, length, scratch, slot, true));
            case FLOAT ->
                    setScratch(
                            column, FloatText.canonical(row, start, length, scratch, slot, false));
            case DOUBLE ->
                    setScratch(
                            column, FloatText.canonical(row, start, length, scratch, slot, true));
            case BINARY -> {
                ByteBuffer base64 = Base64.getEncoder().encode(ByteBuffer.wrap(row, start, length));
                set(column, base64.array(), base64.remaining());
            }
            case INT, LONG, DECIMAL, TEXT, UUID, JSON, OTHER -> {
                while (padded[column] && length > 0 && row[start + length - 1] == ' ') {
                    length--;
                }
                lengths[column] = length;
            }
        }
    }
}
