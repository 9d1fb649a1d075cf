package dev.penstock.databases;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * MariaDB, from its Maven artifact. It is {@linkplain MariaDbInstallation installed} once; after that a server is
 * started directly, on a data directory of its own, which takes a third of a second. Durability is off: what a crash
 * would lose is made again. A second one, on a directory of its own, writes a binary log of rows, which would slow the
 * tests that need none; it speaks TLS, with a certificate for localhost that vouches for itself.
 */
final class MariaDbServer implements DatabaseServer {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    /** How often it is started: a port that was free may be taken before the server listens on it. */
    private static final int MOST_STARTS = 5;

    private static final List<String> WITHOUT_LOG =
            List.of("--skip-ssl", "--innodb-buffer-pool-size=512M", "--innodb-log-file-size=512M");

    private static final List<String> WITH_LOG =
            List.of(
                    "--log-bin=mariadb-bin",
                    "--binlog-format=ROW",
                    "--server-id=1",
                    "--max-binlog-size=64M",
                    "--max-binlog-total-size=512M",
                    "--innodb-buffer-pool-size=128M",
                    "--innodb-log-file-size=96M");

    private final int port;

    /**
     * @param logged whether it writes a binary log
     */
    MariaDbServer(boolean logged) {
        Path directory = ServerDirectory.lock(logged ? "mariadb-binlog" : "mariadb").path();
        Path pidFile = directory.resolve("mariadbd.pid");
        ServerDirectory.endLeftover(pidFile, "mariadbd");
        try {
            MariaDbInstallation installation = MariaDbInstallation.get();
            port =
                    startOnFreePort(
                            installation,
                            directory,
                            pidFile,
                            logged ? withLog(directory) : WITHOUT_LOG);
            prepare();
        } catch (IOException e) {
            throw new UncheckedIOException("MariaDB does not start on " + directory, e);
        } catch (SQLException e) {
            throw new IllegalStateException("MariaDB on " + directory + " can't be prepared", e);
        }
    }

    /** Without a certificate, it makes one at each start, which takes up to a minute where processors are busy. */
    private static List<String> withLog(Path directory) throws IOException {
        List<String> settings = new ArrayList<>(WITH_LOG);
        settings.add("--ssl-cert=" + copied("localhost.crt", directory));
        settings.add("--ssl-key=" + copied("localhost.key", directory));
        return settings;
    }

    private static Path copied(String resource, Path directory) throws IOException {
        Path file = directory.resolve(resource);
        try (InputStream in = MariaDbServer.class.getResourceAsStream(resource)) {
            Files.copy(requireNonNull(in), file, StandardCopyOption.REPLACE_EXISTING);
        }
        return file;
    }

