package dev.penstock.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.server.PenstockProcess;
import dev.penstock.server.Status;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The demo in the heap that it promises to need. */
class DemoIT {
    private static final String HEAP = "96m";
    private static final Path DATA = Path.of("target", "demo-data");
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static PenstockProcess demo;

    @BeforeAll
    static void start() throws IOException {
        demo = serving();
    }

    private static PenstockProcess serving(String... more) throws IOException {
        List<String> arguments =
                new java.util.ArrayList<>(List.of("demo", "--data", DATA.toString()));
        arguments.addAll(List.of(more));
        return PenstockProcess.serving(PenstockDemo.class, HEAP, Map.of(), arguments);
    }

    @AfterAll
    static void stop() throws Exception {
        assertThat(demo.err()).doesNotContain("OutOfMemoryError").doesNotContain(" ERROR ");
        demo.terminate();
        assertThat(demo.exitCode(LIMIT)).isZero();
        demo.close();
    }

    @Test
    void startMessage_demo_saysWhatToOpen() {
        assertThat(demo.out())
                .contains("http://127.0.0.1:" + demo.port() + "/presidents")
                .contains("/daytrader/app", "/api/reading")
                .contains("Ctrl-C");
    }

    @Test
    void home_everyLink_isAnswered() throws IOException {
        String page = demo.body("/");
        Matcher links = Pattern.compile("(?:href|src)=\"(/[^\"]*)\"").matcher(page);
        int count = 0;
        while (links.find()) {
            String path = links.group(1).replace("&amp;", "&").replace("&quot;", "%22");
            int expected = path.contains("prise") ? 400 : 200;
            assertThat(demo.status(path)).as(path).isEqualTo(expected);
            count++;
        }
        assertThat(count).isGreaterThan(20);
        assertThat(page)
                .doesNotContain("{{")
                .contains("curl ")
                .contains("127.0.0.1:" + demo.port());
    }

    @Test
    void films_page_showsTheFactsOfTheArticle() throws IOException {
        assertThat(demo.body("/films")).contains("<li>223</li>", "ACADEMY DINOSAUR");
        assertThat(demo.body("/api/film?length=gt.60&select=film_id&format=ndjson").lines())
                .hasSize(896);
    }

    @Test
    void daytrader_sampleUser_logsIn() throws IOException {
        assertThat(demo.body("/daytrader/app?action=login&uid=uid:0&passwd=xxx"))
                .contains("Welcome to DayTrader, uid:0", "1,000,000.00");
        assertThat(demo.body("/tradelite/rest/quotes/s:9999")).contains("S9999 Incorporated");
    }

