package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.server.config.DatabaseOptions;
import dev.penstock.server.database.CircuitBreaker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server whose database goes away and comes back. */
@Tag("any-loops")
@Timeout(600)
final class DatabaseDownIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Pattern ADDRESS = Pattern.compile("(127\\.0\\.0\\.1|localhost):(\\d+)");

    /** Below the ten seconds that a pool waits, far above what a refusal takes on a busy machine. */
    private static final Duration AT_ONCE = Duration.ofSeconds(9);

    /** MariaDB's error of that name. */
    private static final int UNKNOWN_THREAD = 1094;

    private static final Pattern REFUSED = Pattern.compile("requests for it are refused until");

    /**
     * How often connections are ended until a request meets one; on a slow machine none may, since the pool looks at
     * those that were idle.
     */
    private static final int ROUNDS = 5;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void requests_whileTheDatabaseIsDown_areRefusedAtOnceAndAnsweredSoonAfter(
            TestDatabase.Kind kind) throws Exception {
        try (TestDatabase database = TestDatabase.create(kind)) {
            Matcher address = ADDRESS.matcher(database.url());
            assertThat(address.find()).as(database.url()).isTrue();
            database.execute(
                    "CREATE TABLE fruit (id INT PRIMARY KEY, name VARCHAR(20))",
                    "INSERT INTO fruit VALUES (1, 'apple')");
            try (SwitchedProxy proxy = new SwitchedProxy(Integer.parseInt(address.group(2)));
                    PenstockProcess server =
                            serving(address.replaceFirst("127.0.0.1:" + proxy.port()), database)) {
                for (int round = 0; round < 2; round++) {
                    assertThat(server.body("/api/fruit?limit=1")).contains("apple");
                    assertThat(server.body("/api/fruit")).contains("apple");
                    long before = refusals(server);
                    proxy.turnOff();
                    refusesAtOnce(server, before);
                    proxy.turnOn();
                    long started = System.nanoTime();
                    Await.until(LIMIT, () -> status(server, "/api/fruit?limit=1") == 200);
                    Await.until(LIMIT, () -> status(server, "/api/fruit") == 200);
                    assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(LIMIT);
                }
                server.awaitErr(
                        LIMIT,
                        "The database can't be reached: requests for it are refused",
                        "The database can be reached again");
            }
        }
    }

    private static long refusals(PenstockProcess server) {
        return REFUSED.matcher(server.err()).results().count();
    }

    private static void refusesAtOnce(PenstockProcess server, long before) {
        // The first ones meet connections that are dead, which opens no circuit.
        assertThat(statuses(server)).containsOnly(503);
        Await.until(LIMIT, () -> refusals(server) > before);
        long started = System.nanoTime();
        assertThat(statuses(server)).containsOnly(503);
        assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(AT_ONCE);
    }

    /** Those of forty requests at once, where whoever is put off is told for how long. */
    private static List<Integer> statuses(PenstockProcess server) {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String path = i % 2 == 0 ? "/api/fruit?limit=1" : "/api/fruit";
            answers.add(CompletableFuture.supplyAsync(() -> get(server, path)));
        }
        List<Integer> statuses = new ArrayList<>();
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            HttpResponse<String> response = answer.join();
            statuses.add(response.statusCode());
            assertThat(response.headers().firstValue("Retry-After").isPresent())
                    .as(response.body())
                    .isEqualTo(response.statusCode() == 503);
        }
        return statuses;
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void requests_whoseConnectionTheDatabaseEnded_arePutOff(TestDatabase.Kind kind)
            throws Exception {
        try (TestDatabase database = TestDatabase.create(kind)) {
            database.execute(
                    "CREATE TABLE fruit (id INT PRIMARY KEY, name VARCHAR(20))",
                    "INSERT INTO fruit VALUES (1, 'apple')");
            try (PenstockProcess server = serving(database.url(), database)) {
                boolean met = false;
                for (int round = 0; round < ROUNDS && !met; round++) {
                    Await.until(LIMIT, () -> statuses(server).stream().allMatch(s -> s == 200));
                    endConnections(kind, database);
                    List<Integer> statuses = statuses(server);
                    assertThat(statuses).isSubsetOf(200, 503);
                    met = statuses.contains(503);
                }
                Await.until(LIMIT, () -> status(server, "/api/fruit") == 200);
            }
        }
    }

    /** Ends all connections to a database but the one that does it. */
    private static void endConnections(TestDatabase.Kind kind, TestDatabase database)
            throws SQLException {
        if (kind == TestDatabase.Kind.POSTGRESQL) {
            database.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                            + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
            return;
        }
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            List<Long> others = new ArrayList<>();
            try (ResultSet rows =
                    statement.executeQuery(
                            "SELECT id FROM information_schema.processlist"
                                    + " WHERE db = DATABASE() AND id <> CONNECTION_ID()")) {
                while (rows.next()) {
                    others.add(rows.getLong(1));
                }
            }
            for (long other : others) {
                kill(other, statement);
            }
        }
    }

    private static void kill(long connection, Statement statement) throws SQLException {
        try {
            statement.execute("KILL CONNECTION " + connection);
        } catch (SQLException e) {
            boolean hasEnded = e.getErrorCode() == UNKNOWN_THREAD;
            if (!hasEnded) {
                throw e;
            }
        }
    }

    @Test
    void failures_ofWhoIsThereAndRefuses_openNoCircuit() {
        assertThat(isUnreachable("28P01")).isFalse();
        assertThat(isUnreachable("53300")).isFalse();
        assertThat(isUnreachable("08004")).isFalse();
        assertThat(isUnreachable("57P03")).isTrue();
        assertThat(isUnreachable("08001")).isTrue();
        SQLException reset = new SQLException("no state", new IOException("Connection reset"));
        assertThat(CircuitBreaker.isUnreachable(reset)).isTrue();
    }

    private static boolean isUnreachable(String state) {
        return CircuitBreaker.isUnreachable(new SQLException("of a test", state));
    }

    private static PenstockProcess serving(String url, TestDatabase database) throws IOException {
        return PenstockProcess.serving(
                "64m",
                Map.of(DatabaseOptions.PASSWORD_VARIABLE, database.password()),
                List.of("serve", "--jdbc", url, "--user", database.user(), "--connections", "12"));
    }

    private static HttpResponse<String> get(PenstockProcess server, String path) {
        try {
            return server.get(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int status(PenstockProcess server, String path) {
        return get(server, path).statusCode();
    }
}
