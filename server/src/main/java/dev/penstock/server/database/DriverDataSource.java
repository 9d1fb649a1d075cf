package dev.penstock.server.database;

import dev.penstock.server.config.JdbcTarget;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source of new connections of one driver to one database. Thread-safe. */
public final class DriverDataSource implements DataSource {
    private final Driver driver;
    private final JdbcTarget target;

    public DriverDataSource(Driver driver, JdbcTarget target) {
        this.driver = driver;
        this.target = target;
    }

    /** Returns the database. */
    public JdbcTarget target() {
        return target;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return connect(target.properties());
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        Properties properties = target.properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        return connect(properties);
    }

    private Connection connect(Properties properties) throws SQLException {
        Connection connection = driver.connect(target.url(), properties);
        if (connection == null) {
            throw new SQLNonTransientConnectionException(
                    "the driver does not understand the URL " + target, "08001");
        }
        return connection;
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) {
        // The drivers log by themselves.
    }

    @Override
    public void setLoginTimeout(int seconds) {
        // DriverManager's holds for all drivers; see ConnectionProbe.
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return driver.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) {
            return type.cast(this);
        }
        throw new SQLException("a DriverDataSource wraps no " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}
