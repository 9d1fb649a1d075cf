package dev.penstock.bench.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.databases.TestDatabase;
import dev.penstock.query.sql.Database;
import dev.penstock.query.sql.DriverSettings;
import java.io.Serializable;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/** A database as a child is told of it. */
public record DatabaseAddress(String url, String user, String password) implements Serializable {
    /** The address of a database. */
    public static DatabaseAddress of(TestDatabase database) {
        return new DatabaseAddress(database.url(), database.user(), database.password());
    }

    /** Makes a pool with all its connections open, so that opening them is not measured. */
    public HikariDataSource pool(int size) {
        HikariConfig configuration = new HikariConfig();
        configuration.setJdbcUrl(url);
        configuration.setUsername(user);
        configuration.setPassword(password);
        configuration.setDataSourceProperties(DriverSettings.of(url));
        configuration.setMaximumPoolSize(size);
        configuration.setMinimumIdle(size);
        return new HikariDataSource(configuration);
    }

    /** Opens a connection with the same settings as a pool's. */
    public Connection connect() throws SQLException {
        Properties properties = DriverSettings.of(url);
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        return DriverManager.getConnection(url, properties);
    }

    /** Returns the engine on a pool. */
    public static Database engine(HikariDataSource pool) {
        return Database.builder(pool).evictor(pool::evictConnection).connect();
    }
}