    private static int startOnFreePort(
            MariaDbInstallation installation, Path directory, Path pidFile, List<String> settings)
            throws IOException, SQLException {
        for (int start = 1; ; start++) {
            int port = freePort();
            Process process = start(installation, directory, pidFile, port, settings);
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(() -> ServerDirectory.end(process.toHandle())));
            if (await(process, directory, pidFile, port)) {
                return port;
            }
            if (start == MOST_STARTS) {
                throw new IOException(
                        "it ended at each of %d starts; see %s"
                                .formatted(MOST_STARTS, directory.resolve("server.log")));
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Process start(
            MariaDbInstallation installation,
            Path directory,
            Path pidFile,
            int port,
            List<String> settings)
            throws IOException {
        Path base = installation.base();
        // A server that starts deletes the temporary tables in its directory, so each server has
        // its own.
        Path temporary = Files.createDirectories(directory.resolve("tmp"));
        // Socket paths are limited to about 100 bytes, which a deep home would pass.
        Path socket = Files.createTempFile("penstock", ".sock");
        Files.delete(socket);
        List<String> command =
                new ArrayList<>(
                        List.of(
                                base.resolve("bin/mariadbd").toString(),
                                "--no-defaults",
                                "--basedir=" + base,
                                "--datadir=" + installation.dataFor(directory),
                                "--tmpdir=" + temporary,
                                "--pid-file=" + pidFile,
                                "--socket=" + socket,
                                "--port=" + port,
                                "--bind-address=127.0.0.1"));
        command.addAll(
                List.of(
                        "--user=root",
                        "--init-file=" + userScript(directory),
                        "--skip-name-resolve",
                        "--character-set-server=utf8mb4",
                        "--max-connections=1300",
                        "--max-allowed-packet=256M",
                        "--local-infile=1",
                        "--sql-mode=STRICT_TRANS_TABLES",
                        "--innodb-flush-log-at-trx-commit=0",
                        "--innodb-doublewrite=0"));
        command.addAll(settings);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("LD_LIBRARY_PATH", base.resolve("libs").toString());
        builder.redirectErrorStream(true).redirectOutput(directory.resolve("server.log").toFile());
        return builder.start();
    }

    /** Makes the user at start: over TCP, nobody else may connect. */
    private static Path userScript(Path directory) throws IOException {
        String user = "'" + USER + "'@'%'";
        return Files.writeString(
                directory.resolve("user.sql"),
                """
                CREATE USER IF NOT EXISTS %s IDENTIFIED BY '%s';
                GRANT ALL PRIVILEGES ON *.* TO %s WITH GRANT OPTION;
                """
                        .formatted(user, PASSWORD, user));
    }

    /** Waits until the server answers. Returns false if it has ended, as it does where its port has been taken. */
    private static boolean await(Process process, Path directory, Path pidFile, int port)
            throws IOException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        SQLException last = null;
        while (process.isAlive()) {
            try {
                if (answers(pidFile, port)) {
                    return true;
                }
            } catch (SQLException e) {
                last = e;
            }
            if (System.nanoTime() > deadline) {
                throw new IOException(
                        "no connection; see " + directory.resolve("server.log"), last);
            }
            java.util.concurrent.locks.LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
        return false;
    }

    /** Returns whether it is this server, and no other one that got the port, that answers there. */
    private static boolean answers(Path pidFile, int port) throws SQLException {
        try (Connection connection = DriverManager.getConnection(adminUrl(port), USER, PASSWORD);
                Statement statement = connection.createStatement();
                ResultSet name = statement.executeQuery("SELECT @@pid_file")) {
            return name.next() && Path.of(name.getString(1)).equals(pidFile);
        }
    }

    /** Drops what a JVM has left that was killed; distributed transactions first, for they hold locks. */
    private void prepare() throws SQLException {
        try (Connection connection = DriverManager.getConnection(adminUrl(), USER, PASSWORD);
                Statement statement = connection.createStatement()) {
            for (String xid : texts(statement, "XA RECOVER FORMAT='SQL'", 4)) {
                statement.execute("XA ROLLBACK " + xid);
            }
            String fresh = TestDatabase.FRESH_PREFIX.replace("_", "\\_") + "%";
            for (String database : texts(statement, "SHOW DATABASES LIKE '" + fresh + "'", 1)) {
                drop(database);
            }
        }
    }

    private static List<String> texts(Statement statement, String question, int column)
            throws SQLException {
        List<String> texts = new ArrayList<>();
        try (ResultSet row = statement.executeQuery(question)) {
            while (row.next()) {
                texts.add(row.getString(column));
            }
        }
        return texts;
    }

    private String adminUrl() {
        return adminUrl(port);
    }

    private static String adminUrl(int port) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/mysql?sslMode=disable";
    }

    @Override
    public String url(TestDatabase.Kind kind, String database) {
        return kind == TestDatabase.Kind.MYSQL
                ? "jdbc:mysql://127.0.0.1:"
                        + port
                        + "/"
                        + database
                        + "?sslMode=DISABLED&allowPublicKeyRetrieval=true"
                : "jdbc:mariadb://127.0.0.1:" + port + "/" + database + "?sslMode=disable";
    }

    @Override
    public void create(String database) throws SQLException {
        DatabaseServer.execute(
                adminUrl(),
                USER,
                PASSWORD,
                "CREATE DATABASE IF NOT EXISTS " + database + " CHARACTER SET utf8mb4");
    }

    @Override
    public void drop(String database) throws SQLException {
        DatabaseServer.execute(adminUrl(), USER, PASSWORD, "DROP DATABASE IF EXISTS " + database);
    }
}
