package dev.penstock.query.sql;

import dev.penstock.query.QueryException;
import dev.penstock.query.sql.read.ConnectionSource;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.DriverMessage;
import dev.penstock.query.sql.statement.SqlTable;
import dev.penstock.query.sql.statement.ViewTransactions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A database as it was at one moment, for queries that must agree with each other, such as those that copy tables: they
 * run on connections whose transactions all see the same state, and which are held until the view is closed.
 * Thread-safe.
 *
 * <p>How many connections can do that depends on the database. PostgreSQL: as many as are wanted, by an exported
 * snapshot. MariaDB and MySQL: as many as are wanted if the tables can be locked for reading for the moment in which
 * the transactions begin, within two seconds and with the right to do so; else one; and only tables of InnoDB stay as
 * they were. H2: one, with the isolation level {@code SNAPSHOT}. Others: one, {@code SERIALIZABLE} if they have that. A
 * pool that has fewer to give is waited for as long as it says, and the view then has what there was. Where there is
 * only one, a row with a cell of more than some ten kilobytes has that cell read outside of the view; a row whose cell
 * has another length by then is an error.
 */
public final class ConsistentView implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.penstock.query.sql");
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ConnectionSource connections;
    private final List<Held> held = new ArrayList<>();
    private final Database database;
    private final int usable;
    private volatile boolean closed;

    private ConsistentView(
            ConnectionSource connections,
            Dialect dialect,
            int wanted,
            List<SqlTable> tables,
            Opener opener) {
        this.connections = connections;
        boolean done = false;
        try {
            // One more reads wide cells while all others are at work.
            try (Beginning beginning = new Beginning(wanted + 1, tables)) {
                dialect.freeze(beginning);
            }
            usable = Math.max(1, held.size() - 1);
            database = opened(opener);
            done = true;
        } catch (SQLException e) {
            throw new QueryException(
                    QueryException.Kind.DATABASE,
                    "beginning transactions that see the same state failed: " + DriverMessage.of(e),
                    e);
        } finally {
            if (!done) {
                close();
            }
        }
    }

    private Database opened(Opener opener) {
        ConnectionSource pool = new ConnectionSource(new Source(held.subList(0, usable)), null);
        if (held.size() == usable) {
            return opener.open(pool, null);
        }
        Source wide = new Source(List.of(held.getLast()));
        return opener.open(pool, new ConnectionSource(wide, null));
    }

    /** A factory of a database over the view's connections. */
    interface Opener {
        Database open(ConnectionSource connections, @Nullable ConnectionSource forWideCells);
    }

    static ConsistentView open(
            ConnectionSource connections,
            Dialect dialect,
            int wanted,
            List<SqlTable> tables,
            Opener opener) {
        return new ConsistentView(connections, dialect, wanted, tables, opener);
    }

    /** The view while its transactions begin. */
    private final class Beginning implements ViewTransactions, AutoCloseable {
        private final int wanted;
        private final List<SqlTable> tables;
        private final Deque<Connection> reserved = new ArrayDeque<>();

        Beginning(int wanted, List<SqlTable> tables) {
            this.wanted = wanted;
            this.tables = tables;
        }

        @Override
        public int wanted() {
            return wanted;
        }

        @Override
        public int reserve(int most) {
            reserved.add(connections.take());
            while (reserved.size() < most) {
                try {
                    reserved.add(connections.take());
                } catch (QueryException e) {
                    if (Thread.currentThread().isInterrupted()) {
                        throw e;
                    }
                    LOG.log(
                            System.Logger.Level.WARNING,
                            "A view of the database has {0} of the {1} connections that it would read fastest"
                                    + " with: {2}",
                            reserved.size(),
                            most,
                            e.getMessage());
                    break;
                }
            }
            return reserved.size();
        }

        private Connection take() {
            return reserved.isEmpty() ? connections.take() : reserved.remove();
        }

        /** Gives back what was reserved and not needed. */
        @Override
        public void close() {
            while (!reserved.isEmpty()) {
                connections.giveBackQuietly(reserved.remove(), false);
            }
        }

        @Override
        public boolean isEmpty() {
            return held.isEmpty();
        }

        @Override
        public List<SqlTable> tables() {
            return tables;
        }

        @Override
        public Connection begin(int isolation) throws SQLException {
            Connection connection = take();
            held.add(taken(connection));
            if (connection.getMetaData().supportsTransactionIsolationLevel(isolation)) {
                connection.setTransactionIsolation(isolation);
            }
            connection.setAutoCommit(false);
            return connection;
        }

        private Held taken(Connection connection) throws SQLException {
            boolean done = false;
            try {
                Held taken =
                        new Held(
                                connection,
                                connection.getTransactionIsolation(),
                                connection.getAutoCommit());
                done = true;
                return taken;
            } finally {
                if (!done) {
                    connections.giveBackQuietly(connection, true);
                }
            }
        }

        @Override
        public void apart(Action action) throws SQLException {
            Connection connection = take();
            boolean done = false;
            try {
                action.run(connection);
                done = true;
            } finally {
                connections.giveBackQuietly(connection, !done);
            }
        }
    }

    /**
     * Returns the database as it was; it must not be used once the view is closed. More queries at once than {@link
     * #connections} wait for each other. A query that is cancelled, or closed before its last row, may cost the view
     * its connection; with the last one gone, all that follow fail.
     */
    public Database database() {
        return database;
    }

    /** Returns how many queries can run at once: at least one, at the most what was wanted. */
    public int connections() {
        return usable;
    }

    /** Ends the transactions and gives the connections back. Closing twice does no harm. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        RuntimeException failure = null;
        for (Held each : held) {
            try {
                each.release();
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** A connection of the view, with what it was before. */
    private final class Held {
        private final Connection connection;
        private final int isolation;
        private final boolean autoCommit;
        private volatile boolean aborted;

        Held(Connection connection, int isolation, boolean autoCommit) {
            this.connection = connection;
            this.isolation = isolation;
            this.autoCommit = autoCommit;
        }

        void release() {
            boolean broken = aborted;
            try {
                if (!broken) {
                    broken = true;
                    connection.rollback();
                    connection.setAutoCommit(autoCommit);
                    connection.setTransactionIsolation(isolation);
                    broken = false;
                }
            } catch (SQLException e) {
                // A connection that can't be set back is not used again.
            }
            try {
                connections.giveBack(connection, broken);
            } catch (SQLException e) {
                throw new QueryException(
                        QueryException.Kind.DATABASE,
                        "giving a connection back failed: " + DriverMessage.of(e),
                        e);
            }
        }

        /** Returns what a query has of it: it can't end the transaction, and closing it leaves it to the next query. */
        Connection lent(Source source) {
            boolean[] returned = {false};
            return (Connection)
                    Proxy.newProxyInstance(
                            ConsistentView.class.getClassLoader(),
                            new Class<?>[] {Connection.class},
                            (_, method, arguments) ->
                                    switch (method.getName()) {
                                        case "close" -> {
                                            if (!returned[0]) {
                                                returned[0] = true;
                                                source.giveBack(this);
                                            }
                                            yield null;
                                        }
                                        case "abort" -> {
                                            aborted = true;
                                            yield invoke(method, arguments);
                                        }
                                        case "commit",
                                                "rollback",
                                                "setAutoCommit",
                                                "setTransactionIsolation",
                                                "setReadOnly" ->
                                                null;
                                        case "getAutoCommit" -> false;
                                        default -> invoke(method, arguments);
                                    });
        }

        private @Nullable Object invoke(Method method, Object @Nullable [] arguments)
                throws Throwable {
            try {
                return method.invoke(connection, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
            }
        }
    }

    /** The view's connections as a source of such. */
    private final class Source implements javax.sql.DataSource {
        private final BlockingQueue<Held> queue;

        /** How many of them are not broken. */
        private final AtomicInteger left;

        Source(List<Held> held) {
            queue = new LinkedBlockingQueue<>(held);
            left = new AtomicInteger(held.size());
        }

        /** Leaves a connection to the next query; one that is broken only if it was the last, to tell of that. */
        void giveBack(Held returned) {
            if (!returned.aborted || left.decrementAndGet() == 0) {
                queue.add(returned);
            }
        }

        @Override
        public Connection getConnection() throws SQLException {
            try {
                Held next = closed ? null : queue.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
                if (next == null) {
                    throw new SQLTransientConnectionException(
                            closed
                                    ? "the view is closed"
                                    : "every connection of the view was in use for " + PATIENCE);
                }
                if (next.aborted) {
                    queue.add(next);
                    throw new SQLNonTransientConnectionException(
                            "no connection of the view is left: each broke, or its query was cancelled or closed"
                                    + " before its last row; open another view");
                }
                return next.lent(this);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SQLTransientConnectionException("interrupted", e);
            }
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return getConnection();
        }

        @Override
        public java.io.@Nullable PrintWriter getLogWriter() {
            return null;
        }

        @Override
        public void setLogWriter(java.io.@Nullable PrintWriter out) {}

        @Override
        public void setLoginTimeout(int seconds) {}

        @Override
        public int getLoginTimeout() {
            return (int) PATIENCE.toSeconds();
        }

        @Override
        public java.util.logging.Logger getParentLogger() throws SQLFeatureNotSupportedException {
            throw new SQLFeatureNotSupportedException("a view logs nothing");
        }

        @Override
        public <T> T unwrap(Class<T> type) throws SQLException {
            throw new SQLException("a view wraps no " + type.getName());
        }

        @Override
        public boolean isWrapperFor(Class<?> type) {
            return false;
        }
    }
}
