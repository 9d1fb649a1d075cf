package dev.penstock.daytrader.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The way of one instance to the database: either it takes a connection for each unit of work and gives it back, or it
 * holds one, and opens another where that is broken. A unit of work never needs a second one. For one thread.
 */
final class TradeConnection implements AutoCloseable {
    private static final int MOST_ATTEMPTS = 10;
    private static final long PAUSE_NANOS = 2_000_000;
    private static final int VALID_SECONDS = 2;

    private final DataSource source;
    private final Isolation isolation;
    private final boolean holds;
    private @Nullable Connection held;

    TradeConnection(DataSource source, Isolation isolation, boolean holds) {
        this.source = source;
        this.isolation = isolation;
        this.holds = holds;
    }

    /** Work on a connection. */
    @FunctionalInterface
    interface Work<T extends @Nullable Object> {
        T run(Connection connection) throws SQLException;
    }

    /** Sets the values of a statement. */
    @FunctionalInterface
    interface Values {
        void set(PreparedStatement statement) throws SQLException;
    }

    /** Makes something of the row that a result is at. */
    @FunctionalInterface
    interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Opens the connection, if it is one to be held. */
    void open() throws SQLException {
        if (holds) {
            release(take(), false);
        }
    }

    /** Reads, each statement for itself; tried again as {@link #transact} does. */
    <T extends @Nullable Object> T read(Work<T> work) throws SQLException {
        return attempt(() -> readOnce(work));
    }

    private <T extends @Nullable Object> T readOnce(Work<T> work) throws SQLException {
        Connection connection = take();
        boolean isBroken = true;
        try {
            T result = work.run(connection);
            isBroken = false;
            return result;
        } finally {
            release(connection, isBroken);
        }
    }

    /**
     * Does everything or nothing. Where the database chooses this transaction to end a deadlock, it is tried again, ten
     * times at most.
     */
    <T extends @Nullable Object> T transact(Work<T> work) throws SQLException {
        return attempt(() -> once(work));
    }

    private interface Attempt<T extends @Nullable Object> {
        T run() throws SQLException;
    }

    private static <T extends @Nullable Object> T attempt(Attempt<T> work) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return work.run();
            } catch (SQLException e) {
                if (attempt == MOST_ATTEMPTS || !isPassing(e)) {
                    throw e;
                }
            }
            // Those who met go on at different times.
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(PAUSE_NANOS * attempt));
        }
    }

    private <T extends @Nullable Object> T once(Work<T> work) throws SQLException {
        Connection connection = take();
        boolean isBroken = true;
        try {
            connection.setAutoCommit(false);
            T result = work.run(connection);
            connection.commit();
            connection.setAutoCommit(true);
            isBroken = false;
            return result;
        } catch (SQLException | RuntimeException | Error e) {
            isBroken = !rolledBack(connection, e);
            throw e;
        } finally {
            release(connection, isBroken);
        }
    }

    private static boolean rolledBack(Connection connection, Throwable cause) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
            return true;
        } catch (SQLException e) {
            cause.addSuppressed(e);
            return false;
        }
    }

    /** Returns whether the database says that the transaction was rolled back and may be tried again. */
    private static boolean isPassing(SQLException failure) {
        String state = failure.getSQLState();
        return state != null && state.startsWith("40") && !state.equals("40003");
    }

    private Connection take() throws SQLException {
        Connection connection = held;
        if (connection != null) {
            return connection;
        }
        connection = source.getConnection();
        try {
            isolation.ensure(connection);
            if (!connection.getAutoCommit()) {
                connection.setAutoCommit(true);
            }
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
        if (holds) {
            held = connection;
        }
        return connection;
    }

    private void release(Connection connection, boolean isSuspect) throws SQLException {
        if (!holds) {
            connection.close();
        } else if (isSuspect && !isValid(connection)) {
            close();
        }
    }

    private static boolean isValid(Connection connection) {
        try {
            return connection.isValid(VALID_SECONDS) && connection.getAutoCommit();
        } catch (SQLException _) {
            return false;
        }
    }

    static <T> List<T> list(Connection connection, String sql, Values values, Row<T> row)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            values.set(query);
            try (ResultSet rows = query.executeQuery()) {
                List<T> list = new ArrayList<>();
                while (rows.next()) {
                    list.add(row.read(rows));
                }
                return list;
            }
        }
    }

    static <T> @Nullable T first(Connection connection, String sql, Values values, Row<T> row)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            values.set(query);
            try (ResultSet rows = query.executeQuery()) {
                return rows.next() ? row.read(rows) : null;
            }
        }
    }

    static int update(Connection connection, String sql, Values values) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            values.set(update);
            return update.executeUpdate();
        }
    }

    /** Gives back the connection that it holds; the next unit of work opens another. */
    @Override
    public void close() {
        Connection connection = held;
        held = null;
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException _) {
                // It was of no use any more.
            }
        }
    }
}
