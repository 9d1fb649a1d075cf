package dev.penstock.databases;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
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
    /**
     * The first port that is tried. These ports are below those that a system gives to whoever asks for any, so that no
     * other test's socket is in the way, and each directory of one root has its own: a server that finds its port taken
     * by that of another JVM would not start, and its JVM would use, and clean, the other's databases.
     */
    private static final int FIRST_PORT = 20_000;

    private static final int MOST_STARTS = 5;

    /** Of a database that a session still uses, though it was told to end: SQLSTATE object_in_use. */
    private static final String IN_USE = "55006";

    private static final int MOST_TRIES = 12;

    /** The settings of a server whose changes can be followed by logical decoding. */
    private static final Map<String, String> LOGICAL =
            Map.of(
                    "wal_level", "logical",
                    "max_replication_slots", "50",
                    "max_wal_senders", "50");

    /** The version from which on a new database can be a copy of files or of blocks; before, it was one of files. */
    private static final int STRATEGIES = 15;

    private final int port;
    private final String strategy;

    /**
     * @param logical whether its log is for logical decoding, which makes it longer
     */
    PostgresServer(boolean logical) {
        ServerDirectory slot = ServerDirectory.lock(logical ? "postgresql-logical" : "postgresql");
        Path data = slot.path().resolve("data");
        ServerDirectory.endLeftover(data.resolve("postmaster.pid"), "postgres");
        try {
            EmbeddedPostgres server = startOnOwnPort(slot, data, logical);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server)));
            port = server.getPort();
            strategy = version() < STRATEGIES ? "" : " STRATEGY file_copy";
            prepare();
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL does not start on " + data, e);
        } catch (SQLException e) {
            throw new IllegalStateException("PostgreSQL on " + data + " can't be prepared", e);
        }
    }

    /** Starts it on the first of the directory's ports on which nobody listens, and on which it answers itself. */
    private static EmbeddedPostgres startOnOwnPort(ServerDirectory slot, Path data, boolean logical)
            throws IOException, SQLException {
        IOException failure = new IOException("no port is free");
        for (int i = 0; i < MOST_STARTS; i++) {
            int own =
                    FIRST_PORT
                            + 2 * (slot.slot() + i * ServerDirectory.MAX_JVMS)
                            + (logical ? 1 : 0);
            if (!isFree(own)) {
                continue;
            }
            // A start that has failed leaves this locked for its JVM.
            Files.deleteIfExists(data.resolve("epg-lock"));
            try {
                EmbeddedPostgres server =
                        start(slot.path(), data, logical ? LOGICAL : Map.of(), own);
                String answers = dataDirectory(own);
                if (Files.isSameFile(Path.of(answers), data)) {
                    return server;
                }
                close(server);
                failure = new IOException("on port " + own + " answers that of " + answers);
            } catch (IOException | IllegalStateException e) {
                failure = new IOException("it does not start on port " + own, e);
            }
        }
        throw failure;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns where the server that answers has its data: who waits for a start only asks whether somebody answers. */
    private static String dataDirectory(int port) throws SQLException {
        try (Connection connection = DriverManager.getConnection(adminUrl(port), "postgres", "");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW data_directory")) {
            row.next();
            return row.getString(1);
        }
    }

    private static EmbeddedPostgres start(
            Path directory, Path data, Map<String, String> settings, int port) throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder();
        settings.forEach(builder::setServerConfig);
        return builder.setOverrideWorkingDirectory(directory.resolve("binaries").toFile())
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPort(port)
                .setPGStartupWait(Duration.ofMinutes(2))
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
                    execute("CREATE USER " + USER + " SUPERUSER PASSWORD '" + PASSWORD + "'");
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

    private int version() throws SQLException {
        try (Connection connection = DriverManager.getConnection(adminUrl(), "postgres", "")) {
            return connection.getMetaData().getDatabaseMajorVersion();
        }
    }

    private String adminUrl() {
        return adminUrl(port);
    }

    private static String adminUrl(int port) {
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
        execute("CREATE DATABASE " + database + " OWNER " + USER + strategy);
    }

    @Override
    public void drop(String database) throws SQLException {
        dropSlots(database);
        execute("DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
    }

    /** Executes a statement; again where a session does not end in the five seconds for which PostgreSQL waits. */
    private void execute(String sql) throws SQLException {
        for (int i = 1; ; i++) {
            try {
                DatabaseServer.execute(adminUrl(), "postgres", "", sql);
                return;
            } catch (SQLException e) {
                if (i == MOST_TRIES || !IN_USE.equals(e.getSQLState())) {
                    throw e;
                }
            }
        }
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
