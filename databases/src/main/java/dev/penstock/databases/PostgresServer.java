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
import java.util.Map;

/** PostgreSQL, from its Maven artifact. Durability is off: what a crash would lose is made again. */
final class PostgresServer implements DatabaseServer {
    private static final int MOST_STARTS = 5;

    /** The settings of a server whose changes can be followed by logical decoding. */
    private static final Map<String, String> LOGICAL =
            Map.of(
                    "wal_level", "logical",
                    "max_replication_slots", "50",
                    "max_wal_senders", "50");

    private final int port;

    /**
     * @param logical whether its log is for logical decoding, which makes it longer
     */
    PostgresServer(boolean logical) {
        Path directory = ServerDirectory.lock(logical ? "postgresql-logical" : "postgresql").path();
        Map<String, String> settings = logical ? LOGICAL : Map.of();
        Path data = directory.resolve("data");
        ServerDirectory.endLeftover(data.resolve("postmaster.pid"), "postgres");
        try {
            EmbeddedPostgres server = startOnFreePort(directory, data, settings);
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
    private static EmbeddedPostgres startOnFreePort(
            Path directory, Path data, Map<String, String> settings) throws IOException {
        for (int start = 1; ; start++) {
            try {
                return start(directory, data, settings);
            } catch (IOException | IllegalStateException e) {
                if (start == MOST_STARTS) {
                    throw e;
                }
            }
        }
    }

    private static EmbeddedPostgres start(Path directory, Path data, Map<String, String> settings)
            throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder();
        settings.forEach(builder::setServerConfig);
        return builder.setOverrideWorkingDirectory(directory.resolve("binaries").toFile())
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
        dropSlots(database);
        DatabaseServer.execute(
                adminUrl(),
                "postgres",
                "",
                "DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
    }

    /** Drops the replication slots of a database, with which it could not be dropped, and ends who reads them. */
    private void dropSlots(String database) throws SQLException {
        String slots = " FROM pg_replication_slots WHERE database = '" + database + "'";
        try (Connection connection = DriverManager.getConnection(adminUrl(), "postgres", "");
                Statement statement = connection.createStatement()) {
            while (count(statement, slots) > 0) {
                statement.execute(
                        "SELECT pg_terminate_backend(active_pid)" + slots + " AND active");
                try {
                    statement.execute(
                            "SELECT pg_drop_replication_slot(slot_name)"
                                    + slots
                                    + " AND NOT active");
                } catch (SQLException e) {
                    // Somebody began to read it in this moment.
                }
            }
        }
    }

    private static int count(Statement statement, String from) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT count(*)" + from)) {
            row.next();
            return row.getInt(1);
        }
    }
}
