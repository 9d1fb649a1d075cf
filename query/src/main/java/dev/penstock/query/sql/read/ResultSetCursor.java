package dev.penstock.query.sql.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.penstock.query.ColumnType;
import dev.penstock.query.QueryException;
import dev.penstock.query.sql.statement.Capability;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.DriverMessage;
import dev.penstock.query.sql.statement.JdbcAction;
import dev.penstock.query.sql.statement.SqlQuery;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** A cursor over a JDBC result set. A cell is fetched when it is asked for. */
final class ResultSetCursor extends RowCursor {
    /** A number was fetched and its text not yet made. */
    private static final int NUMBER = -3;

    private final Dialect dialect;
    private final boolean textAsBytes;
    private final @Nullable EmbeddedThreads threads;

    /** Whole numbers as they are, floating-point ones as their bits. */
    private final long[] numbers;

    private @Nullable ResultSet rows;

    ResultSetCursor(
            Session session, SqlQuery query, Dialect dialect, @Nullable WideCells wideCells) {
        super(session, query, wideCells);
        this.dialect = dialect;
        textAsBytes = dialect.has(Capability.TEXT_AS_BYTES);
        threads = dialect.has(Capability.EMBEDDED) ? new EmbeddedThreads() : null;
        numbers = new long[types.length];
    }

    @Override
    void start(Connection connection) throws SQLException {
        JdbcAction restoration = dialect.prepareForOne(connection, query);
        if (restoration != null) {
            session.onClose(restoration);
        }
        if (!connection.getAutoCommit()) {
            session.onClose(connection::rollback);
        }
        PreparedStatement statement = dialect.statement(connection, query);
        session.onClose(statement::close);
        session.running(dialect.canceller(connection, statement));
        ResultSet result =
                threads == null ? statement.executeQuery() : threads.call(statement::executeQuery);
        rows = result;
        session.onClose(result::close);
        dialect.require(result, query);
    }

    @Override
    boolean drainsOnClose() {
        return rows != null && dialect.has(Capability.DRAINS_ON_CLOSE);
    }

    @Override
    boolean advance() throws SQLException {
        Arrays.fill(lengths, UNKNOWN);
        ResultSet result = requireNonNull(rows);
        return threads == null ? result.next() : threads.call(result::next);
    }

    @Override
    void load(int column) {
        if (lengths[column] == NUMBER) {
            spell(column);
        } else if (lengths[column] == UNKNOWN) {
            fetch(column);
            if (lengths[column] == NUMBER) {
                spell(column);
            }
        }
    }

    @Override
    public boolean isNull(int column) {
        if (lengths[column] == UNKNOWN) {
            fetch(column);
        }
        return lengths[column] == NULL;
    }

    @Override
    public long getLong(int column) {
        if (isFetched(column)) {
            return switch (types[column]) {
                case INT, LONG -> numbers[column];
                default -> super.getLong(column);
            };
        }
        return super.getLong(column);
    }

    @Override
    public double getDouble(int column) {
        if (isFetched(column)) {
            return switch (types[column]) {
                case INT, LONG -> numbers[column];
                case DOUBLE -> Double.longBitsToDouble(numbers[column]);
                case FLOAT -> Float.intBitsToFloat((int) numbers[column]);
                default -> super.getDouble(column);
            };
        }
        return super.getDouble(column);
    }

    /** A text that was not looked at before needs no detour by its bytes. */
    @Override
    public @Nullable String getString(int column) {
        if (lengths[column] == UNKNOWN
                && !padded[column]
                && types[column].isTextual()
                && isOnRow()) {
            return fetched(column, ResultSet::getString);
        }
        return super.getString(column);
    }

    @Override
    public byte @Nullable [] getBytes(int column) {
        return lengths[column] == UNKNOWN && types[column] == ColumnType.BINARY && isOnRow()
                ? fetched(column, ResultSet::getBytes)
                : super.getBytes(column);
    }

    /** A getter of the driver. */
    private interface Getter<T> {
        @Nullable T get(ResultSet row, int index) throws SQLException;
    }

    private <T> @Nullable T fetched(int column, Getter<T> getter) {
        try {
            return getter.get(requireNonNull(rows), column + 1);
        } catch (SQLException e) {
            throw failed(column, e);
        }
    }

    private boolean isFetched(int column) {
        if (lengths[column] == UNKNOWN) {
            fetch(column);
        }
        return lengths[column] == NUMBER;
    }

