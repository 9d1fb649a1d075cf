package dev.penstock.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.query.sql.Database;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one database, a pool for each use, so that none waits for another's: a pool that has to open a hundred connections
 * for bulk reads would keep short requests waiting in the same queue; and cursors alone may empty a pool in which they then wait for the
 * second connection that a wide cell needs.
 */
record Pools(
        DatabaseCircuit circuit,
        HikariDataSource bulk,
        HikariDataSource shortRequests,
        HikariDataSource wideCells,
        HikariDataSource loading,
        HikariDataSource health)
        implements AutoCloseable {
    private static final int WIDE_CELL_CONNECTIONS = 2;

    /** Two that read, one for wide cells, and one that locks tables for a moment so that all see the same. */
    private static final int LOADING_CONNECTIONS = 4;

    static Pools open(ConnectionPool.Probe probe, Limits limits) {
        DatabaseCircuit circuit = probe.circuit();
        return new Pools(
                circuit,
                ConnectionPool.open(circuit, "penstock-bulk", limits.bulk()),
                ConnectionPool.open(circuit, "penstock-short", limits.shortRequests()),
                ConnectionPool.open(circuit, "penstock-wide-cells", WIDE_CELL_CONNECTIONS),
                ConnectionPool.openRare(circuit, "penstock-loading", LOADING_CONNECTIONS),
                ConnectionPool.openRare(circuit, "penstock-health", 1));
    }

    /** The database as bulk reads use it. */
    Database database(@Nullable String schema) {
        return Database.builder(circuit.guarded(bulk))
                .schema(schema)
                .evictor(bulk::evictConnection)
                .wideCellSource(circuit.guarded(wideCells))
                .connect();
    }

    /** The same database as short requests use it. */
    Database forShortRequests(Database database) {
        return database.over(circuit.guarded(shortRequests), shortRequests::evictConnection);
    }

    /** The same database as tables are loaded from it. */
    Database forLoading(Database database) {
        return database.over(circuit.guarded(loading), loading::evictConnection);
    }

    /** All of them. */
    List<HikariDataSource> all() {
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