    @Test
    void home_hostileHostHeader_isNotRepeated() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), demo.port())) {
            socket.getOutputStream()
                    .write(
                            "GET / HTTP/1.1\r\nHost: <script>x</script>\r\nConnection: close\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .doesNotContain("<script>x");
        }
    }

    @Test
    void presidents_largestPage_hasEveryRow() throws IOException {
        String page = demo.body("/presidents?rows=989");
        assertThat(page).hasSizeGreaterThan(9_000_000).contains("Time till close");
        assertThat(page.split("data:image/jpeg;base64,", -1)).hasSize(990);
        assertThat(demo.body("/presidents")).contains("Washington", "Lincoln");
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "ndjson", "csv", "html"})
    void table_anyFormat_isAnswered(String format) throws IOException {
        assertThat(demo.body("/api/line_item?limit=3&order=id&format=" + format))
                .contains("Surge tank");
        assertThat(demo.body("/api/every_type?format=" + format)).contains("nothing");
    }

    @Test
    void select_awkwardNames_areServed() throws IOException {
        assertThat(demo.body("/api/select?select=%22with%20space%22&MixedCase=is.true&format=csv"))
                .contains("a name may hold anything");
    }

    @Test
    void reading_manyRowsForManyClients_fitTheHeap() throws Exception {
        long rows = Boolean.getBoolean("penstock.soak") ? DemoDatabase.READINGS : 300_000;
        List<Thread> clients =
                java.util.stream.IntStream.range(0, 4)
                        .mapToObj(i ->
                                Thread.startVirtualThread(() ->
                                        assertThat(lines("/api/reading?format=csv&limit=" + rows))
                                                .isEqualTo(rows + 1)))
                        .toList();
        long most = 0;
        while (clients.stream().anyMatch(Thread::isAlive)) {
            long start = System.nanoTime();
            Status status = Status.of(demo);
            most = Math.max(most, System.nanoTime() - start);
            assertThat(status.heapUsed()).isLessThan(96L << 20);
            clients.getFirst().join(Duration.ofMillis(50));
        }
        // Four scans keep the processors busy; a short request does not wait for their end.
        assertThat(Duration.ofNanos(most)).isLessThan(Duration.ofSeconds(20));
    }

    private static long lines(String path) {
        try (HttpClient client = HttpClient.newHttpClient();
                InputStream in =
                        client.send(
                                        HttpRequest.newBuilder(demo.uri(path)).build(),
                                        HttpResponse.BodyHandlers.ofInputStream())
                                .body()) {
            byte[] buffer = new byte[65536];
            long lines = 0;
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                for (int i = 0; i < length; i++) {
                    if (buffer[i] == '\n') {
                        lines++;
                    }
                }
            }
            return lines;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void files_uploaded_areHandedOut() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> made =
                    client.send(
                            HttpRequest.newBuilder(demo.uri("/uploads/note.txt"))
                                    .PUT(HttpRequest.BodyPublishers.ofString("hello"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
            assertThat(demo.body("/files/")).contains("note");
            HttpResponse<String> options =
                    client.send(
                            HttpRequest.newBuilder(demo.uri("/uploads"))
                                    .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(options.headers().firstValue("Tus-Max-Size"))
                    .contains(Long.toString(1L << 30));
        } finally {
            try (var files = Files.list(DATA.resolve("files"))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Files.delete(file);
                }
            }
        }
        assertThat(demo.out()).contains("/uploads");
    }

    @Test
    void demo_onEveryAddressWithoutTokens_takesNoUploads() throws Exception {
        Path data = Path.of("target", "demo-data-open");
        try (PenstockProcess open =
                PenstockProcess.serving(
                        PenstockDemo.class,
                        HEAP,
                        Map.of(),
                        List.of("demo", "--data", data.toString(), "--listen", "0.0.0.0:0"))) {
            assertThat(open.err())
                    .contains("The demo takes no uploads", "0.0.0.0", "--token-file FILE");
            assertThat(open.status("/uploads")).isEqualTo(404);
            assertThat(open.status("/files/")).isEqualTo(200);
        }
    }

    @Test
    void demo_withTokens_opensTheConfigurationOfDayTraderToThem(@TempDir Path directory)
            throws Exception {
        String token = "a-token-of-many-characters";
        Path tokens = Files.writeString(directory.resolve("tokens"), token);
        try (PenstockProcess open =
                        PenstockProcess.serving(
                                PenstockDemo.class,
                                HEAP,
                                Map.of(),
                                List.of(
                                        "demo",
                                        "--data",
                                        Path.of("target", "demo-data-open").toString(),
                                        "--port",
                                        "0",
                                        "--token-file",
                                        tokens.toString()));
                HttpClient client = HttpClient.newHttpClient()) {
            for (boolean isRight : new boolean[] {true, false}) {
                String path = "/daytrader/config?token=" + (isRight ? token : "another");
                HttpResponse<String> page =
                        client.send(
                                HttpRequest.newBuilder(open.uri(path))
                                        .header("X-Forwarded-For", "192.0.2.1")
                                        .build(),
                                HttpResponse.BodyHandlers.ofString());
                assertThat(page.statusCode()).isEqualTo(isRight ? 200 : 403);
            }
        }
    }

    @Test
    void demo_secondOne_getsDataOfItsOwn() throws Exception {
        try (PenstockProcess second =
                PenstockProcess.start(
                        PenstockDemo.class,
                        HEAP,
                        Map.of(),
                        List.of("demo", "--data", DATA.toString(), "--port", "0"))) {
            assertThat(second.exitCode(LIMIT)).isEqualTo(2);
            assertThat(second.err()).contains("another demo uses the data in");
        }
    }
}