    private void fetch(int column) {
        try {
            fetch(requireNonNull(rows), column);
        } catch (SQLException e) {
            throw failed(column, e);
        }
    }

    private QueryException failed(int column, SQLException e) {
        boolean isSum = e instanceof SQLDataException || OUT_OF_RANGE.equals(e.getSQLState());
        return isSum && types[column] == ColumnType.LONG
                ? outOfRange(e)
                : new QueryException(
                        QueryException.Kind.DATABASE,
                        "reading column %s of table %s failed: %s"
                                .formatted(
                                        name(column),
                                        query.table().table().name(),
                                        DriverMessage.of(e)),
                        e);
    }

    private void fetch(ResultSet row, int column) throws SQLException {
        int index = column + 1;
        switch (types[column]) {
            case BOOLEAN -> number(row, column, row.getBoolean(index) ? 1 : 0);
            case INT -> number(row, column, row.getInt(index));
            case LONG -> number(row, column, row.getLong(index));
            case FLOAT ->
                    number(row, column, Float.floatToRawIntBits((float) row.getDouble(index)));
            case DOUBLE -> number(row, column, Double.doubleToRawLongBits(row.getDouble(index)));
            case DECIMAL -> decimal(row, column, index);
            case BINARY -> {
                byte[] bytes = row.getBytes(index);
                own(column, bytes == null ? null : Base64.getEncoder().encode(bytes));
            }
            case DATE, TIME, TIMESTAMP, TIMESTAMP_UTC -> temporal(column, row.getString(index));
            case TEXT, UUID, JSON, OTHER -> text(row, column, index);
        }
    }

    private void number(ResultSet row, int column, long number) throws SQLException {
        numbers[column] = number;
        lengths[column] = nullable[column] && row.wasNull() ? NULL : NUMBER;
    }

    private void decimal(ResultSet row, int column, int index) throws SQLException {
        String text = row.getString(index);
        if (text != null && (text.indexOf('E') >= 0 || text.indexOf('e') >= 0)) {
            text = new BigDecimal(text).toPlainString();
        }
        ascii(column, text);
    }

    private void text(ResultSet row, int column, int index) throws SQLException {
        if (textAsBytes) {
            own(column, row.getBytes(index));
        } else {
            String text = row.getString(index);
            own(column, text == null ? null : text.getBytes(UTF_8));
        }
        if (padded[column]) {
            int length = lengths[column];
            while (length > 0 && arrays[column][length - 1] == ' ') {
                length--;
            }
            lengths[column] = length;
        }
    }

    private void own(int column, byte @Nullable [] text) {
        if (text == null) {
            lengths[column] = NULL;
        } else {
            set(column, text, text.length);
        }
    }

    private void ascii(int column, @Nullable String text) {
        if (text == null) {
            lengths[column] = NULL;
        } else if (text.length() > CanonicalText.SLOT) {
            own(column, text.getBytes(UTF_8));
        } else {
            int slot = column * CanonicalText.SLOT;
            setScratch(column, CanonicalText.ascii(text, scratch, slot));
        }
    }

    private void temporal(int column, @Nullable String text) {
        if (text == null || text.length() >= CanonicalText.SLOT - 2) {
            ascii(column, text);
            return;
        }
        byte[] from = text.getBytes(UTF_8);
        int slot = column * CanonicalText.SLOT;
        setScratch(
                column,
                switch (types[column]) {
                    case DATE -> CanonicalText.date(from, 0, from.length, scratch, slot);
                    case TIME -> CanonicalText.time(from, 0, from.length, scratch, slot);
                    default ->
                            CanonicalText.timestamp(
                                    from,
                                    0,
                                    from.length,
                                    scratch,
                                    slot,
                                    types[column] == ColumnType.TIMESTAMP_UTC);
                });
    }

    private void spell(int column) {
        int slot = column * CanonicalText.SLOT;
        long number = numbers[column];
        setScratch(
                column,
                switch (types[column]) {
                    case BOOLEAN ->
                            CanonicalText.ascii(number == 0 ? "false" : "true", scratch, slot);
                    case FLOAT ->
                            CanonicalText.ascii(
                                    Float.toString(Float.intBitsToFloat((int) number)),
                                    scratch,
                                    slot);
                    case DOUBLE ->
                            CanonicalText.ascii(
                                    Double.toString(Double.longBitsToDouble(number)),
                                    scratch,
                                    slot);
                    default -> CanonicalText.digits(number, scratch, slot);
                });
    }
}
