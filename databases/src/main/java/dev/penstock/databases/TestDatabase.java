package dev.penstock.databases;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database on a real server, for one test or one experiment. Servers start once a JVM, on first use, on data
 * directories that are kept from run to run (system property {@code penstock.databases}, by default {@code
 * ~/.cache/penstock/databases}); they end with the JVM. Thread-safe.
 */
public final class TestDatabase implements AutoCloseable {
    /** What the names of fresh databases begin with. */
    static final String FRESH_PREFIX = "fresh_";

    private static final int MOST_POOLED = 24;

    /** The servers there are. */
    public enum Kind {
        POSTGRESQL,
        MARIADB,
        /** The MariaDB server, through MySQL's driver. */
        MYSQL,
        H2;

        DatabaseServer server() {
            return switch (this) {
                case POSTGRESQL -> Postgres.SERVER;
                case MARIADB, MYSQL -> MariaDb.SERVER;
                case H2 -> H2Holder.SERVER;
            };
        }

        DatabaseServer loggedServer() {
            return switch (this) {
                case POSTGRESQL -> LogicalPostgres.SERVER;
                case MARIADB, MYSQL -> LoggedMariaDb.SERVER;
                case H2 ->
                        throw new IllegalArgumentException(
                                "there is no server of " + this + " whose log tells of changes");
            };
        }
    }

    private static final class Postgres {
        static final DatabaseServer SERVER = new PostgresServer(false);
    }

    private static final class LogicalPostgres {
        static final DatabaseServer SERVER = new PostgresServer(true);
    }

    private static final class MariaDb {
        static final DatabaseServer SERVER = new MariaDbServer(false);
    }

    private static final class LoggedMariaDb {
        static final DatabaseServer SERVER = new MariaDbServer(true);
    }

    private static final class H2Holder {
        static final DatabaseServer SERVER = new H2Server();
    }

    private final Kind kind;
    private final DatabaseServer server;
    private final String name;
    private @Nullable HikariDataSource pool;

    private TestDatabase(Kind kind, DatabaseServer server, String name) {
        this.kind = kind;
        this.server = server;
        this.name = name;
        try {
            server.create(name);
        } catch (SQLException e) {
            throw new IllegalStateException("can't make the database " + name + " on " + kind, e);
        }
    }

    /** A fresh, empty database, which {@link #close} drops. */
    public static TestDatabase create(Kind kind) {
        return new TestDatabase(kind, kind.server(), freshName());
    }

    /**
     * A fresh, empty database on a server whose log tells of changes: PostgreSQL with {@code wal_level = logical},
     * MariaDB with a binary log of rows. {@link #close} drops it, with its replication slots.
     */
    public static TestDatabase createLogged(Kind kind) {
        return new TestDatabase(kind, kind.loggedServer(), freshName());
    }

    private static String freshName() {
        return FRESH_PREFIX
                + Long.toString(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE), 36);
    }

    /**
     * A database that is kept from run to run, empty when it is made; {@link #close} leaves it.
     *
     * @param name lower-case letters, digits and underscores, not beginning with {@code fresh_}
     */
    public static TestDatabase kept(Kind kind, String name) {
        if (!name.matches("[a-z][a-z0-9_]{0,40}") || name.startsWith(FRESH_PREFIX)) {
            throw new IllegalArgumentException("\"" + name + "\" is no name of a kept database");
        }
        return new TestDatabase(kind, kind.server(), name);
    }

    /** What server it is on. */
    public Kind kind() {
        return kind;
    }

    /** A JDBC URL that needs nothing beside {@link #user} and {@link #password}. */
    public String url() {
        return server.url(kind, name);
    }

    /** The user to connect as, who owns the database. */
    public String user() {
        return DatabaseServer.USER;
    }

    /** The user's password. */
    public String password() {
        return DatabaseServer.PASSWORD;
    }

    /** A new connection. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url(), user(), password());
    }

    /** Runs statements one by one. */
    public void execute(String... statements) {
        try {
            DatabaseServer.execute(url(), user(), password(), statements);
        } catch (SQLException e) {
            throw new IllegalStateException(kind + ": " + e.getMessage(), e);
        }
    }

    /** A DataSource without a pool: every connection is a new one. */
    public DataSource dataSource() {
        return new Unpooled();
    }

    /**
     * A DataSource whose connections are used again, until {@link #close}: for a test that asks many questions, each of
     * which takes less time than a new connection.
     */
    public synchronized DataSource pooled() {
        HikariDataSource known = pool;
        if (known == null) {
            HikariConfig config = new HikariConfig();
            config.setDataSource(dataSource());
            config.setMaximumPoolSize(MOST_POOLED);
            config.setMinimumIdle(0);
            config.setConnectionTimeout(Duration.ofMinutes(5).toMillis());
            known = new HikariDataSource(config);
            pool = known;
        }
        return known;
    }

    /** Closes the pool, if there is one; drops a fresh database, and leaves a kept one. */
    @Override
    public synchronized void close() {
        if (pool != null) {
            pool.close();
        }
        if (!name.startsWith(FRESH_PREFIX)) {
            return;
        }
        try {
            server.drop(name);
        } catch (SQLException e) {
            throw new IllegalStateException("can't drop the database " + name + " on " + kind, e);
        }
    }

    private final class Unpooled extends UnpooledDataSource {
        @Override
        public Connection getConnection() throws SQLException {
            return connect();
        }
    }
}
