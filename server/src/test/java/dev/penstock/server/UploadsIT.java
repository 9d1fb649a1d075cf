package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of who may upload, and what of a server's uploads is seen. */
@Tag("any-loops")
class UploadsIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String ANNA = "anna-0123456789abcdef0123456789";
    private static final String BERT = "bert-0123456789abcdef0123456789";

    @TempDir private Path directory;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private PenstockProcess serving(String... more) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("serve", "--uploads", uploads().toString()));
        arguments.addAll(List.of(more));
        return PenstockProcess.serving("64m", Map.of(), arguments);
    }

    private Path uploads() {
        return directory.resolve("in");
    }

    private Path tokens(String... tokens) throws IOException {
        Path file = directory.resolve("tokens");
        Files.writeString(file, String.join("\n", tokens) + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.timeout(LIMIT).build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder creation(PenstockProcess server, int length) {
        return HttpRequest.newBuilder(server.uri("/uploads"))
                .header("Tus-Resumable", "1.0.0")
                .header("Upload-Length", Integer.toString(length))
                .POST(BodyPublishers.noBody());
    }

    private static HttpRequest.Builder put(PenstockProcess server, String name, String text) {
        return HttpRequest.newBuilder(server.uri("/uploads/" + name))
                .PUT(BodyPublishers.ofString(text));
    }

    private static HttpRequest.Builder bearer(HttpRequest.Builder request, String token) {
        return request.header("Authorization", "Bearer " + token);
    }

    private static URI location(PenstockProcess server, HttpResponse<?> made) {
        return server.uri("/").resolve(made.headers().firstValue("Location").orElseThrow());
    }

    /** Sends lines as they are, and returns the status. */
    private static int raw(PenstockProcess server, String... lines) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write(
                            (String.join("\r\n", lines) + "\r\nConnection: close\r\n\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return Integer.parseInt(answer.substring(9, 12));
        }
    }

    @Test
    void uploads_withoutDatabase_areTakenAndCounted() throws Exception {
        try (PenstockProcess server = serving("--upload-max", "1m")) {
            assertThat(server.out()).contains("uploads to " + uploads(), "/uploads");
            assertThat(send(put(server, "a.txt", "hello")).statusCode()).isEqualTo(201);
            assertThat(uploads().resolve("a.txt")).hasContent("hello");
            assertThat(send(creation(server, 10)).statusCode()).isEqualTo(201);
            assertThat(send(creation(server, (1 << 20) + 1)).statusCode()).isEqualTo(413);
            HttpResponse<String> options =
                    send(
                            HttpRequest.newBuilder(server.uri("/uploads"))
                                    .method("OPTIONS", BodyPublishers.noBody()));
            assertThat(options.headers().firstValue("Tus-Max-Size")).contains("1048576");
            assertThat(server.body("/metrics"))
                    .contains(
                            "uploads_open 1",
                            "uploads_begun_total 2",
                            "uploads_finished_total 1",
                            "uploads_finished_size_bytes_total 5",
                            "uploads_failed_total 1",
                            "admission_permits{kind=\"uploads\"}");
            assertThat(server.body("/")).contains("href=\"/uploads\"", "./penstock put FILE");
            server.terminate();
            assertThat(server.exitCode(LIMIT)).isZero();
        }
    }

    @Test
    void page_browser_getsItAndProgramsGetTheList() throws Exception {
        try (PenstockProcess server = serving()) {
            HttpResponse<String> page =
                    send(
                            HttpRequest.newBuilder(server.uri("/uploads"))
                                    .header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8"));
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.body()).contains("Drop files here").doesNotContain("{{");
            assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                    .contains("default-src 'none'", "script-src 'self'", "connect-src 'self'");
            assertThat(page.headers().allValues("Vary").toString()).contains("Accept");
            assertThat(server.get("/uploads").body()).contains("\"uploads\":[");
            for (String path : List.of("/uploads.css", "/uploads.js", "/uploads-client.js")) {
                assertThat(server.status(path)).as(path).isEqualTo(200);
            }
        }
    }

    @Test
    void tokens_severalOwners_seeTheirOwnAlone() throws Exception {
        try (PenstockProcess server =
                serving("--token-file", tokens("# two", ANNA, BERT).toString())) {
            HttpResponse<String> made = send(bearer(creation(server, 10), ANNA));
            assertThat(made.statusCode()).isEqualTo(201);
            URI upload = location(server, made);
            assertThat(send(bearer(head(upload), ANNA)).statusCode()).isEqualTo(200);
            assertThat(send(bearer(head(upload), BERT)).statusCode()).isEqualTo(404);
            String id = upload.getPath().substring("/uploads/".length());
            assertThat(send(bearer(list(server), ANNA)).body()).contains(id);
            assertThat(send(bearer(list(server), BERT)).body()).doesNotContain(id);
            assertThat(server.body("/metrics")).contains("uploads_open 1");
        }
    }

    private static HttpRequest.Builder head(URI upload) {
        return HttpRequest.newBuilder(upload)
                .header("Tus-Resumable", "1.0.0")
                .method("HEAD", BodyPublishers.noBody());
    }

    private static HttpRequest.Builder list(PenstockProcess server) {
        return HttpRequest.newBuilder(server.uri("/uploads"));
    }

    @Test
    void tokens_noneOrWrong_areAnsweredWith401() throws Exception {
        try (PenstockProcess server = serving("--token-file", tokens(ANNA).toString())) {
            HttpResponse<String> none = send(creation(server, 10));
            assertThat(none.statusCode()).isEqualTo(401);
            assertThat(none.headers().firstValue("WWW-Authenticate"))
                    .contains("Bearer realm=\"uploads\"");
            HttpResponse<String> wrong = send(bearer(creation(server, 10), BERT));
            assertThat(wrong.statusCode()).isEqualTo(401);
            assertThat(wrong.headers().firstValue("WWW-Authenticate"))
                    .contains("Bearer realm=\"uploads\", error=\"invalid_token\"");
            assertThat(wrong.body()).doesNotContain(BERT);
            assertThat(send(list(server)).statusCode()).isEqualTo(401);
            assertThat(send(put(server, "x", "y")).statusCode()).isEqualTo(401);
            assertThat(send(creation(server, 1).header("Authorization", "Basic YTpi")).statusCode())
                    .isEqualTo(401);
            assertThat(uploads().resolve("x")).doesNotExist();
            assertThat(server.err()).doesNotContain(" WARNING ");
        }
    }

    @Test
    void tokens_inACookie_areForReadingAlone() throws Exception {
        try (PenstockProcess server = serving("--token-file", tokens(ANNA).toString())) {
            HttpResponse<String> made = send(bearer(put(server, "a.txt", "hello"), ANNA));
            URI upload = location(server, made);
            String cookie = "penstock-token=" + ANNA;
            HttpResponse<String> got =
                    send(HttpRequest.newBuilder(upload).header("Cookie", cookie));
            assertThat(got.body()).isEqualTo("hello");
            assertThat(send(creation(server, 1).header("Cookie", cookie)).statusCode())
                    .isEqualTo(401);
            assertThat(
                            send(HttpRequest.newBuilder(upload).DELETE().header("Cookie", cookie))
                                    .statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void tokens_changedAndHungUp_areReadAgain() throws Exception {
        Path file = tokens(ANNA);
        try (PenstockProcess server = serving("--token-file", file.toString())) {
            assertThat(send(bearer(list(server), ANNA)).statusCode()).isEqualTo(200);
            Files.writeString(file, "bad\n");
            server.hangUp();
            Await.until(LIMIT, () -> server.err().contains("stay in use: "));
            assertThat(send(bearer(list(server), ANNA)).statusCode()).isEqualTo(200);
            Files.writeString(file, BERT + "\n");
            server.hangUp();
            Await.until(LIMIT, () -> server.err().contains("Read the tokens again"));
            assertThat(send(bearer(list(server), ANNA)).statusCode()).isEqualTo(401);
            assertThat(send(bearer(list(server), BERT)).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void tokens_readableByAll_areWarnedAbout() throws Exception {
        Path file = tokens(ANNA);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        try (PenstockProcess server =
                serving("--token-file", file.toString(), "--host", "127.0.0.1")) {
            assertThat(server.err())
                    .contains("can be read by every user of this machine: chmod 600 it");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", "http://127.0.0.1:1", "null"})
    void foreignPage_anyMethod_isRefused(String origin) throws Exception {
        try (PenstockProcess server = serving()) {
            String host = "Host: 127.0.0.1:" + server.port();
            for (String method : Arrays.asList("POST", "PUT", "PATCH", "DELETE", "GET")) {
                String path = method.equals("PUT") ? "/uploads/x" : "/uploads";
                assertThat(
                                raw(
                                        server,
                                        method + " " + path + " HTTP/1.1",
                                        host,
                                        "Origin: " + origin,
                                        "Tus-Resumable: 1.0.0",
                                        "Upload-Length: 0",
                                        "Content-Length: 0"))
                        .as(method)
                        .isEqualTo(403);
            }
            assertThat(uploads().toFile().list()).allMatch(name -> name.startsWith("."));
        }
    }

    @Test
    void foreignName_orProxy_isRefusedWithoutTokens() throws Exception {
        try (PenstockProcess server = serving()) {
            // A name of an attacker's that leads here.
            assertThat(raw(server, "GET /uploads HTTP/1.1", "Host: evil.example")).isEqualTo(403);
            String host = "Host: 127.0.0.1:" + server.port();
            assertThat(raw(server, "GET /uploads HTTP/1.1", host, "X-Forwarded-For: 192.0.2.7"))
                    .isEqualTo(403);
            assertThat(raw(server, "GET /uploads HTTP/1.1", host)).isEqualTo(200);
            assertThat(
                            raw(
                                    server,
                                    "PUT /uploads/own HTTP/1.1",
                                    host,
                                    "Origin: http://127.0.0.1:" + server.port(),
                                    "Content-Length: 0"))
                    .isEqualTo(201);
        }
    }

    @Test
    void allowedOrigin_withToken_mayUpload() throws Exception {
        String page = "https://app.example";
        try (PenstockProcess server =
                serving(
                        "--token-file",
                        tokens(ANNA).toString(),
                        "--allow-origin",
                        page + ",http://other.example:81")) {
            HttpResponse<String> asked =
                    send(
                            HttpRequest.newBuilder(server.uri("/uploads"))
                                    .header("Origin", page)
                                    .header("Access-Control-Request-Method", "POST")
                                    .header(
                                            "Access-Control-Request-Headers",
                                            "authorization,tus-resumable,upload-length,upload-metadata")
                                    .method("OPTIONS", BodyPublishers.noBody()));
            assertThat(asked.statusCode()).isEqualTo(204);
            assertThat(asked.headers().firstValue("Access-Control-Allow-Origin")).contains(page);
            HttpResponse<String> made =
                    send(bearer(creation(server, 3), ANNA).header("Origin", page));
            assertThat(made.statusCode()).isEqualTo(201);
            assertThat(made.headers().firstValue("Access-Control-Expose-Headers").orElseThrow())
                    .contains("Location", "Upload-Offset");
            assertThat(send(creation(server, 3).header("Origin", page)).statusCode())
                    .isEqualTo(401);
            assertThat(
                            send(bearer(creation(server, 3), ANNA)
                                            .header("Origin", "https://evil.example"))
                                    .statusCode())
                    .isEqualTo(403);
        }
    }

    @Test
    void uploads_onEveryAddress_startWithTokens() throws Exception {
        try (PenstockProcess server =
                serving("--token-file", tokens(ANNA).toString(), "--listen", "0.0.0.0:0")) {
            assertThat(server.err())
                    .contains("Tokens come to 0.0.0.0 as they are", "--tls-certificate");
            assertThat(send(bearer(put(server, "a", "b"), ANNA)).statusCode()).isEqualTo(201);
        }
    }
}
