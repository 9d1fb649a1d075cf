package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The schema is read again while the server runs. */
@Tag("any-loops")
class SchemaReloadIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir private Path directory;

    private String url() {
        return "jdbc:h2:" + directory.resolve("shop") + ";AUTO_SERVER=TRUE;LOCK_TIMEOUT=60000";
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(), "sa", "");
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static HttpResponse<String> reload(PenstockProcess server, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(server.uri("/reload"))
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .timeout(LIMIT);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private static int status(PenstockProcess server, String path) {
        try {
            return server.get(path).statusCode();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void newTable_afterAPostOrASignal_isServed() throws Exception {
        execute("create table fruit (id int primary key)");
        try (PenstockProcess server =
                PenstockProcess.serving(
                        "64m", Map.of(), List.of("serve", "--jdbc", url(), "--user", "sa"))) {
            assertThat(reload(server).body()).isEqualTo("{\"changed\":false}\n");
            execute("create table basket (id int primary key)");
            assertThat(reload(server, "X-Forwarded-For", "127.0.0.1").statusCode())
                    .as("handed on by a proxy")
                    .isEqualTo(403);
            assertThat(status(server, "/api/basket")).isEqualTo(404);
            HttpResponse<String> changed = reload(server);
            assertThat(changed.statusCode()).isEqualTo(200);
            assertThat(changed.body()).isEqualTo("{\"changed\":true}\n");
            assertThat(status(server, "/api/basket")).isEqualTo(200);
            assertThat(server.body("/")).contains("/api/basket");
            assertThat(status(server, "/reload")).isEqualTo(405);
            execute("create table box (id int primary key)");
            server.hangUp();
            Await.until(LIMIT, () -> status(server, "/api/box") == 200);
            assertThat(server.isAlive()).isTrue();
        }
    }

    @Test
    void tableInMemory_thatChanges_isTheDatabasesUntilItIsLoadedAgain() throws Exception {
        execute(
                "create table fruit (id int primary key, name varchar(20), old int)",
                "insert into fruit values (1, 'apple', 1)");
        List<String> arguments =
                List.of(
                        "serve",
                        "--jdbc",
                        url(),
                        "--user",
                        "sa",
                        "--accelerate",
                        "fruit",
                        "--index",
                        "fruit(id),fruit(name)",
                        "--memory",
                        "64m");
        try (PenstockProcess server = PenstockProcess.serving("64m", Map.of(), arguments)) {
            execute(
                    "drop table fruit",
                    "create table fruit (id varchar(9) primary key, size int)",
                    "insert into fruit values ('a', 5)");
            // From memory, as it was.
            assertThat(server.body("/api/fruit")).contains("apple");
            assertThat(reload(server).body()).isEqualTo("{\"changed\":true}\n");
            assertThat(server.body("/api/fruit")).isEqualTo("[{\"id\":\"a\",\"size\":5}]\n");
            Await.until(LIMIT, () -> inMemory(server).contains("\"size\""));
            execute("insert into fruit values ('b', 6)");
            // From memory again.
            Await.until(LIMIT, () -> rows(server).equals("[{\"id\":\"a\",\"size\":5}]\n"));
            execute("drop table fruit");
            assertThat(reload(server).body()).isEqualTo("{\"changed\":true}\n");
            assertThat(status(server, "/api/fruit")).isEqualTo(404);
            assertThat(status(server, "/tables-in-memory")).isEqualTo(200);
            execute("create table fruit (id varchar(9) primary key, size int)");
            assertThat(reload(server).body()).isEqualTo("{\"changed\":true}\n");
            // From memory once more, although it is what it was before it was dropped: rows that
            // come later are not among its own.
            AtomicInteger later = new AtomicInteger();
            Await.until(LIMIT, () -> isMissing(server, later.incrementAndGet()));
        }
    }

    @Test
    void tableInMemory_thatIsMadeAgainAsItWas_isNotTakenFromItsFile() throws Exception {
        execute(
                "create table fruit (id varchar(9) primary key, size int)",
                "insert into fruit values ('old', 5)");
        Path tables = directory.resolve("tables");
        List<String> arguments =
                List.of(
                        "serve",
                        "--jdbc",
                        url(),
                        "--user",
                        "sa",
                        "--accelerate",
                        "fruit",
                        "--memory-file",
                        tables.toString());
        try (PenstockProcess server = PenstockProcess.serving("64m", Map.of(), arguments)) {
            Await.until(LIMIT, () -> Files.exists(tables.resolve("tables.penstock")));
            execute("drop table fruit");
            assertThat(reload(server).body()).isEqualTo("{\"changed\":true}\n");
            execute(
                    "create table fruit (id varchar(9) primary key, size int)",
                    "insert into fruit values ('new', 6)");
            assertThat(reload(server).body()).isEqualTo("{\"changed\":true}\n");
            AtomicInteger later = new AtomicInteger();
            Await.until(
                    LIMIT,
                    () -> {
                        assertThat(rows(server)).contains("\"new\"").doesNotContain("\"old\"");
                        return isMissing(server, later.incrementAndGet());
                    });
        }
    }

    @Test
    void tableInMemory_thatCanNotBeLoadedAgain_isTriedAgain() throws Exception {
        execute(
                "create table divisor (id int primary key, number int)",
                "insert into divisor values (1, 1)",
                "create view quotient as select id, 10 / number as size from divisor");
        List<String> arguments =
                List.of(
                        "serve",
                        "--jdbc",
                        url(),
                        "--user",
                        "sa",
                        "--accelerate",
                        "quotient",
                        "--memory",
                        "64m");
        try (PenstockProcess server = PenstockProcess.serving("64m", Map.of(), arguments)) {
            execute(
                    "drop view quotient",
                    "create view quotient as select id, 20 / number as part from divisor",
                    "update divisor set number = 0");
            assertThat(reload(server).body()).isEqualTo("{\"changed\":true}\n");
            Await.until(LIMIT, () -> server.err().contains("until another try succeeds"));
            execute("update divisor set number = 1");
            AtomicInteger later = new AtomicInteger(1);
            Await.until(LIMIT, () -> isMissingDivisor(server, later.incrementAndGet()));
            assertThat(server.body("/api/quotient?id=eq.1"))
                    .isEqualTo("[{\"id\":1,\"part\":20}]\n");
        }
    }

    /** Adds a row, and returns whether the server does not have it. */
    private boolean isMissingDivisor(PenstockProcess server, int id) {
        try {
            execute("insert into divisor values (" + id + ", 2)");
            return server.body("/api/quotient?id=eq." + id).equals("[]\n");
        } catch (SQLException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Adds a row, and returns whether the server does not have it. */
    private boolean isMissing(PenstockProcess server, int row) {
        try {
            execute("insert into fruit values ('row" + row + "', 1)");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return !rows(server).contains("\"row" + row + "\"");
    }

    private static String rows(PenstockProcess server) {
        try {
            return server.body("/api/fruit");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String inMemory(PenstockProcess server) {
        try {
            return server.body("/tables-in-memory.json");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
