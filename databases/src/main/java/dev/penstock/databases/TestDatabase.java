package dev.penstock.databases;

import javax.sql.DataSource;

/**
 * A fresh, empty database on a real server, for one test or one experiment. Servers start once a JVM, on first use, on
 * data directories that are kept from run to run; they end with the JVM. Closing drops the database.
 */
public final class TestDatabase implements AutoCloseable {
    /** The servers there are. */
    public enum Kind {
        POSTGRESQL,
        MARIADB,
        /** The MariaDB server, through MySQL's driver. */
        MYSQL,
        H2
    }

    private TestDatabase() {}

    /** A fresh database. */
    public static TestDatabase create(Kind kind) {
        throw new UnsupportedOperationException("to be built: " + kind);
    }

    /** What server it is on. */
    public Kind kind() {
        throw new UnsupportedOperationException("to be built");
    }

    /** A JDBC URL that needs nothing beside {@link #user} and {@link #password}. */
    public String url() {
        throw new UnsupportedOperationException("to be built");
    }

    /** The user to connect as, who owns the database. */
    public String user() {
        throw new UnsupportedOperationException("to be built");
    }

    /** The user's password. */
    public String password() {
        throw new UnsupportedOperationException("to be built");
    }

    /** A DataSource without a pool: every connection is a new one. */
    public DataSource dataSource() {
        throw new UnsupportedOperationException("to be built");
    }

    @Override
    public void close() {}
}
