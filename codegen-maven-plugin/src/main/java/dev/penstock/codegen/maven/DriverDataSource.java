package dev.penstock.codegen.maven;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * New connections by a driver among the plugin's dependencies. {@code DriverManager} knows the drivers of whichever
 * plugin asked it first.
 */
final class DriverDataSource implements DataSource {
    private final String url;
    private final Properties properties = new Properties();

    DriverDataSource(String url, @Nullable String user, @Nullable String password) {
        this.url = url;
        if (user != null) {
            properties.setProperty("user", user);
        }
        if (password != null) {
            properties.setProperty("password", password);
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        for (Driver driver :
                ServiceLoader.load(Driver.class, DriverDataSource.class.getClassLoader())) {
            if (driver.acceptsURL(url)) {
                Connection connection = driver.connect(url, properties);
                if (connection != null) {
                    return connection;
                }
            }
        }
        String scheme = url.replaceFirst("^(jdbc:[^:]*:).*", "$1");
        throw new SQLException(
                "no driver is there for "
                        + scheme
                        + " URLs: add the driver to the <dependencies> of the plugin");
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return new DriverDataSource(url, user, password).getConnection();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("this DataSource logs nothing");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("this DataSource wraps nothing, and no " + type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
