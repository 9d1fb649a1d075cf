package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * XML documents over HTTP in MongoDB, for which a server stands that speaks its protocol, with nothing on the class
 * path but what a user has.
 */
@Tag("any-loops")
class MongoDocumentsIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Logger MONGO = Logger.getLogger("de.bwaldvogel.mongo");
    private static final String ANNA =
            "<p:person xmlns:p=\"urn:p\" id=\"1\" a=\"x\"><!--b-->Hi <b>Anna</b> and <i>Bert</i>!"
                    + "<p:hobby>tv</p:hobby><e> </e><p:hobby>chess</p:hobby><?x y?></p:person>";
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final MongoServer mongo = new MongoServer(new MemoryBackend());
    private int port;

    @BeforeEach
    void start() {
        MONGO.setLevel(Level.OFF);
        InetSocketAddress address = mongo.bind();
        port = address.getPort();
    }

    @AfterEach
    void stop() {
        mongo.shutdownNow();
    }

    /** The class path that {@code server/target/lib} gets, which is made after the tests. */
    private static Map<String, String> shipped() throws IOException {
        return Map.of(
                "CLASSPATH",
                Path.of("target/classes").toAbsolutePath()
                        + ":"
                        + Files.readString(Path.of("target/runtime-classpath")).strip());
    }

    private static PenstockProcess serving(String address, String... more) throws IOException {
        List<String> arguments =
                Stream.concat(
                                Stream.of(
                                        "serve",
                                        "--mongodb",
                                        "mongodb://127.0.0.1:" + address,
                                        "--documents",
                                        "people"),
                                Stream.of(more))
                        .toList();
        return PenstockProcess.serving("64m", shipped(), arguments);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.timeout(LIMIT).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest.Builder at(PenstockProcess server, String path) {
        return HttpRequest.newBuilder(server.uri("/documents/people" + path));
    }

    private static HttpRequest.Builder put(PenstockProcess server, String path, String xml) {
        return at(server, path).PUT(BodyPublishers.ofString(xml));
    }

    private static String search(String xpath) {
        return "?ns.q=urn:p&xpath=" + URLEncoder.encode(xpath, StandardCharsets.UTF_8);
    }

    @Test
    void documents_besideTables_arePutFoundAndDeleted() throws Exception {
        try (PenstockProcess server =
                serving(port + "/shop", "--jdbc", "jdbc:h2:mem:tables;USER=sa")) {
            assertThat(server.out())
                    .contains("documents in people of mongodb://127.0.0.1:" + port + "/shop")
                    .containsOnlyOnce("MongoDB: unverified;");
            assertThat(server.status("/api")).isEqualTo(200);

            HttpResponse<String> made =
                    send(put(server, "/anna", ANNA).header("If-None-Match", "*"));
            assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
            String tag = made.headers().firstValue("ETag").orElseThrow();
            assertThat(send(at(server, "/anna")).body()).isEqualTo(ANNA);

            assertThat(send(at(server, search("//q:hobby[. = 'chess']"))).body())
                    .contains("<result id=\"anna\"", "chess</p:hobby>")
                    .doesNotContain("tv</p:hobby>");
            assertThat(
                            send(at(server, search("/q:person/q:hobby = 'tv'") + "&explain=true"))
                                    .body())
                    .contains("\"store\":\"MongoDB\"", "\"exact\":false", "p:hobby")
                    .doesNotContain("tv");

            String deep = "<a>".repeat(300) + "x" + "</a>".repeat(300);
            assertThat(send(put(server, "/deep", deep)).statusCode()).isEqualTo(201);
            assertThat(send(at(server, "/deep")).body()).isEqualTo(deep);
            assertThat(send(at(server, search("//a = 'x'") + "&give=documents")).body())
                    .contains("id=\"deep\"")
                    .doesNotContain("anna");
            assertThat(send(put(server, "/anna", ANNA).header("If-None-Match", "*")).statusCode())
                    .isEqualTo(412);
            assertThat(send(put(server, "/anna", ANNA).header("If-Match", tag)).statusCode())
                    .isEqualTo(204);
            assertThat(send(at(server, "/anna").DELETE().header("If-Match", tag)).statusCode())
                    .isEqualTo(412);
            assertThat(send(at(server, "/%01")).statusCode()).isEqualTo(400);
            assertThat(send(put(server, "/x", "<a>")).statusCode()).isEqualTo(400);
            assertThat(send(at(server, "/anna").DELETE()).statusCode()).isEqualTo(204);
            assertThat(send(at(server, "/anna")).statusCode()).isEqualTo(404);
            assertThat(racing(server)).isSubsetOf(201, 204, 409).contains(201);
            // Neither the driver's chatter nor failures.
            assertThat(server.err()).isEmpty();
            // The first look opens a connection, which may take longer than one look may, and is
            // logged then.
            Await.until(LIMIT, () -> isReady(server));
        }
    }

    private static boolean isReady(PenstockProcess server) {
        try {
            return server.status("/health/ready") == 200;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The statuses of writes of one document at once. */
    private static List<Integer> racing(PenstockProcess server) {
        List<CompletableFuture<HttpResponse<String>>> writes = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            HttpRequest request = put(server, "/raced", "<n>" + i + "</n>").timeout(LIMIT).build();
            writes.add(CLIENT.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
        }
        return writes.stream().map(write -> write.join().statusCode()).toList();
    }

    @Test
    void mongo_goneInTheMiddle_isPutOffAndAnsweredAgain() throws Exception {
        try (SwitchedProxy proxy = new SwitchedProxy(port);
                PenstockProcess server =
                        serving(proxy.port() + "/shop?serverSelectionTimeoutMS=10000")) {
            assertThat(send(put(server, "/anna", ANNA)).statusCode()).isEqualTo(201);
            proxy.turnOff();
            for (HttpRequest.Builder request :
                    List.of(
                            at(server, "/anna"),
                            put(server, "/anna", "<a/>"),
                            at(server, "/anna").DELETE(),
                            at(server, search("//a")))) {
                HttpResponse<String> refused = send(request);
                assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
                assertThat(refused.headers().firstValue("Retry-After")).isPresent();
                assertThat(refused.body())
                        .contains("The database that holds the documents can't be reached");
            }
            HttpResponse<String> unready = server.get("/health/ready");
            assertThat(unready.statusCode()).isEqualTo(503);
            assertThat(unready.body()).contains("\"reasons\":[\"MongoDB does not answer\"]");
            proxy.turnOn();
            Await.until(LIMIT, () -> answers(server));
            assertThat(send(at(server, "/anna")).body()).isEqualTo(ANNA);
            server.awaitErr(
                    LIMIT,
                    "MongoDB can't be reached: requests for documents are answered with 503",
                    "MongoDB can be reached again");
            assertThat(server.err()).doesNotContain("Exception in", "\tat ", "mongodb.driver");
            server.terminate();
            assertThat(server.exitCode(LIMIT)).isZero();
        }
    }

    private static boolean answers(PenstockProcess server) {
        try {
            return server.status("/health/ready") == 200
                    && server.status("/documents/people/anna") == 200;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void conversion_there_andBack_isTheSame() throws Exception {
        String json = converted("x2j", ANNA);
        assertThat(json).contains("\"p:hobby\"");
        assertThat(converted("j2x", json)).isEqualTo(ANNA);
    }

    private static String converted(String command, String text) throws Exception {
        try (PenstockProcess process =
                PenstockProcess.start("64m", shipped(), List.of(command, "-"))) {
            try (var in = process.in()) {
                in.write(text.getBytes(StandardCharsets.UTF_8));
            }
            assertThat(process.exitCode(LIMIT)).as(process.err()).isZero();
            return process.out();
        }
    }
}
