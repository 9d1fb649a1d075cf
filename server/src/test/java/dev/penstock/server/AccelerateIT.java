package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.server.config.DatabaseOptions;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Tables that are served from memory give what the database gives. */
@Tag("any-loops")
class AccelerateIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final String[] TABLES = {
        "CREATE TABLE fruit (id INT PRIMARY KEY, name VARCHAR(40), weight DECIMAL(9, 2), picked DATE)",
        "CREATE TABLE basket (id INT PRIMARY KEY, owner VARCHAR(20))",
        "INSERT INTO basket VALUES (1, 'Ada'), (2, NULL)"
    };

    private static final List<String> PATHS =
            List.of(
                    "/api/fruit?order=id",
                    "/api/fruit?order=id&format=csv",
                    "/api/fruit?order=id&format=ndjson&limit=7&offset=3",
                    "/api/fruit?order=id&format=xml&limit=5",
                    "/api/fruit?order=id&format=html&limit=5",
                    "/api/fruit?select=name,id&order=weight.desc,id&limit=20",
                    "/api/fruit?weight=gte.30&weight=lt.60.5&order=id",
                    "/api/fruit?name=is.null&order=id",
                    "/api/fruit?name=like.*1*&order=name,id&format=csv",
                    "/api/fruit?id=in.(1,5,99999)&order=id.desc",
                    "/api/fruit?or=(id.lt.4,picked.eq.2026-03-05)&order=id",
                    "/api/fruit?id=eq.0",
                    "/api/basket?order=id&format=csv",
                    "/api/fruit?weigth=gte.3",
                    "/api/fruit?id=eq.x",
                    "/api/nowhere");

    @TempDir private Path directory;

    private String url() {
        return "jdbc:h2:" + directory.resolve("shop") + ";AUTO_SERVER=TRUE;LOCK_TIMEOUT=60000";
    }

    private void fill(String... more) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(), "sa", "");
                Statement statement = connection.createStatement()) {
            for (String sql : TABLES) {
                statement.execute(sql);
            }
            for (String sql : rows()) {
                statement.execute(sql);
            }
            for (String sql : more) {
                statement.execute(sql);
            }
        }
    }

    private static List<String> rows() {
        List<String> inserts = new ArrayList<>();
        for (int id = 1; id <= 300; id++) {
            String name = id % 7 == 0 ? "NULL" : "'fruit %d'".formatted(id * 31 % 100);
            inserts.add(
                    "INSERT INTO fruit VALUES (%d, %s, %d.%d5, DATE '2026-03-%02d')"
                            .formatted(id, name, id * 17 % 90, id % 10, id % 28 + 1));
        }
        return inserts;
    }

    private static PenstockProcess serving(
            String url, String user, String password, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("serve", "--jdbc", url, "--user", user));
        all.addAll(List.of(arguments));
        return PenstockProcess.serving(
                "64m", Map.of(DatabaseOptions.PASSWORD_VARIABLE, password), all);
    }

    @Test
    void serve_tableInMemory_answersAsTheDatabaseDoes() throws Exception {
        fill();
        List<String> answers;
        try (PenstockProcess server = serving(url(), "sa", "")) {
            answers = answers(server);
            assertThat(server.get("/tables-in-memory").statusCode()).isEqualTo(404);
        }
        try (PenstockProcess server = serving(url(), "sa", "", "--accelerate", "fruit")) {
            assertThat(server.err()).contains("Into memory: fruit, 300 rows, ");
            try (Connection connection = DriverManager.getConnection(url(), "sa", "");
                    Statement statement = connection.createStatement()) {
                statement.execute("DELETE FROM fruit");
            }
            assertThat(answers(server)).isEqualTo(answers);
            assertThat(server.body("/")).contains("/tables-in-memory").contains("Tables in memory");
            assertThat(server.body("/tables-in-memory"))
                    .contains("<h2 id=\"version\">Version 1</h2>")
                    .contains(">fruit</a></h2>")
                    .contains("300 rows")
                    .contains("They are not refreshed")
                    .doesNotContain("basket", "{{");
            String json = server.body("/tables-in-memory.json");
            requireJson(json);
            assertThat(json)
                    .contains("\"version\":{\"number\":1,")
                    .contains("\"refresh\":null")
                    .contains("{\"name\":\"fruit\",\"rows\":300,\"bytes\":")
                    .contains(
                            "{\"name\":\"id\",\"type\":\"int\",\"storage\":\"numbers\",\"width\":2,")
                    .contains("\"nulls\":42,")
                    .contains("\"distinct\":300,\"indexBytes\":0,\"comparedBy\":\"memory\"}");
            server.terminate();
            assertThat(server.exitCode(LIMIT)).isZero();
        }
    }

    @Test
    void serve_chosenColumns_asksTheDatabaseForOthers() throws Exception {
        fill();
        List<String> answers;
        try (PenstockProcess server = serving(url(), "sa", "")) {
            answers = answers(server);
        }
        try (PenstockProcess server =
                serving(url(), "sa", "", "--accelerate", "fruit(name,weight),basket")) {
            assertThat(answers(server)).isEqualTo(answers);
            assertThat(server.body("/tables-in-memory"))
                    .contains("Not loaded, and asked of the database: picked.");
            assertThat(server.body("/tables-in-memory.json"))
                    .contains("\"columnsNotLoaded\":[\"picked\"]")
                    .contains("\"columnsNotLoaded\":[]");
            try (Connection connection = DriverManager.getConnection(url(), "sa", "");
                    Statement statement = connection.createStatement()) {
                statement.execute("DELETE FROM fruit WHERE id < 300");
            }
            assertThat(server.body("/api/fruit?select=id,name,weight&id=eq.3"))
                    .contains("fruit 93");
            assertThat(server.body("/api/fruit?select=id,picked&id=eq.3")).doesNotContain("2026");
            // What is counted comes from where the rows do.
            assertThat(total(server, "/api/fruit?select=id,name")).isEqualTo("0-299/300");
            assertThat(total(server, "/api/fruit")).isEqualTo("0-0/1");
        }
        assertThat(refusal("--accelerate", "fruit(id,colour)"))
                .isEqualTo(
                        "penstock: --accelerate fruit: table fruit has no column colour: choose among id, name,"
                                + " weight, picked");
    }

    @Test
    void serve_declaredIndexes_areThereAtTheStartAndAfterEachRefresh() throws Exception {
        fill();
        String index = "{\"columns\":[\"weight\"],\"kind\":\"order\",";
        try (PenstockProcess server =
                serving(
                        url(),
                        "sa",
                        "",
                        "--accelerate",
                        "fruit(name,weight)",
                        "--index",
                        "fruit(weight),fruit(NAME)",
                        "--refresh",
                        "1s")) {
            assertThat(server.body("/tables-in-memory.json")).contains(index);
            Await.until(
                    LIMIT,
                    () ->
                            !body(server, "/tables-in-memory.json")
                                    .contains("\"version\":{\"number\":1,"));
            assertThat(server.body("/tables-in-memory.json")).contains(index);
            assertThat(server.body("/api/fruit?select=id,weight&order=weight&limit=1"))
                    .isEqualToIgnoringWhitespace("[{\"id\":90,\"weight\":0.05}]");
        }
        assertThat(refusal("--accelerate", "fruit(name)", "--index", "fruit(weight)"))
                .isEqualTo(
                        "penstock: --index fruit: column weight of table fruit is not in memory: name it in"
                                + " --accelerate too");
        assertThat(refusal("--accelerate", "fruit", "--index", "fruit(colour)"))
                .isEqualTo(
                        "penstock: --index fruit: table fruit has no column colour: choose among id, name, weight,"
                                + " picked");
        assertThat(refusal("--accelerate", "fruit", "--index", "froot(id)"))
                .isEqualTo(
                        "penstock: --index froot is no table or view of the database: choose among basket, fruit");
        assertThat(refusal("--index", "fruit(name)"))
                .isEqualTo(
                        "penstock: --index is for tables that are answered from memory: name them with"
                                + " --accelerate");
    }

    private static String total(PenstockProcess server, String path) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(server.uri(path)).header("Prefer", "count=exact").build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.ofString())
                    .headers()
                    .firstValue("Content-Range")
                    .orElseThrow();
        }
    }

    private static void requireJson(String text) {
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
            int depth = 0;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            }
            assertThat(depth).isZero();
        }
    }

    private static List<String> answers(PenstockProcess server) throws Exception {
        List<String> answers = new ArrayList<>();
        for (String path : PATHS) {
            var response = server.get(path);
            answers.add(
                    path
                            + " "
                            + response.statusCode()
                            + " "
                            + response.headers().firstValue("Content-Type").orElse("")
                            + "\n"
                            + PageTotals.without(response.body()));
        }
        return answers;
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void serve_tableOfARealDatabase_answersAsItDoes(TestDatabase.Kind kind) throws Exception {
        try (TestDatabase database = TestDatabase.create(kind)) {
            database.execute(TABLES);
            database.execute(rows().toArray(String[]::new));
            List<String> answers;
            try (PenstockProcess server =
                    serving(database.url(), database.user(), database.password())) {
                answers = answers(server);
            }
            try (PenstockProcess server =
                    serving(
                            database.url(),
                            database.user(),
                            database.password(),
                            "--accelerate",
                            "fruit,basket",
                            "--refresh",
                            "5m")) {
                database.execute("DELETE FROM fruit", "DELETE FROM basket");
                assertThat(answers(server)).isEqualTo(answers);
            }
        }
    }

    @Test
    void serve_refresh_showsWhatChangedAndOutlivesFailures() throws Exception {
        fill();
        try (Connection connection = DriverManager.getConnection(url(), "sa", "");
                Statement statement = connection.createStatement();
                PenstockProcess server =
                        serving(url(), "sa", "", "--accelerate", "fruit", "--refresh", "1s")) {
            statement.execute("INSERT INTO fruit VALUES (1000, 'new', 1, NULL)");
            Await.until(LIMIT, () -> body(server, "/api/fruit?id=eq.1000").contains("new"));
            statement.execute("ALTER TABLE fruit RENAME TO gone");
            Await.until(
                    LIMIT,
                    () ->
                            body(server, "/tables-in-memory.json")
                                    .contains("the database could not be read"));
            assertThat(server.body("/tables-in-memory"))
                    .contains("The last refresh failed")
                    .contains("goes on answering");
            server.awaitErr(LIMIT, "refreshing the snapshot failed");
            assertThat(server.body("/api/fruit?id=eq.1000")).contains("new");
            statement.execute("ALTER TABLE gone RENAME TO fruit");
            Await.until(
                    LIMIT,
                    () -> body(server, "/tables-in-memory.json").contains("\"lastFailure\":null"));
        }
    }

    @Test
    void serve_memoryFile_answersAfterARestartAndIsBroughtUpToDate() throws Exception {
        fill();
        String[] options = {
            "--accelerate", "fruit", "--memory-file", directory.resolve("tables").toString()
        };
        Path file = directory.resolve("tables/tables.penstock");
        try (PenstockProcess server = serving(url(), "sa", "", options)) {
            assertThat(server.err()).contains("Into memory: fruit, 300 rows, ");
            assertThat(server.body("/tables-in-memory.json")).contains("\"fromFile\":false");
            Await.until(LIMIT, () -> Files.exists(file));
        }
        try (Connection connection = DriverManager.getConnection(url(), "sa", "");
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO fruit VALUES (1000, 'new', 1, NULL)");
        }
        try (PenstockProcess server = serving(url(), "sa", "", options)) {
            assertThat(server.err())
                    .contains("Into memory: from the file, 300 rows, ")
                    .contains("; being brought up to date")
                    .doesNotContain("Into memory: fruit");
            Await.until(LIMIT, () -> body(server, "/api/fruit?id=eq.1000").contains("new"));
            assertThat(server.body("/tables-in-memory.json")).contains("\"fromFile\":false");
            assertThat(answers(server)).hasSize(PATHS.size());
            server.kill();
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        try (PenstockProcess server = serving(url(), "sa", "", options)) {
            assertThat(server.err())
                    .contains("tables.penstock is damaged: the checksum of ")
                    .contains(": the tables are loaded from the database instead")
                    .contains("Into memory: fruit, 301 rows, ");
            assertThat(server.body("/api/fruit?id=eq.1000")).contains("new");
        }
        assertThat(refusal("--accelerate", "fruit", "--memory-file", file.toString()))
                .isEqualTo(
                        ("penstock: --memory-file %s can't be made (FileAlreadyExistsException): create it,"
                                        + " or name another directory")
                                .formatted(file));
        String shared = directory.resolve("tables").toString();
        assertThat(refusal("--accelerate", "fruit", "--memory-file", shared, "--files", shared))
                .isEqualTo(
                        "penstock: --memory-file %s and --files %s would share a directory: name one of its own for"
                                        .formatted(shared, shared)
                                + " the tables");
        assertThat(refusal("--memory-file", directory.toString()))
                .isEqualTo(
                        "penstock: --memory-file is for tables that are answered from memory: name them with"
                                + " --accelerate");
    }

    private static String body(PenstockProcess server, String path) {
        try {
            return server.body(path);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void serve_unknownTable_namesThoseThereAre() throws Exception {
        fill();
        assertThat(refusal("--accelerate", "basket,froot"))
                .isEqualTo(
                        "penstock: --accelerate froot is no table or view of the database: choose among"
                                + " basket, fruit");
    }

    @Test
    void serve_moreThanTheMemory_saysTheRemedy() throws Exception {
        fill(
                "CREATE TABLE wide AS SELECT x AS id, RANDOM_UUID() AS one, RANDOM_UUID() AS other"
                        + " FROM SYSTEM_RANGE(1, 60000)");
        assertThat(refusal("--accelerate", "wide", "--memory", "1m"))
                .startsWith("penstock: loading table WIDE into memory failed: the snapshot has ")
                .contains("its limit is 1,048,576")
                .endsWith(": raise --memory, or name fewer tables in --accelerate");
    }

    @Test
    void serve_badOptions_areRefused() throws Exception {
        assertThat(refusal("--memory", "2g"))
                .isEqualTo(
                        "penstock: --memory is for tables that are answered from memory: name them with"
                                + " --accelerate");
        assertThat(refusal("--accelerate", "fruit", "--memory", "much"))
                .isEqualTo("penstock: --memory much is no size: write it like 512m or 2g");
        assertThat(refusal("--accelerate", "fruit", "--refresh", "1ms"))
                .isEqualTo("penstock: --refresh 1ms is out of bounds: choose 1s to 168h");
    }

    private String refusal(String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("serve", "--jdbc", url(), "--user", "sa"));
        arguments.addAll(List.of(more));
        try (PenstockProcess process = PenstockProcess.start("64m", Map.of(), arguments)) {
            assertThat(process.exitCode(LIMIT)).isEqualTo(2);
            assertThat(process.out()).isEmpty();
            return process.err()
                    .lines()
                    .filter(line -> line.startsWith("penstock: "))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
