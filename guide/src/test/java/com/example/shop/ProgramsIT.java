package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.codegen.Generator;
import dev.penstock.codegen.SchemaFile;
import dev.penstock.codegen.SourceFolder;
import dev.penstock.http.server.Server;
import dev.penstock.query.sql.Database;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs of the guide, run as its pages say. */
class ProgramsIT {
    private static final Path GUIDE = Path.of("..", "docs", "guide");
    private static final DataSource SOURCE = Shop.source("jdbc:h2:mem:guide;DB_CLOSE_DELAY=-1");

    private static Database database;

    @TempDir private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void create() throws SQLException {
        Shop.create(SOURCE, 10_000);
        database = Database.connect(SOURCE);
    }

    private HttpRequest request(Server server, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .build();
    }

    private String get(Server server, String path) throws Exception {
        HttpResponse<String> response =
                client.send(request(server, path), HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body();
    }

    private void post(Server server, String path) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(request(server, path), (_, _) -> true)
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build();
        assertThat(client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode())
                .isEqualTo(200);
    }

    @Test
    void rowsOverHttp_eachRoute_givesItsRows() throws Exception {
        try (Server server = RowsOverHttp.wholeSchema(database).port(0).start()) {
            assertThat(get(server, "/purchases?format=csv").lines()).hasSize(10_001);
            assertThat(get(server, "/large.csv").lines())
                    .hasSizeGreaterThan(1)
                    .element(0)
                    .isEqualTo("ID,CUSTOMER_ID,PLACED,STATUS,TOTAL");
            assertThat(get(server, "/api/purchase?status=eq.open&select=id&order=id&limit=2"))
                    .isEqualToIgnoringWhitespace("[{\"id\":10},{\"id\":20}]");
        }
    }

    @Test
    void firstLook_ofTheReadme_givesRowsAndCounts() throws Exception {
        try (Server server = FirstLook.routes(SOURCE).port(0).start()) {
            assertThat(get(server, "/purchases?format=csv").lines()).hasSize(10_001);
            assertThat(get(server, "/later")).isEqualTo("hello");
        }
        assertThat(FirstLook.openPurchases(database)).isEqualTo(1_000);
        assertThat(FirstLook.openPurchasesInMemory(database)).isEqualTo(1_000);
    }

    @Test
    void requestsThatWait_eachRoute_isAnsweredWhenItsTimeHasCome() throws Exception {
        try (Server server = new RequestsThatWait().routes(Server.builder()).port(0).start()) {
            assertThat(get(server, "/later")).isEqualTo("a second later\n");
            CompletableFuture<HttpResponse<String>> delivery =
                    client.sendAsync(
                            request(server, "/delivery/17"), HttpResponse.BodyHandlers.ofString());
            HttpResponse<InputStream> news =
                    client.send(
                            request(server, "/news"), HttpResponse.BodyHandlers.ofInputStream());
            post(server, "/delivery/17/Lyon");
            assertThat(delivery.get(5, TimeUnit.MINUTES).body()).isEqualTo("Lyon\n");
            try (BufferedReader events =
                    new BufferedReader(
                            new InputStreamReader(news.body(), StandardCharsets.UTF_8))) {
                assertThat(events.lines().filter(line -> line.startsWith("data:")).findFirst())
                        .contains("data: 17 is at Lyon");
            }
        }
    }

    @Test
    void runningIt_bytesRoute_countsWhatWasSent() throws Exception {
        try (Server server = RunningIt.configured(RowsOverHttp.server(database)).port(0).start()) {
            assertThat(get(server, "/large.csv")).isNotEmpty();
            assertThat(Long.parseLong(get(server, "/bytes").strip())).isNotNegative();
        }
    }

    @Test
    void entities_asInTheRepository_areWhatTheGeneratorMakes() {
        Generator generator = new Generator(SchemaFile.of(SOURCE, null), "com.example.shop");
        SourceFolder.Outcome outcome =
                new SourceFolder(Path.of("src", "main", "java")).write(generator);
        assertThat(outcome.written()).isEmpty();
        assertThat(outcome.kept()).isEmpty();
        assertThat(outcome.unchanged()).hasSize(2);
    }

    @Test
    void output_ofProgramsThatPrint_isWhatTheirPagesShow() throws Exception {
        assertThat(run(Shop.class)).isEmpty();
        assertThat(run(TypedStreams.class).strip())
                .isEqualTo(shown("2-typed-streams.md", TypedStreams.class));
        assertThat(run(TablesInMemory.class).strip())
                .isEqualTo(shown("3-tables-in-memory.md", TablesInMemory.class));
        assertThat(run(ChosenPurchases.class).strip())
                .isEqualTo(shown("3-tables-in-memory.md", ChosenPurchases.class));
        assertThat(run(SavedPurchases.class).strip())
                .isEqualTo(shown("3-tables-in-memory.md", SavedPurchases.class));
    }

    /** The text blocks of a page that are marked as the output of a program, one after the other. */
    private static String shown(String page, Class<?> program) throws IOException {
        Matcher block =
                Pattern.compile(
                                "<!-- output: "
                                        + program.getSimpleName()
                                        + " -->\n```text\n(.*?)```",
                                Pattern.DOTALL)
                        .matcher(Files.readString(GUIDE.resolve(page)));
        StringBuilder output = new StringBuilder();
        while (block.find()) {
            output.append(block.group(1));
        }
        return output.toString().strip();
    }

    /** Runs a program in a folder of its own, with the heap that the guide gives it, and returns what it prints. */
    private String run(Class<?> program) throws IOException, InterruptedException {
        Path out = folder.resolve(program.getSimpleName() + ".out");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx64m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                program.getName())
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile())
                        .start();
        assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
        String said = Files.readString(out);
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
