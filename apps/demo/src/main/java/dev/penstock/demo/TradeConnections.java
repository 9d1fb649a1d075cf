package dev.penstock.demo;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.daytrader.run.PoolSettings;
import dev.penstock.server.config.JdbcTarget;
import dev.penstock.server.config.StartupException;
import dev.penstock.server.database.DriverDataSource;
import dev.penstock.server.log.Logging;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The connections of the trading application: new ones where each instance of the services holds its own, else those of
 * a pool.
 */
record TradeConnections(DataSource source, @Nullable HikariDataSource pool)
        implements AutoCloseable {
    private static final int DEFAULT = 20;
    private static final int MOST = 10_000;
    private static final long TIMEOUT_MILLIS = 10_000;

    /**
     * Opens them.
     *
     * @param size of the pool; null for the default
     */
    static TradeConnections open(
            JdbcTarget target, @Nullable PoolSettings instances, @Nullable Integer size) {
        DataSource direct = new DriverDataSource(target.driver(), target);
        if (instances != null && instances.holdsConnections()) {
            return new TradeConnections(direct, null);
        }
        int connections = size == null ? DEFAULT : size;
        if (connections < 1 || connections > MOST) {
            throw new StartupException(
                    "--connections %d is out of range; it can be 1 to %d"
                            .formatted(connections, MOST));
        }
        HikariConfig config = new HikariConfig();
        config.setPoolName("daytrader");
        config.setDataSource(direct);
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(Math.min(2, connections));
        config.setConnectionTimeout(TIMEOUT_MILLIS);
        config.setInitializationFailTimeout(-1);
        HikariDataSource pool = new HikariDataSource(config);
        return new TradeConnections(pool, pool);
    }

    @Override
    public void close() {
        if (pool != null) {
            Logging.quietenPools();
            pool.close();
        }
    }
}
