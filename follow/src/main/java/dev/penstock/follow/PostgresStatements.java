package dev.penstock.follow;

import dev.penstock.query.QueryException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/**
 * A connection to PostgreSQL for short statements, which is opened when it is needed, and once more where it was lost.
 * One statement runs at a time. Thread-safe.
 */
final class PostgresStatements implements AutoCloseable {
    /** The time after which a server that says nothing is given up: longer than any statement here may take. */
    private static final int LONGEST_MILLIS = 90_000;

    private final String url;
    private final Properties properties;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Connection connection;

    PostgresStatements(String url, Properties properties) {
        this.url = url;
        this.properties = properties;
    }

    /** Statements that run on a connection. */
    interface Work<T> {
        T run(Connection connection) throws SQLException;
    }

    /** Opens a connection, which is the caller's. */
    static Connection open(String url, Properties properties) throws SQLException {
        Connection opened = new Driver().connect(url, properties);
        if (opened == null) {
            throw new SQLException("the URL is none of PostgreSQL's driver");
        }
        return opened;
    }

    /**
     * Runs statements, each of which is a transaction of its own; again where the connection was lost meanwhile.
     *
     * @param what it does, for the message of a failure
     */
    <T> T run(String what, Work<T> work) {
        lock.lock();
        try {
            Connection before = connection;
            if (before != null) {
                try {
                    return work.run(before);
                } catch (SQLException e) {
                    boolean isBroken = before.isClosed() || !before.isValid(1);
                    if (!isBroken) {
                        throw e;
                    }
                    close(before);
                    connection = null;
                }
            }
            Connection opened = opened();
            connection = opened;
            return work.run(opened);
        } catch (SQLException e) {
            boolean isAway = e.getSQLState() != null && e.getSQLState().startsWith("08");
            throw new QueryException(
                    isAway ? QueryException.Kind.UNAVAILABLE : QueryException.Kind.DATABASE,
                    what + " failed: " + e.getMessage(),
                    e);
        } finally {
            lock.unlock();
        }
    }

    private Connection opened() throws SQLException {
        Connection opened = open(url, properties);
        boolean done = false;
        try (Statement statement = opened.createStatement()) {
            opened.setNetworkTimeout(Runnable::run, LONGEST_MILLIS);
            // What is committed here is on the disk, and so is all that was committed before it.
            statement.execute("SET synchronous_commit = local");
            done = true;
        } finally {
            if (!done) {
                opened.close();
            }
        }
        return opened;
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            // It was broken already.
        }
    }

    @Override
    public void close() {
        Connection last = connection;
        if (last == null) {
            return;
        }
        if (lock.tryLock()) {
            try {
                connection = null;
                close(last);
            } finally {
                lock.unlock();
            }
            return;
        }
        try {
            // What runs on it may wait for long.
            last.abort(Runnable::run);
        } catch (SQLException e) {
            // It is left in any case.
        }
    }
}
