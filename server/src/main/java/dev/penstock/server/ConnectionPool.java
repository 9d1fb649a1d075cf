package dev.penstock.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The way to open a pool of connections to one database: first a single one, so that what is wrong is said clearly and the
 * pool's size can follow what the database allows; then the pool.
 */
final class ConnectionPool {
    private static final System.Logger LOG = System.getLogger("dev.penstock.server");
    private static final int LOGIN_SECONDS = 10;
    private static final int MINIMUM_IDLE = 2;
    private static final Duration VALIDATION_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration IDLE_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration KEEPALIVE = Duration.ofMinutes(2);
    private static final Duration MAX_LIFETIME = Duration.ofMinutes(30);

    private ConnectionPool() {}

    /**
     * What the first connection found.
     *
     * @param source gives single connections
     * @param allowance how many more there may be
     * @param database product, database and schema, for anyone to see: not where it is, nor who connects
     * @param takesReadOnly whether connections can be made read-only; those of SQLite refuse that
     */
    record Probe(
            DriverSource source,
            ConnectionAllowance allowance,
            String database,
            boolean takesReadOnly) {
        /** Sees whether the database can be reached. The caller closes it. */
        DatabaseCircuit circuit() {
            return new DatabaseCircuit(source, takesReadOnly);
        }
    }

    /** A pool of read-only connections, {@code size} of them at the most. The caller closes it. */
    static HikariDataSource open(DatabaseCircuit circuit, String name, int size) {
        return open(circuit, name, size, size > MINIMUM_IDLE ? MINIMUM_IDLE : 0);
    }

    /** The same without connections while nobody uses any. */
    static HikariDataSource openRare(DatabaseCircuit circuit, String name, int size) {
        return open(circuit, name, size, 0);
    }

    private static HikariDataSource open(
            DatabaseCircuit circuit, String name, int size, int minimumIdle) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setDataSource(circuit.watched());
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(minimumIdle);
        config.setConnectionTimeout(DatabaseCircuit.STEP.toMillis());
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

    /**
     * Connects once.
     *
     * @param schema the schema that must be there, or null
     * @throws StartupException if the database can't be connected to, or has no such schema
     */
    static Probe probe(JdbcTarget target, @Nullable String schema) {
        DriverManager.setLoginTimeout(LOGIN_SECONDS);
        DriverSource source = new DriverSource(target.driver(), target);
        try (Connection connection = source.getConnection()) {
            if (schema != null) {
                requireSchema(connection, schema);
            }
            return new Probe(
                    source,
                    ConnectionAllowance.of(connection),
                    describe(connection, schema),
                    takesReadOnly(connection));
        } catch (SQLException e) {
            throw ConnectFailure.of(e, target);
        }
    }

    private static boolean takesReadOnly(Connection connection) {
        try {
            connection.setReadOnly(true);
            return true;
        } catch (SQLException e) {
            LOG.log(System.Logger.Level.DEBUG, "connections are not made read-only", e);
            return false;
        }
    }

    private static String describe(Connection connection, @Nullable String schema)
            throws SQLException {
        DatabaseMetaData metaData = connection.getMetaData();
        String product = metaData.getDatabaseProductName();
        String database = connection.getCatalog();
        if (!metaData.supportsSchemasInTableDefinitions()) {
            return describe(product, schema != null ? schema : database, null);
        }
        return describe(product, database, schema != null ? schema : connection.getSchema());
    }

    static String describe(String product, @Nullable String database, @Nullable String schema) {
        return product
                + (database == null || database.isEmpty() ? "" : ", database " + database)
                + (schema == null || schema.isEmpty() ? "" : ", schema " + schema);
    }

    private static void requireSchema(Connection connection, String schema) throws SQLException {
        TreeSet<String> names = new TreeSet<>();
        DatabaseMetaData metaData = connection.getMetaData();
        boolean catalogs = !metaData.supportsSchemasInTableDefinitions();
        try (ResultSet rows = catalogs ? metaData.getCatalogs() : metaData.getSchemas()) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        if (names.stream().noneMatch(schema::equalsIgnoreCase)) {
            throw new StartupException(
                    "--schema "
                            + schema
                            + " is not in the database: choose one of "
                            + String.join(", ", names));
        }
    }
}
