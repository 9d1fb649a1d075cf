package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.server.config.DatabaseOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ServeIT {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(60);

    @TempDir private Path directory;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void serve_realDatabase_givesItsTablesAndStopsInOrder(TestDatabase.Kind kind) throws Exception {
        try (TestDatabase database = TestDatabase.create(kind)) {
            database.execute(statements(kind));
            try (PenstockProcess server =
                    PenstockProcess.serving(
                            "64m",
                            Map.of(DatabaseOptions.PASSWORD_VARIABLE, database.password()),
                            List.of(
                                    "serve",
                                    "--jdbc",
                                    database.url(),
                                    "--user",
                                    database.user()))) {
                requireTables(server);
                assertThat(server.out() + server.err()).doesNotContain("password=");
                server.terminate();
                assertThat(server.exitCode(STOP_LIMIT)).isZero();
            }
        }
    }

    @Test
    void serve_h2File_givesItsTablesAndStopsInOrder() throws Exception {
        String url = "jdbc:h2:" + directory.resolve("shop");
        fill(url);
        try (PenstockProcess server =
                PenstockProcess.serving(
                        "64m",
                        Map.of(),
                        List.of("serve", "--jdbc", url + ";USER=sa", "--access-log"))) {
            requireTables(server);
            server.awaitErr(STOP_LIMIT, "GET /api/fruit 200");
            server.terminate();
            assertThat(server.exitCode(STOP_LIMIT)).isZero();
        }
    }

    @Test
    void serve_schemaGiven_givesThatOne() throws Exception {
        try (TestDatabase database = TestDatabase.create(TestDatabase.Kind.POSTGRESQL)) {
            database.execute(
                    "CREATE SCHEMA \"Other One\"",
                    "CREATE TABLE \"Other One\".hidden (n INT)",
                    "CREATE TABLE shown (n INT)");
            List<String> arguments =
                    List.of(
                            "serve",
                            "--jdbc",
                            database.url(),
                            "--user",
                            database.user(),
                            "--schema",
                            "Other One");
            try (PenstockProcess server =
                    PenstockProcess.serving(
                            "64m",
                            Map.of(DatabaseOptions.PASSWORD_VARIABLE, database.password()),
                            arguments)) {
                assertThat(server.body("/api")).contains("hidden").doesNotContain("shown");
                assertThat(server.body("/api/hidden?format=json"))
                        .isEqualToIgnoringWhitespace("[]");
            }
        }
    }

    @Test
    void serve_everyConnectionTakenByBulkReads_shortRequestsAreAnswered() throws Exception {
        try (TestDatabase database = TestDatabase.create(TestDatabase.Kind.POSTGRESQL)) {
            database.execute(
                    "CREATE TABLE wide AS SELECT n, repeat('x', 1000) AS text FROM"
                            + " generate_series(1, 20000) n",
                    "CREATE TABLE narrow AS SELECT 1 AS n");
            try (PenstockProcess server =
                            PenstockProcess.serving(
                                    "64m",
                                    Map.of(DatabaseOptions.PASSWORD_VARIABLE, database.password()),
                                    List.of(
                                            "serve",
                                            "--jdbc",
                                            database.url(),
                                            "--user",
                                            database.user(),
                                            "--connections",
                                            "4"));
                    StalledReaders readers = new StalledReaders(server.port())) {
                readers.open("/api/wide?format=csv", 6);
                Await.until(
                        Duration.ofSeconds(60),
                        () -> {
                            Status now = Status.of(server);
                            return now.bulkRunning() == 3 && now.queued() == 3;
                        });
                assertThat(server.body("/api/narrow?limit=1&format=csv")).contains("1");
                assertThat(server.body("/api/narrow?format=csv")).contains("1");
                assertThat(Status.of(server).bulkRunning()).isEqualTo(3);
            }
        }
    }

    private static void requireTables(PenstockProcess server) throws Exception {
        assertThat(server.body("/api")).contains("fruit", "ripe");
        assertThat(server.body("/api/fruit?format=csv&order=id"))
                .isEqualToNormalizingNewlines("id,name\n1,apple\n2,\n3,\"\"\n");
        assertThat(server.body("/api/ripe?format=json&select=name")).contains("\"apple\"");
        assertThat(server.body("/")).contains("/api/fruit").contains("ripe");
        assertThat(server.get("/api/nowhere").statusCode()).isEqualTo(404);
    }

    private static String[] statements(TestDatabase.Kind kind) {
        List<String> statements = new ArrayList<>();
        statements.add("CREATE TABLE fruit (id INT PRIMARY KEY, name VARCHAR(20))");
        statements.add("INSERT INTO fruit VALUES (1, 'apple'), (2, NULL), (3, '')");
        statements.add("CREATE VIEW ripe AS SELECT * FROM fruit WHERE id = 1");
        assertThat(kind).isNotNull();
        return statements.toArray(String[]::new);
    }

    private static void fill(String url) throws Exception {
        try (var connection = java.sql.DriverManager.getConnection(url, "sa", "");
                var statement = connection.createStatement()) {
            for (String sql : statements(TestDatabase.Kind.H2)) {
                statement.execute(sql);
            }
        }
    }
}
