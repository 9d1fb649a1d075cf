package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files without a database. */
@Tag("any-loops")
class FilesIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir private Path directory;

    private PenstockProcess serving(String... more) throws Exception {
        List<String> arguments =
                new java.util.ArrayList<>(List.of("serve", "--files", directory.toString()));
        arguments.addAll(List.of(more));
        return PenstockProcess.serving("64m", Map.of(), arguments);
    }

    private static HttpResponse<byte[]> range(PenstockProcess server, String path, String range)
            throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(server.uri(path)).header("Range", range).build(),
                    HttpResponse.BodyHandlers.ofByteArray());
        }
    }

    @Test
    void serve_filesAlone_givesThemAndStopsInOrder() throws Exception {
        byte[] content = new byte[300_001];
        new java.util.Random(7).nextBytes(content);
        Files.write(directory.resolve("a b.bin"), content);
        Files.createDirectories(directory.resolve("sub"));
        Files.writeString(directory.resolve("sub/x.txt"), "hello");
        Files.writeString(directory.resolve(".secret"), "no");
        try (PenstockProcess server = serving()) {
            assertThat(server.out()).contains("the files of " + directory, "/files/");
            assertThat(server.out()).doesNotContain("/api");
            assertThat(server.body("/files/"))
                    .contains("a%20b.bin", "sub/")
                    .doesNotContain("secret");
            assertThat(server.status("/files/sub/x.txt")).isEqualTo(200);
            assertThat(server.status("/files/.secret")).isEqualTo(404);
            assertThat(server.status("/files/%2e%2e/etc/passwd")).isEqualTo(404);
            assertThat(server.get("/files").headers().firstValue("Location")).contains("/files/");
            HttpResponse<byte[]> part = range(server, "/files/a%20b.bin", "bytes=300000-");
            assertThat(part.statusCode()).isEqualTo(206);
            assertThat(part.body()).containsExactly(content[300_000]);
            server.terminate();
            assertThat(server.exitCode(LIMIT)).isZero();
        }
    }

    @Test
    void serve_filesAlone_hasHomeHealthMetricsAndStatus() throws Exception {
        try (PenstockProcess server = serving()) {
            assertThat(server.body("/"))
                    .contains("Files of any size", "href=\"/files/\"")
                    .doesNotContain("{{", "/api", "Tables and views");
            assertThat(server.body("/health/live")).isEqualTo("{\"status\":\"UP\"}\n");
            assertThat(server.body("/health/ready")).isEqualTo("{\"status\":\"UP\"}\n");
            assertThat(server.body("/metrics"))
                    .contains("admission_permits{kind=\"files\"}")
                    .doesNotContain("kind=\"bulk\"", "hikari");
            assertThat(server.body("/status")).contains("\"files\":{\"running\":0");
            assertThat(server.get("/api").statusCode()).isEqualTo(404);
            assertThat(server.get("/reload").statusCode()).isEqualTo(404);
            assertThat(server.get("/uploads").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void serve_filesThatOthersUpload_haveAnOriginOfTheirOwn() throws Exception {
        Files.writeString(directory.resolve("page.html"), "<script>alert(1)</script>");
        try (PenstockProcess server = serving("--uploads", directory.toString())) {
            assertThat(
                            server.get("/files/page.html")
                                    .headers()
                                    .allValues("Content-Security-Policy"))
                    .anyMatch(policy -> policy.startsWith("sandbox"));
        }
        try (PenstockProcess server = serving()) {
            assertThat(server.get("/files/page.html").headers().map())
                    .doesNotContainKey("content-security-policy");
        }
    }

    @Test
    void serve_hangUpWithoutADatabase_isNoHarm() throws Exception {
        try (PenstockProcess server = serving()) {
            server.hangUp();
            assertThat(server.status("/files/")).isEqualTo(200);
            assertThat(server.isAlive()).isTrue();
        }
    }
}
