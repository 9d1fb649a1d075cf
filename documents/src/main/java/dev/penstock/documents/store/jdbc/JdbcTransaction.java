package dev.penstock.documents.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One transaction on a connection of its own, rolled back by {@link #close} if it is not committed. Not thread-safe.
 */
final class JdbcTransaction implements AutoCloseable {
    private final Connection connection;
    private final boolean autoCommit;
    private final int isolation;
    private final boolean isolates;
    private boolean closed;

    /** A transaction in whatever isolation the connection has. */
    JdbcTransaction(DataSource dataSource) throws SQLException {
        this(dataSource, Connection.TRANSACTION_NONE);
    }

    /**
     * A transaction in an isolation of its own.
     *
     * @param wanted a level of {@link Connection}; {@link Connection#TRANSACTION_NONE} for what the connection has
     */
    JdbcTransaction(DataSource dataSource, int wanted) throws SQLException {
        connection = dataSource.getConnection();
        try {
            autoCommit = connection.getAutoCommit();
            isolation =
                    wanted == Connection.TRANSACTION_NONE
                            ? wanted
                            : connection.getTransactionIsolation();
            isolates = isolation != wanted;
            if (isolates) {
                connection.setTransactionIsolation(wanted);
            }
            connection.setAutoCommit(false);
        } catch (SQLException | RuntimeException | Error e) {
            closeAfter(e);
            throw e;
        }
    }

    /** A transaction whose statements all see one state of the database. */
    static JdbcTransaction snapshot(DataSource dataSource, Dialect dialect) throws SQLException {
        String begin = dialect.snapshotStatement();
        if (begin == null) {
            return new JdbcTransaction(dataSource, dialect.snapshotIsolation());
        }
        var transaction = new JdbcTransaction(dataSource);
        try {
            transaction.execute(begin);
            return transaction;
        } catch (SQLException | RuntimeException | Error e) {
            transaction.abandon(e);
            throw e;
        }
    }

    /** Closes it after a failure that is told. */
    void abandon(Throwable failure) {
        try {
            close();
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    private void closeAfter(Throwable failure) {
        try {
            connection.close();
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    /** A reader of one row. */
    interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    PreparedStatement prepare(String sql, List<?> values) throws SQLException {
        return prepare(connection, sql, values);
    }

    private static PreparedStatement prepare(Connection connection, String sql, List<?> values)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            for (int i = 0; i < values.size(); i++) {
                bind(statement, i + 1, values.get(i));
            }
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    private static void bind(PreparedStatement statement, int index, @Nullable Object value)
            throws SQLException {
        switch (value) {
            case null -> statement.setString(index, null);
            case byte[] bytes -> statement.setBytes(index, bytes);
            case Integer number -> statement.setInt(index, number);
            case Long number -> statement.setLong(index, number);
            default -> statement.setString(index, value.toString());
        }
    }

    /** Runs a statement; gives how many rows it has changed. */
    int update(String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(sql, listed(values))) {
            return statement.executeUpdate();
        }
    }

    /** Runs a statement that is a query or an update, and drops its rows. */
    void execute(String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(sql, listed(values))) {
            boolean rows = statement.execute();
            if (rows) {
                statement.getResultSet().close();
            }
        }
    }

    /** Runs a query to its end. */
    <T> List<T> query(String sql, RowReader<T> reader, @Nullable Object... values)
            throws SQLException {
        try (PreparedStatement statement = prepare(sql, listed(values))) {
            return query(statement, reader);
        }
    }

    private static <T> List<T> query(PreparedStatement statement, RowReader<T> reader)
            throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            var read = new ArrayList<T>();
            while (rows.next()) {
                read.add(reader.read(rows));
            }
            return read;
        }
    }

    /** A step before a connection is given back; its failure does not replace an earlier one. */
    private interface Restoring extends AutoCloseable {
        @Override
        void close() throws SQLException;
    }

    /** Runs a query that is a transaction by itself; gives its first rows, as many as are wanted at most. */
    static <T> List<T> query(
            DataSource dataSource, String sql, List<?> values, int mostRows, RowReader<T> reader)
            throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            try (Restoring _ = () -> connection.setAutoCommit(autoCommit);
                    PreparedStatement statement = prepare(connection, sql, values)) {
                statement.setMaxRows(mostRows);
                return query(statement, reader);
            }
        }
    }

    /** Statements that are sent together. Closed by who asks for it. */
    Batch batch(String sql) throws SQLException {
        return new Batch(connection.prepareStatement(sql));
    }

    /** The same statement many times over, sent in groups. */
    static final class Batch implements AutoCloseable {
        private static final int GROUP = 500;
        private final PreparedStatement statement;
        private int waiting;

        private Batch(PreparedStatement statement) {
            this.statement = statement;
        }

        void add(Object... values) throws SQLException {
            for (int i = 0; i < values.length; i++) {
                bind(statement, i + 1, values[i]);
            }
            statement.addBatch();
            waiting++;
            if (waiting == GROUP) {
                flush();
            }
        }

        void flush() throws SQLException {
            if (waiting > 0) {
                statement.executeBatch();
                waiting = 0;
            }
        }

        @Override
        public void close() throws SQLException {
            statement.close();
        }
    }

    private static List<@Nullable Object> listed(@Nullable Object... values) {
        return Arrays.asList(values);
    }

    /** Returns whether a table has an index of this name. */
    boolean hasIndex(String table, String name) throws SQLException {
        String spelled =
                connection.getMetaData().storesUpperCaseIdentifiers()
                        ? table.toUpperCase(Locale.ROOT)
                        : table;
        try (ResultSet rows =
                connection
                        .getMetaData()
                        .getIndexInfo(
                                connection.getCatalog(),
                                connection.getSchema(),
                                spelled,
                                false,
                                true)) {
            while (rows.next()) {
                if (name.equalsIgnoreCase(rows.getString("INDEX_NAME"))) {
                    return true;
                }
            }
            return false;
        }
    }

    void commit() throws SQLException {
        connection.commit();
    }

    @Override
    public void close() throws SQLException {
        if (closed) {
            return;
        }
        closed = true;
        try (connection) {
            connection.rollback();
            connection.setAutoCommit(autoCommit);
            if (isolates) {
                connection.setTransactionIsolation(isolation);
            }
        }
    }
}
