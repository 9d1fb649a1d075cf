package dev.penstock.server.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.query.sql.Database;
import dev.penstock.server.config.ConcurrencyLimits;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one database, a pool for each use, so that none waits for another's: a pool that has to open a
 * hundred connections for bulk reads would keep short requests waiting in the same queue; and cursors alone may empty a
 * pool in which they then wait for the second connection that a wide cell needs.
 */
public record ConnectionPools(
        CircuitBreaker circuit,
        HikariDataSource bulk,
        HikariDataSource shortRequests,
        HikariDataSource wideCells,
        HikariDataSource loading,
        HikariDataSource health)
        implements AutoCloseable {
    private static final int MINIMUM_IDLE = 2;
    private static final Duration VALIDATION_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration KEEPALIVE = Duration.ofMinutes(2);
    private static final Duration MAX_LIFETIME = Duration.ofMinutes(30);
    private static final int WIDE_CELL_CONNECTIONS = 2;

    /** Two that read, one for wide cells, and one that locks tables for a moment, so that all read the same state. */
    private static final int LOADING_CONNECTIONS = 4;

    public static ConnectionPools open(ConnectionProbe probe, ConcurrencyLimits limits) {
        CircuitBreaker circuit = probe.circuit();
        return new ConnectionPools(
                circuit,
                open(circuit, "penstock-bulk", limits.bulk()),
                open(circuit, "penstock-short", limits.shortRequests()),
                open(circuit, "penstock-wide-cells", WIDE_CELL_CONNECTIONS),
                openRare(circuit, "penstock-loading", LOADING_CONNECTIONS),
                openRare(circuit, "penstock-health", 1));
    }

    /** Opens a pool of at most {@code size} read-only connections. The caller closes it. */
    static HikariDataSource open(CircuitBreaker circuit, String name, int size) {
        return open(circuit, name, size, size > MINIMUM_IDLE ? MINIMUM_IDLE : 0);
    }

    /** Opens a pool that keeps no idle connections. */
    private static HikariDataSource openRare(CircuitBreaker circuit, String name, int size) {
        return open(circuit, name, size, 0);
    }

    private static HikariDataSource open(
            CircuitBreaker circuit, String name, int size, int minimumIdle) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setDataSource(circuit.watched());
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(minimumIdle);
        config.setConnectionTimeout(CircuitBreaker.PROBE_INTERVAL.toMillis());
        config.setValidationTimeout(VALIDATION_TIMEOUT.toMillis());
        config.setIdleTimeout(IDLE_TIMEOUT.toMillis());
        config.setKeepaliveTime(KEEPALIVE.toMillis());
        config.setMaxLifetime(MAX_LIFETIME.toMillis());
        config.setReadOnly(circuit.takesReadOnly());
        config.setAutoCommit(false);
        // The probe has seen the database; should it go away right now, requests will tell.
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    /** Returns the database over the connections of bulk reads. */
    public Database database(@Nullable String schema) {
        return Database.builder(circuit.guarded(bulk))
                .schema(schema)
                .evictor(bulk::evictConnection)
                .wideCellSource(circuit.guarded(wideCells))
                .connect();
    }

    /** Returns the same database over the connections of short requests. */
    public Database forShortRequests(Database database) {
        return database.over(circuit.guarded(shortRequests), shortRequests::evictConnection);
    }

    /** Returns the same database over the connections that load tables. */
    public Database forLoading(Database database) {
        return database.over(circuit.guarded(loading), loading::evictConnection);
    }

    /** Returns all pools. */
    public List<HikariDataSource> all() {
        return List.of(bulk, shortRequests, wideCells, loading, health);
    }

    @Override
    public void close() {
        circuit.close();
        health.close();
        loading.close();
        wideCells.close();
        shortRequests.close();
        bulk.close();
    }
}
