package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Metrics, health and the access log, as those who run a server see them. */
@Tag("any-loops")
class OperationsIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Pattern SAMPLE =
            Pattern.compile(
                    "([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{(?:[a-z_]+=\"(?:[^\"\\\\]|\\\\.)*\",?)*\\})? (\\S+)");

    @TempDir private Path directory;

    private PenstockProcess serving(String... more) throws Exception {
        String url = "jdbc:h2:" + directory.resolve("shop") + ";USER=sa";
        fill(url);
        return servingAt(url, more);
    }

    private static PenstockProcess servingAt(String url, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("serve", "--jdbc", url));
        arguments.addAll(List.of(more));
        return PenstockProcess.serving("64m", Map.of(), arguments);
    }

    private static void fill(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE fruit (id INT PRIMARY KEY, name VARCHAR(20))");
            statement.execute("INSERT INTO fruit VALUES (1, 'apple'), (2, 'pear')");
        }
    }

    /** Every series with its value; fails where Prometheus would. */
    private static Map<String, Double> parse(String text) {
        Map<String, Double> series = new HashMap<>();
        Set<String> typed = new HashSet<>();
        String family = "";
        assertThat(text).endsWith("\n");
        for (String line : text.split("\n", -1)) {
            if (line.startsWith("# TYPE ")) {
                family = line.split(" ", -1)[2];
                assertThat(typed.add(family)).as("one TYPE: " + line).isTrue();
            } else if (!line.isEmpty() && !line.startsWith("# HELP ")) {
                Matcher matcher = SAMPLE.matcher(line);
                assertThat(matcher.matches()).as(line).isTrue();
                assertThat(matcher.group(1)).as("family of " + line).startsWith(family);
                double value =
                        switch (matcher.group(3)) {
                            case "+Inf" -> Double.POSITIVE_INFINITY;
                            case "-Inf" -> Double.NEGATIVE_INFINITY;
                            default -> Double.parseDouble(matcher.group(3));
                        };
                String name = matcher.group(1) + (matcher.group(2) == null ? "" : matcher.group(2));
                assertThat(series.put(name, value)).as("once: " + name).isNull();
            }
        }
        return series;
    }

    private static Map<String, Double> metrics(PenstockProcess server) {
        try {
            return parse(server.body("/metrics"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double sum(Map<String, Double> series, String name, String... labels) {
        return series.entrySet().stream()
                .filter(one -> one.getKey().startsWith(name + "{") || one.getKey().equals(name))
                .filter(one -> List.of(labels).stream().allMatch(one.getKey()::contains))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    @Test
    void metrics_inOpenMetrics_haveTheTraceOfARequestThatIsRecorded() throws Exception {
        String trace = "0af7651916cd43dd8448eb211c80319c";
        try (PenstockProcess server = serving();
                HttpClient client = HttpClient.newHttpClient()) {
            URI api = URI.create("http://127.0.0.1:" + server.port() + "/api/fruit");
            String sampled = "00-" + trace + "-b7ad6b7169203331-01";
            HttpRequest traced = HttpRequest.newBuilder(api).header("traceparent", sampled).build();
            client.send(traced, HttpResponse.BodyHandlers.discarding());
            HttpRequest scrape =
                    HttpRequest.newBuilder(api.resolve("/metrics"))
                            .header("Accept", "application/openmetrics-text;version=1.0.0")
                            .build();
            // Over another connection, it may be answered before the first request is counted.
            Await.until(LIMIT, () -> body(client, scrape).contains(trace));
            HttpResponse<String> metrics =
                    client.send(scrape, HttpResponse.BodyHandlers.ofString());
            assertThat(metrics.headers().firstValue("Content-Type"))
                    .contains("application/openmetrics-text; version=1.0.0; charset=utf-8");
            assertThat(metrics.body()).endsWith("# EOF\n").contains("trace_id=\"" + trace + "\"");
        }
    }

    private static String body(HttpClient client, HttpRequest request) {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void metrics_afterRequests_countThemByRouteAndNeverByPath() throws Exception {
        try (PenstockProcess server = serving("--accelerate", "fruit")) {
            for (int i = 0; i < 3; i++) {
                server.body("/api/fruit");
            }
            assertThat(server.get("/api/nuts" + System.nanoTime()).statusCode()).isEqualTo(404);
            for (int i = 0; i < 5; i++) {
                assertThat(server.get("/made-up/" + i).statusCode()).isEqualTo(404);
            }
            malformed(server.port());
            String count = "http_server_requests_seconds_count";
            String table = "uri=\"/api/{table}\"";
            String unmatched = "uri=\"UNMATCHED\"";
            // Over another connection, it may be answered before the last request is counted.
            Await.until(
                    LIMIT,
                    () -> {
                        Map<String, Double> now = metrics(server);
                        return sum(now, count, table) >= 4 && sum(now, count, unmatched) >= 5;
                    });
            HttpResponse<String> response = server.get("/metrics");
            assertThat(response.headers().firstValue("Content-Type"))
                    .contains("text/plain; version=0.0.4; charset=utf-8");
            Map<String, Double> series = parse(response.body());
            assertThat(sum(series, count, table, "status=\"200\"", "method=\"GET\"")).isEqualTo(3);
            assertThat(sum(series, count, table, "status=\"404\"")).isEqualTo(1);
            assertThat(sum(series, count, unmatched)).isEqualTo(5);
            assertThat(sum(series, count, "uri=\"MALFORMED\"", "status=\"400\"")).isEqualTo(1);
            assertThat(sum(series, "http_server_requests_seconds_bucket", table, "le=\"+Inf\""))
                    .isEqualTo(4);
            assertThat(sum(series, "http_server_sent_bytes_total", table)).isGreaterThan(300);
            assertThat(response.body()).doesNotContain("nuts").doesNotContain("made-up");
            for (String name :
                    List.of(
                            "http_server_connections",
                            "jvm_memory_used_bytes",
                            "jvm_threads_live_threads",
                            "jvm_buffer_memory_used_bytes",
                            "http_server_buffers_bytes",
                            "snapshot_memory_used_bytes",
                            "process_uptime_seconds",
                            "process_files_open_files")) {
                assertThat(sum(series, name)).as(name).isPositive();
            }
            for (String name :
                    List.of(
                            "http_server_running",
                            "http_server_suspended",
                            "http_server_clients_slow_total",
                            "http_server_clients_rejected_total",
                            "http_server_accesslog_dropped_total",
                            "http_server_aborted_total{by=\"client-gone\"}",
                            "admission_queued{kind=\"bulk\"}",
                            "admission_running{kind=\"short\"}",
                            "admission_rejected_total{kind=\"short\"}",
                            "hikaricp_connections_active{pool=\"penstock-bulk\"}")) {
                assertThat(series).containsKey(name);
            }
        }
    }

    private static void malformed(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write(
                            "GET / HTTP/1.1\r\nBad Header: x\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void health_databaseGoesAndComesBack_readinessFollowsAndLivenessStays() throws Exception {
        String url = "jdbc:h2:" + directory.resolve("shop") + ";USER=sa";
        fill(url);
        try (ReservedPort port = new ReservedPort()) {
            databaseGoesAndComesBack(port.number());
        }
    }

    private void databaseGoesAndComesBack(int port) throws Exception {
        org.h2.tools.Server database = database(port);
        try (PenstockProcess server =
                servingAt("jdbc:h2:tcp://127.0.0.1:" + port + "/./shop;USER=sa")) {
            assertThat(server.body("/health/live")).isEqualTo("{\"status\":\"UP\"}\n");
            // The first look opens a connection, which may take longer than one look may.
            Await.until(LIMIT, () -> status(server, "/health/ready") == 200);
            assertThat(server.body("/health/ready")).isEqualTo("{\"status\":\"UP\"}\n");
            database.stop();
            Await.until(LIMIT, () -> status(server, "/health/ready") == 503);
            assertThat(server.get("/health/ready").body())
                    .isEqualTo(
                            "{\"status\":\"DOWN\",\"reasons\":[\"the database does not answer\"]}\n");
            assertThat(server.body("/health/live")).isEqualTo("{\"status\":\"UP\"}\n");
            database = database(port);
            Await.until(LIMIT, () -> status(server, "/health/ready") == 200);
            server.awaitErr(LIMIT, "The database does not answer", "The database answers again");
        } finally {
            database.stop();
        }
    }

    private org.h2.tools.Server database(int port) throws SQLException {
        return org.h2.tools.Server.createTcpServer(
                        "-tcpPort", Integer.toString(port), "-baseDir", directory.toString())
                .start();
    }

    private static int status(PenstockProcess server, String path) {
        try {
            return server.get(path).statusCode();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void stop_withADelay_isNotReadyFirstAndServesOnUntilThen() throws Exception {
        try (PenstockProcess server = serving("--stop-delay", "20s")) {
            Await.until(LIMIT, () -> status(server, "/health/ready") == 200);
            server.terminate();
            Await.until(LIMIT, () -> status(server, "/health/ready") == 503);
            assertThat(server.get("/health/ready").body())
                    .isEqualTo("{\"status\":\"DOWN\",\"reasons\":[\"the server is stopping\"]}\n");
            assertThat(server.get("/api/fruit").statusCode()).isEqualTo(200);
            assertThat(server.exitCode(LIMIT)).isZero();
        }
    }

    @Test
    void operationsPort_given_hasMetricsAndHealthAndTheOtherHasNot() throws Exception {
        try (PenstockProcess server = serving("--operations-port", "0")) {
            Matcher metrics =
                    Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)/metrics").matcher(server.out());
            assertThat(metrics.find()).isTrue();
            int port = Integer.parseInt(metrics.group(1));
            assertThat(port).isNotEqualTo(server.port());
            assertThat(server.get("/metrics").statusCode()).isEqualTo(404);
            assertThat(server.get("/health/live").statusCode()).isEqualTo(404);
            // The first look opens a connection to the database, which may take longer than one
            // look may.
            Await.until(LIMIT, () -> ready(port).startsWith("HTTP/1.1 200 "));
            assertThat(ready(port)).endsWith("{\"status\":\"UP\"}\n");
        }
    }

    private static String ready(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write(
                            "GET /health/ready HTTP/1.0\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void accessLog_asJson_isALineEachWhateverIsSent() throws Exception {
        try (PenstockProcess server = serving("--access-log", "json")) {
            server.body("/api/fruit");
            // The client has its answer before there is a line, and may ask on over another
            // connection.
            Await.until(LIMIT, () -> lines(server).size() == 1);
            assertThat(server.get("/%22%0a%7B%22status%22:200%7D%e2%80%ae").statusCode())
                    .isEqualTo(404);
            Await.until(LIMIT, () -> lines(server).size() >= 2);
            List<String> lines = lines(server);
            assertThat(lines.getFirst())
                    .matches(
                            "\\{\"time\":\"\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z\",\"client\":\"127\\.0\\.0\\.1\",\"method\":\"GET\","
                                    + "\"path\":\"/api/fruit\",\"route\":\"/api/\\{table\\}\",\"protocol\":\"HTTP/1\\.1\",\"status\":200,\"bytes\":\\d+,"
                                    + "\"millis\":\\d+\\.\\d,\"queuedMillis\":\\d+\\.\\d,\"ending\":\"complete\",\"userAgent\":\"Java-http-client/[^\"]*\","
                                    + "\"requestId\":\"[0-9a-f]{32}\",\"spanId\":\"[0-9a-f]{16}\",\"traceId\":\"[0-9a-f]{32}\"\\}");
            assertThat(lines.get(1))
                    .contains("\"path\":\"/\\\"\\u000a{\\\"status\\\":200}\\u202e\",\"protocol\"");
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void logLines_thatAFullDiskDoesNotTake_areCounted() throws Exception {
        String url = "jdbc:h2:" + directory.resolve("shop") + ";USER=sa";
        fill(url);
        try (PenstockProcess server =
                PenstockProcess.serving(
                        "64m",
                        Map.of(),
                        List.of("serve", "--jdbc", url, "--access-log"),
                        Path.of("/dev/full"))) {
            double before = lostLogLines(server);
            for (int i = 0; i < 5; i++) {
                server.body("/api/fruit");
            }
            Await.until(LIMIT, () -> lostLogLines(server) >= before + 5);
        }
    }

    private static double lostLogLines(PenstockProcess server) {
        try {
            return sum(parse(server.body("/metrics")), "log_lines_dropped_total");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> lines(PenstockProcess server) {
        return server.err().lines().filter(line -> line.startsWith("{")).toList();
    }
}
