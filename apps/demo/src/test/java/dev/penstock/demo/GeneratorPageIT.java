package dev.penstock.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.server.PenstockProcess;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The demo's page that generates code. */
class GeneratorPageIT {
    private static PenstockProcess demo;

    @BeforeAll
    static void start() throws IOException {
        String data = Path.of("target", "generator-data").toString();
        demo =
                PenstockProcess.serving(
                        PenstockDemo.class, "96m", Map.of(), List.of("demo", "--data", data));
    }

    @AfterAll
    static void stop() throws IOException {
        demo.close();
    }

    private static HttpResponse<byte[]> post(String path, String origin, Map<String, String> form)
            throws Exception {
        String body =
                form.entrySet().stream()
                        .map(e ->
                                e.getKey()
                                        + "="
                                        + URLEncoder.encode(e.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&"));
        HttpRequest request =
                HttpRequest.newBuilder(demo.uri(path))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .header("Origin", origin)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        }
    }

    private static String own() {
        return "http://127.0.0.1:" + demo.port();
    }

    private static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    @Test
    void show_ofTheDemo_listsEveryFile() throws Exception {
        HttpResponse<byte[]> shown =
                post("/generate", own(), Map.of("of", "demo", "package", "com.example.demo"));
        assertThat(shown.statusCode()).isEqualTo(200);
        assertThat(text(shown))
                .contains("LineItem.java", "public record LineItem(", "penstock-schema: 2", "größe")
                .doesNotContain("{{");
    }

    @Test
    void project_ofAnotherDatabase_isAZipWithEverything() throws Exception {
        try (TestDatabase database = TestDatabase.create(TestDatabase.Kind.POSTGRESQL)) {
            database.execute("create table film (film_id int primary key, length int)");
            Map<String, String> form = new TreeMap<>();
            form.put("of", "url");
            form.put("jdbc", database.url());
            form.put("user", database.user());
            form.put("password", database.password());
            form.put("package", "com.example.films");
            HttpResponse<byte[]> zip = post("/generate/project", own(), form);
            assertThat(zip.statusCode()).as(text(zip)).isEqualTo(200);
            assertThat(zip.headers().firstValue("Content-Disposition"))
                    .contains("attachment; filename=\"films.zip\"");
            List<String> names = new ArrayList<>();
            try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip.body()))) {
                for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                    names.add(entry.getName());
                }
            }
            assertThat(names)
                    .contains(
                            "films/pom.xml",
                            "films/penstock.schema",
                            "films/src/main/java/com/example/films/Film.java",
                            "films/src/main/java/com/example/films/Main.java")
                    .noneMatch(name -> name.endsWith(".jar"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:mem:x;INIT=RUNSCRIPT FROM 'http://127.0.0.1/x'",
                "jdbc:h2:mem:x",
                "jdbc:postgresql://localhost/x?socketFactory=com.example.Evil",
                "jdbc:mysql://(host=localhost,autoDeserialize=true)/x",
                "jdbc:mysql://address=(host=localhost)(autoDeserialize=true)/x",
                "jdbc:mariadb://localhost/x?allowLocalInfile=true",
                "jdbc:derby:x",
                "<script>alert(1)</script>"
            })
    void show_urlThatCouldDoMore_isRefused(String url) throws Exception {
        HttpResponse<byte[]> refused =
                post("/generate", own(), Map.of("of", "url", "jdbc", url, "package", "a"));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(text(refused))
                .contains("the page takes plain URLs alone")
                .doesNotContain("<script>");
    }

    @Test
    void show_badPackageOrDatabase_saysWhatIsWrong() throws Exception {
        HttpResponse<byte[]> refused =
                post("/generate", own(), Map.of("of", "demo", "package", "a b"));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(text(refused)).contains("&quot;a b&quot; can&#39;t be the name of a package");
        HttpResponse<byte[]> away =
                post(
                        "/generate",
                        own(),
                        Map.of(
                                "of",
                                "url",
                                "jdbc",
                                "jdbc:postgresql://127.0.0.1:1/x",
                                "package",
                                "a"));
        assertThat(away.statusCode()).isEqualTo(400);
        assertThat(text(away)).contains("can&#39;t be reached");
    }

    @Test
    void show_pageOfAnotherSite_isForbidden() throws Exception {
        Map<String, String> form = Map.of("of", "demo", "package", "a");
        assertThat(post("/generate", "http://evil.example", form).statusCode()).isEqualTo(403);
        assertThat(post("/generate/project", "null", form).statusCode()).isEqualTo(403);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), demo.port())) {
            String request =
                    "POST /generate HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 7\r\nConnection: close\r\n\r\nof=demo";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 403 ");
        }
    }
}
