package dev.penstock.query.sql;

import dev.penstock.databases.UnpooledDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** Connections by URL, one after the other. */
public final class UrlDataSource extends UnpooledDataSource {
    private final String url;
    private final String user;
    private final String password;

    public UrlDataSource(String url, String user, String password) {
        this.url = url;
        this.user = user;
        this.password = password;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return DriverManager.getConnection(url, user, password);
    }
}
