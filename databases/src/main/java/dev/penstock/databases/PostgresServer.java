package dev.penstock.databases;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** PostgreSQL, from its Maven artifact. Durability is off: what a crash would lose is made again. */
final class PostgresServer implements DatabaseServer {
    private static final int MOST_STARTS = 5;

    private final int port;

    PostgresServer() {
        Path directory = ServerDirectory.lock("postgresql").path();
        Path data = directory.resolve("data");
        ServerDirectory.endLeftover(data.resolve("postmaster.pid"), "postgres");
        try {
            EmbeddedPostgres server = startOnFreePort(directory, data);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server)));
            port = server.getPort();
            prepare();
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL does not start on " + data, e);
        } catch (SQLException e) {
            throw new IllegalStateException("PostgreSQL on " + data + " can't be prepared", e);
        }
    }

    /** Starts it again when it has ended, because a port that was free may be taken before the server listens on it. */
    private static EmbeddedPostgres startOnFreePort(Path directory, Path data) throws IOException {
        for (int start = 1; ; start++) {
            try {
                return start(directory, data);
            } catch (IOException | IllegalStateException e) {
                if (start == MOST_STARTS) {
                    throw e;
                }
            }
        }
    }

    private static EmbeddedPostgres start(Path directory, Path data) throws IOException {
        return EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(directory.resolve("binaries").toFile())
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPGStartupWait(Duration.ofSeconds(60))
                .setServerConfig("fsync", "off")
                .setServerConfig("synchronous_commit", "off")
                .setServerConfig("full_page_writes", "off")
                .setServerConfig("max_connections", "1000")
                .setServerConfig("shared_buffers", "256MB")
                .setServerConfig("max_wal_size", "2GB")
                .setLocaleConfig("locale", "C.UTF-8")
                .setLocaleConfig("encoding", "UTF-8")
                .start();
    }

    private static void close(EmbeddedPostgres server) {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The user, and away with what JVMs that were killed have left. */
    private void prepare() throws SQLException {
        try (Connection connection = DriverManager.getConnection(adminUrl(), "postgres", "");
                Statement statement = connection.createStatement()) {
            try (ResultSet users =
                    statement.executeQuery(
                            "SELECT 1 FROM pg_roles WHERE rolname = '" + USER + "'")) {
                if (!users.next()) {
                    DatabaseServer.execute(
                            adminUrl(),
                            "postgres",
                            "",
                            "CREATE USER " + USER + " SUPERUSER PASSWORD '" + PASSWORD + "'");
                }
            }
            try (ResultSet leftover =
                    statement.executeQuery(
                            "SELECT datname FROM pg_database WHERE datname LIKE '"
                                    + TestDatabase.FRESH_PREFIX.replace("_", "\\_")
                                    + "%'")) {
                while (leftover.next()) {
                    drop(leftover.getString(1));
                }
            }
        }
    }

    private String adminUrl() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    @Override
    public String url(TestDatabase.Kind kind, String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    @Override
    public void create(String database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(adminUrl(), "postgres", "");
                Statement statement = connection.createStatement();
                ResultSet found =
                        statement.executeQuery(
                                "SELECT 1 FROM pg_database WHERE datname = '" + database + "'")) {
            if (found.next()) {
                return;
            }
        }
        DatabaseServer.execute(
                adminUrl(),
                "postgres",
                "",
                "CREATE DATABASE " + database + " OWNER " + USER + " STRATEGY file_copy");
    }

    @Override
    public void drop(String database) throws SQLException {
        DatabaseServer.execute(
                adminUrl(),
                "postgres",
                "",
                "DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
    }
}
