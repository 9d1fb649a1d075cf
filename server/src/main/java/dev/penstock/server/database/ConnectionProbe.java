package dev.penstock.server.database;

import dev.penstock.server.config.ConnectionAllowance;
import dev.penstock.server.config.JdbcTarget;
import dev.penstock.server.config.StartupException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The findings of a first, single connection to a database, made before any pool is opened: an unreachable database is
 * reported clearly, and the sizes of the pools follow what the database allows.
 *
 * @param source opens single connections
 * @param allowance how many more connections there may be
 * @param database product, database and schema, for anyone to see: neither the address nor the user
 * @param takesReadOnly whether connections can be made read-only; those of SQLite refuse that
 */
public record ConnectionProbe(
        DriverDataSource source,
        ConnectionAllowance allowance,
        String database,
        boolean takesReadOnly) {
    private static final System.Logger LOG = System.getLogger("dev.penstock.server");
    private static final int LOGIN_SECONDS = 10;

    /** Returns a circuit breaker over the source. The caller closes it. */
    CircuitBreaker circuit() {
        return new CircuitBreaker(source, takesReadOnly);
    }

    /**
     * Connects once.
     *
     * @param schema the schema that must be there, or null
     * @throws StartupException if the database can't be connected to, or has no such schema
     */
    public static ConnectionProbe of(JdbcTarget target, @Nullable String schema) {
        DriverManager.setLoginTimeout(LOGIN_SECONDS);
        DriverDataSource source = new DriverDataSource(target.driver(), target);
        try (Connection connection = source.getConnection()) {
            if (schema != null) {
                requireSchema(connection, schema);
            }
            return new ConnectionProbe(
                    source,
                    ConnectionAllowance.of(connection),
                    describe(connection, schema),
                    takesReadOnly(connection));
        } catch (SQLException e) {
            throw ConnectionFailure.of(e, target);
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
