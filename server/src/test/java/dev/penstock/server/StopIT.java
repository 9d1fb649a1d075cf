package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a download when the server is told to stop. */
class StopIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int ROWS = 200_000;

    @TempDir private Path directory;

    @Test
    void stop_duringADownload_letsItFinish() throws Exception {
        try (PenstockProcess server = serving("--stop-timeout", "10m");
                StalledReaders readers = new StalledReaders(server.port())) {
            BufferedReader response = downloading(readers);
            server.terminate();
            Await.until(LIMIT, () -> refusesConnections(server.port()));
            assertThat(server.isAlive()).isTrue();
            List<String> lines = response.readAllLines();
            assertThat(lines).hasSizeGreaterThan(ROWS).endsWith("0", "");
            assertThat(server.exitCode(LIMIT)).isZero();
        }
    }

    @Test
    void stop_secondSignal_endsAtOnce() throws Exception {
        try (PenstockProcess server = serving("--stop-timeout", "10m");
                StalledReaders readers = new StalledReaders(server.port())) {
            downloading(readers);
            server.terminate();
            Await.until(LIMIT, () -> refusesConnections(server.port()));
            server.terminate();
            assertThat(server.exitCode(LIMIT)).isEqualTo(143);
        }
    }

    @Test
    void stop_timeoutOver_breaksTheDownload() throws Exception {
        try (PenstockProcess server = serving("--stop-timeout", "500ms");
                StalledReaders readers = new StalledReaders(server.port())) {
            BufferedReader response = downloading(readers);
            server.terminate();
            assertThat(server.exitCode(LIMIT)).isZero();
            assertThat(endsCleanly(response)).isFalse();
        }
    }

    private PenstockProcess serving(String... more) throws Exception {
        String url = "jdbc:h2:" + directory.resolve("shop") + ";USER=sa";
        try (var connection = java.sql.DriverManager.getConnection(url);
                var statement = connection.createStatement()) {
            statement.execute(
                    "CREATE VIEW number AS SELECT x AS n, REPEAT('x', 50) AS text FROM SYSTEM_RANGE(1, "
                            + ROWS
                            + ")");
        }
        List<String> arguments = new java.util.ArrayList<>(List.of("serve", "--jdbc", url));
        arguments.addAll(List.of(more));
        return PenstockProcess.serving("64m", Map.of(), arguments);
    }

    /** A download whose head has been read, and that fills every buffer on its way. */
    private static BufferedReader downloading(StalledReaders readers) throws IOException {
        readers.open("/api/number?format=ndjson", 1);
        Socket socket = readers.get(0);
        BufferedReader response =
                new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8),
                        256);
        assertThat(response.readLine()).isEqualTo("HTTP/1.1 200 OK");
        return response;
    }

    private static boolean refusesConnections(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return !socket.isConnected();
        } catch (ConnectException _) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    /** Returns whether a chunked response has its last chunk. */
    private static boolean endsCleanly(BufferedReader response) {
        try {
            return "0"
                    .equals(
                            response.readAllLines().reversed().stream()
                                    .filter(line -> !line.isEmpty())
                                    .findFirst()
                                    .orElse(""));
        } catch (IOException _) {
            return false;
        }
    }
}
