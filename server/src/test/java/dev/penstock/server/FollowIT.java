package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.server.config.DatabaseOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose tables in memory follow a database. */
@Tag("any-loops")
class FollowIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final TestDatabase database = TestDatabase.createLogged(TestDatabase.Kind.POSTGRESQL);
    private final String slot = database.url().replaceFirst(".*/", "slot_");

    @TempDir private Path directory;

    FollowIT() {
        database.execute(
                "CREATE TABLE fruit (id int PRIMARY KEY, name text, weight numeric(9, 2))",
                "INSERT INTO fruit SELECT x, 'fruit ' || x, x / 4.0 FROM generate_series(1, 300) x");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private List<String> arguments(String... more) {
        List<String> all =
                new ArrayList<>(
                        List.of(
                                "serve",
                                "--jdbc",
                                database.url(),
                                "--user",
                                database.user(),
                                "--accelerate",
                                "fruit"));
        all.addAll(List.of(more));
        return all;
    }

    private PenstockProcess following(String... more) throws IOException {
        return PenstockProcess.serving(
                "64m",
                Map.of(DatabaseOptions.PASSWORD_VARIABLE, database.password()),
                followed(more));
    }

    private List<String> followed(String... more) {
        List<String> all = arguments("--follow", "--follow-slot", slot);
        all.addAll(List.of(more));
        return all;
    }

    private static String body(PenstockProcess server, String path) {
        try {
            return server.body(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String rows() throws SQLException {
        StringBuilder rows = new StringBuilder("id,name,weight\r\n");
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT * FROM fruit ORDER BY id")) {
            while (row.next()) {
                rows.append(row.getString(1))
                        .append(',')
                        .append(row.getString(2))
                        .append(',')
                        .append(row.getString(3))
                        .append("\r\n");
            }
        }
        return rows.toString();
    }

    private void awaitRows(PenstockProcess server) throws SQLException {
        String wanted = rows();
        Await.until(LIMIT, () -> body(server, "/api/fruit?order=id&format=csv").equals(wanted));
    }

    private String slots() {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery(
                                "SELECT count(*) FROM pg_replication_slots WHERE slot_name = '"
                                        + slot
                                        + "'")) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void serve_follow_showsEachChangeAndWhereItIs() throws Exception {
        try (PenstockProcess server = following("--follow-drop")) {
            database.execute(
                    "INSERT INTO fruit VALUES (1000, 'new', 1)",
                    "DELETE FROM fruit WHERE id < 10",
                    "UPDATE fruit SET id = id + 5000, name = 'it''s' WHERE id % 7 = 0");
            awaitRows(server);
            database.execute("TRUNCATE fruit");
            awaitRows(server);
            database.execute("INSERT INTO fruit VALUES (1, 'alone', 1)");
            awaitRows(server);
            assertThat(server.body("/tables-in-memory.json"))
                    .containsPattern(
                            "\"follow\":\\{\"position\":\"[0-9A-F]+/[0-9A-F]+\",\"failures\":0,")
                    .contains("\"refresh\":null");
            assertThat(server.body("/tables-in-memory"))
                    .contains(
                            "They follow the changes of the database, and have those up to place");
            assertThat(slots()).isEqualTo("1");
            server.terminate();
            assertThat(server.exitCode(LIMIT)).isZero();
            assertThat(slots()).isEqualTo("0");
        }
    }

    @Test
    void serve_stoppedWhileItLoads_leavesNoSlot() throws Exception {
        // A hundred thousand rows take a while; "--follow-drop" is for a machine that loads them at
        // once.
        database.execute(
                "INSERT INTO fruit SELECT x, repeat('x', 500), 1 FROM generate_series(301, 100000) x");
        try (PenstockProcess server =
                PenstockProcess.start(
                        "64m",
                        Map.of(DatabaseOptions.PASSWORD_VARIABLE, database.password()),
                        followed("--follow-drop", "--port", "0"))) {
            Await.until(LIMIT, () -> slots().equals("1"));
            server.terminate();
            int _ = server.exitCode(LIMIT);
            assertThat(slots()).as(server.err()).isEqualTo("0");
        }
    }

    @Test
    void serve_followAndFile_afterAKillHasAllChanges() throws Exception {
        String[] options = {"--memory-file", directory.resolve("tables").toString()};
        Path file = directory.resolve("tables/tables.penstock");
        try (PenstockProcess server = following(options)) {
            assertThat(server.err()).contains("Into memory: fruit, 300 rows, ");
            Await.until(LIMIT, () -> Files.exists(file));
            database.execute("INSERT INTO fruit VALUES (1000, 'before', 1)");
            awaitRows(server);
            // In the middle of what it does for these.
            for (int i = 1; i <= 20; i++) {
                database.execute("UPDATE fruit SET name = 'killed' WHERE id = " + i);
            }
            server.kill();
        }
        database.execute(
                "UPDATE fruit SET name = 'meanwhile' WHERE id % 3 = 0",
                "DELETE FROM fruit WHERE id % 5 = 0");
        try (PenstockProcess server = following(options)) {
            assertThat(server.err())
                    .contains("Into memory: from the file, 300 rows, ")
                    .doesNotContain("Into memory: fruit");
            awaitRows(server);
            database.execute("UPDATE fruit SET name = 'after' WHERE id % 2 = 0");
            awaitRows(server);
        }
    }

    @Test
    void serve_aTableThatIsChangedItself_isFollowedOn() throws Exception {
        try (PenstockProcess server = following()) {
            database.execute("ALTER TABLE fruit ADD COLUMN kind text DEFAULT 'round'");
            server.hangUp();
            Await.until(LIMIT, () -> body(server, "/tables-in-memory.json").contains("\"kind\""));
            database.execute("UPDATE fruit SET kind = 'long' WHERE id = 5");
            Await.until(LIMIT, () -> body(server, "/api/fruit?id=eq.5").contains("long"));
        }
    }

    @Test
    void serve_whatCantBeFollowed_isRefused() throws Exception {
        assertThat(refusal(arguments("--follow", "--refresh", "1m")))
                .isEqualTo(
                        "penstock: --refresh loads the tables by time, and --follow as soon as they change: give one"
                                + " of the two");
        assertThat(refusal(arguments("--follow-drop")))
                .isEqualTo(
                        "penstock: --follow-drop is for tables that follow the database: give --follow too");
        assertThat(refusal(arguments("--follow", "--follow-slot", "My Slot")))
                .isEqualTo(
                        "penstock: --follow-slot My Slot is no name of a slot: choose lower-case letters, digits and"
                                + " _, at most 63, and no digit first");
        assertThat(refusal(List.of("serve", "--jdbc", "jdbc:h2:mem:x", "--follow")))
                .isEqualTo(
                        "penstock: --follow is for tables that are answered from memory: name them with --accelerate");
        assertThat(
                        refusal(
                                List.of(
                                        "serve",
                                        "--jdbc",
                                        "jdbc:h2:"
                                                + directory.resolve("shop")
                                                + ";IFEXISTS=FALSE;INIT=CREATE TABLE IF NOT EXISTS fruit (id int primary key)",
                                        "--accelerate",
                                        "fruit",
                                        "--follow")))
                .contains(
                        "--follow reads the log of PostgreSQL or MariaDB, and jdbc:h2:",
                        " is another database: take --refresh");
        try (TestDatabase other = TestDatabase.create(TestDatabase.Kind.MARIADB)) {
            other.execute("CREATE TABLE fruit (id int PRIMARY KEY)");
            List<String> arguments = mariaDb(other, "--follow");
            assertThat(refusal(arguments)).contains("--log-bin");
            arguments.add("--follow-drop");
            assertThat(refusal(arguments))
                    .isEqualTo(
                            "penstock: --follow-drop is for the slots of PostgreSQL, and MariaDB has none: leave it out");
        }
        database.execute("CREATE TABLE bare (id int)");
        List<String> bare = arguments("--follow", "--follow-slot", slot);
        bare.set(bare.indexOf("fruit"), "bare");
        assertThat(refusal(bare))
                .isEqualTo(
                        "penstock: table bare can't be followed: once it was published, its updates and deletions would"
                                + " fail for want of a replica identity: run ALTER TABLE \"public\".\"bare\" REPLICA"
                                + " IDENTITY FULL");
    }

    private static List<String> mariaDb(TestDatabase other, String... more) {
        List<String> all =
                new ArrayList<>(
                        List.of(
                                "serve",
                                "--jdbc",
                                other.url(),
                                "--user",
                                other.user(),
                                "--accelerate",
                                "fruit"));
        all.addAll(List.of(more));
        return all;
    }

    @Test
    void serve_followMariaDb_hasAllChangesAlsoAfterAKill() throws Exception {
        try (TestDatabase other = TestDatabase.createLogged(TestDatabase.Kind.MARIADB)) {
            other.execute(
                    "CREATE TABLE fruit (id INT PRIMARY KEY, name VARCHAR(20))",
                    "INSERT INTO fruit VALUES (1, 'one'), (2, 'two'), (3, 'three')");
            Path tables = directory.resolve("mariadb");
            Path file = tables.resolve("tables.penstock");
            List<String> arguments = mariaDb(other, "--follow", "--memory-file", tables.toString());
            Map<String, String> password =
                    Map.of(DatabaseOptions.PASSWORD_VARIABLE, other.password());
            try (PenstockProcess server = PenstockProcess.serving("64m", password, arguments)) {
                other.execute("UPDATE fruit SET name = 'new' WHERE id = 1");
                Await.until(LIMIT, () -> body(server, "/api/fruit?id=eq.1").contains("\"new\""));
                assertThat(server.body("/tables-in-memory.json"))
                        .contains("\"follow\":{\"position\":");
                Await.until(LIMIT, () -> Files.exists(file));
                server.kill();
            }
            other.execute("DELETE FROM fruit WHERE id = 2", "INSERT INTO fruit VALUES (4, 'four')");
            try (PenstockProcess server = PenstockProcess.serving("64m", password, arguments)) {
                assertThat(server.err()).contains("Into memory: from the file, 3 rows, ");
                Await.until(
                        LIMIT,
                        () ->
                                body(server, "/api/fruit?order=id&select=id&format=csv")
                                        .equals("id\r\n1\r\n3\r\n4\r\n"));
            }
        }
    }

    private String refusal(List<String> arguments) throws Exception {
        try (PenstockProcess process =
                PenstockProcess.start(
                        "64m",
                        Map.of(DatabaseOptions.PASSWORD_VARIABLE, database.password()),
                        arguments)) {
            assertThat(process.exitCode(LIMIT)).isEqualTo(2);
            assertThat(process.err()).doesNotContain("HikariPool");
            return process.err()
                    .lines()
                    .filter(line -> line.startsWith("penstock: "))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
