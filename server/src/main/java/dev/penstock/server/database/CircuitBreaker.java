package dev.penstock.server.database;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A circuit breaker between requests and a database: open from the first connection that could not be made because the
 * database is not reachable, until one can be made again. While it is open, whoever wants a connection is refused at
 * once, those included who wait for one already, and the database is tried twice a second in the background.
 * Thread-safe.
 */
public final class CircuitBreaker implements AutoCloseable {
    /** The time after which waiting for a connection of a pool fails. */
    static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(10);

    /**
     * The interval at which those who wait look whether the circuit has opened; the timeout of the pools themselves.
     */
    static final Duration PROBE_INTERVAL = Duration.ofMillis(500);

    private static final System.Logger LOG = System.getLogger("dev.penstock.server");
    private static final int VALID_SECONDS = 2;
    private static final int DEEPEST_CAUSE = 20;

    private final DataSource database;
    private final boolean takesReadOnly;

    /** A source for each pool, however often it is asked for: schemas that are read again ask each time. */
    private final Map<HikariDataSource, DataSource> guarded = new ConcurrentHashMap<>();

    // Guarded by this object.
    private boolean open;
    private @Nullable SQLException failure;
    private boolean closed;

    /**
     * @param database opens connections without a pool
     * @param takesReadOnly whether these can be made read-only
     */
    CircuitBreaker(DataSource database, boolean takesReadOnly) {
        this.database = database;
        this.takesReadOnly = takesReadOnly;
    }

    /** Returns whether connections can be made read-only. */
    boolean takesReadOnly() {
        return takesReadOnly;
    }

    /** Returns a source for pools by which the circuit breaker sees whether connections can be made. */
    DataSource watched() {
        return new WatchedSource();
    }

    /**
     * Returns a source of a pool's connections that refuses while the circuit is open. The pool's own timeout is {@link
     * #PROBE_INTERVAL}.
     */
    public DataSource guarded(HikariDataSource pool) {
        return guarded.computeIfAbsent(pool, GuardedSource::new);
    }

    private synchronized void succeeded() {
        if (open) {
            open = false;
            failure = null;
            LOG.log(System.Logger.Level.INFO, "The database can be reached again");
        }
    }

    private void failed(SQLException reason) {
        if (!isUnreachable(reason)) {
            return;
        }
        synchronized (this) {
            failure = reason;
            if (open || closed) {
                return;
            }
            open = true;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The database can't be reached: requests for it are refused until it can",
                    reason);
        }
        Thread.ofVirtual().name("penstock-database-probe").start(this::probe);
    }

    private synchronized @Nullable SQLException refusal() {
        return open ? new SQLException("the database can't be reached", "08001", failure) : null;
    }

    private synchronized boolean isToBeProbed() {
        return open && !closed;
    }

    private void probe() {
        // Connections that were idle are dead most likely, which their next user would find out.
        guarded.keySet().forEach(CircuitBreaker::evictIdle);
        while (isToBeProbed()) {
            LockSupport.parkNanos(PROBE_INTERVAL.toNanos());
            try (Connection connection = database.getConnection()) {
                if (connection.isValid(VALID_SECONDS)) {
                    succeeded();
                }
            } catch (SQLException | RuntimeException _) {
                // It is tried again.
            }
        }
    }

    private static void evictIdle(HikariDataSource pool) {
        if (pool.isRunning()) {
            pool.getHikariPoolMXBean().softEvictConnections();
        }
    }

    /** Ends the probing. */
    @Override
    public synchronized void close() {
        closed = true;
    }

    /**
     * Returns whether a connection failed because the database is not reachable, is starting or is stopping. One that
     * is refused, for a password or for being one too many, says nothing against those that are there.
     */
    public static boolean isUnreachable(SQLException failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof IOException) {
                return true;
            }
            if (cause instanceof SQLException sql && isState(sql.getSQLState())) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    private static boolean isState(@Nullable String state) {
        return state != null
                && switch (state) {
                    // 57P0x are PostgreSQL's, 90067 is H2's.
                    case "08000", "08001", "08003", "08006", "57P01", "57P02", "57P03", "90067" ->
                            true;
                    default -> false;
                };
    }

    private final class WatchedSource extends DelegatingDataSource {
        WatchedSource() {
            super(database);
        }

        @Override
        public Connection getConnection() throws SQLException {
            try {
                Connection connection = database.getConnection();
                succeeded();
                return connection;
            } catch (SQLException e) {
                failed(e);
                throw e;
            }
        }
    }

    private final class GuardedSource extends DelegatingDataSource {
        private final HikariDataSource pool;

        GuardedSource(HikariDataSource pool) {
            super(pool);
            this.pool = pool;
        }

        @Override
        public Connection getConnection() throws SQLException {
            long deadline = System.nanoTime() + CONNECTION_TIMEOUT.toNanos();
            while (true) {
                SQLException refusal = refusal();
                if (refusal != null) {
                    throw refusal;
                }
                try {
                    return pool.getConnection();
                } catch (SQLTransientConnectionException e) {
                    if (System.nanoTime() >= deadline) {
                        throw new SQLTransientConnectionException(
                                "no connection of the pool %s has become free within %d s"
                                        .formatted(
                                                pool.getPoolName(),
                                                TimeUnit.NANOSECONDS.toSeconds(
                                                        CONNECTION_TIMEOUT.toNanos())),
                                e.getSQLState(),
                                e);
                    }
                }
            }
        }
    }
}
