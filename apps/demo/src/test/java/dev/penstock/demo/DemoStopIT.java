package dev.penstock.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.server.Await;
import dev.penstock.server.PenstockProcess;
import dev.penstock.server.StalledReaders;
import dev.penstock.server.Status;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The end of the demo while downloads run and requests wait. */
class DemoStopIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int DOWNLOADED = 20_000;

    /** A line of a download that is not a chunk's size; a few rows are split between two chunks. */
    private static final Pattern ROW = Pattern.compile("\\d+,.*,.*");

    /** The demo in the middle of a hundred downloads and a thousand waits. */
    @Test
    void stop_duringManyDownloadsAndWaits_cutsNoneAndEndsTheWaits() throws Exception {
        List<String> arguments =
                List.of(
                        "demo",
                        "--data",
                        Path.of("target", "stop-data").toString(),
                        "--stop-timeout",
                        "10m");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                PenstockProcess server =
                        PenstockProcess.serving(PenstockDemo.class, "128m", Map.of(), arguments);
                StalledReaders downloads = new StalledReaders(server.port());
                StalledReaders waits = new StalledReaders(server.port())) {
            downloads.open("/api/reading?format=csv&limit=" + DOWNLOADED, 100);
            Await.until(LIMIT, () -> Status.of(server).bulkRunning() == 100);
            waits.open("/hi?wait=60000", 1000);
            Await.until(LIMIT, () -> suspended(server) == 1000);
            server.terminate();
            for (int i = 0; i < 1000; i++) {
                assertThat(reader(waits.get(i)).readLine())
                        .isEqualTo("HTTP/1.1 503 Service Unavailable");
            }
            assertThat(server.isAlive()).isTrue();
            List<Future<Integer>> rows = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                Socket download = downloads.get(i);
                rows.add(threads.submit(() -> readWhole(download)));
            }
            for (Future<Integer> each : rows) {
                assertThat(each.get()).isGreaterThan(DOWNLOADED * 9 / 10);
            }
            assertThat(server.exitCode(Duration.ofMinutes(10))).isZero();
        }
    }

    private static int suspended(PenstockProcess server) {
        try {
            return server.body("/metrics")
                    .lines()
                    .filter(line -> line.startsWith("http_server_suspended "))
                    .mapToInt(line -> (int) Double.parseDouble(line.split(" ", -1)[1]))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Reads a download to its end, which is not broken off. Returns how many rows were whole in a chunk. */
    private static int readWhole(Socket socket) throws IOException {
        BufferedReader lines = reader(socket);
        assertThat(lines.readLine()).isEqualTo("HTTP/1.1 200 OK");
        int rows = 0;
        String beforeLast = "";
        String last = "";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            rows += ROW.matcher(line).matches() ? 1 : 0;
            beforeLast = last;
            last = line;
        }
        assertThat(List.of(beforeLast, last)).containsExactly("0", "");
        return rows;
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8), 256);
    }
}
