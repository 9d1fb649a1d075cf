package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server whose database goes away and comes back. */
@Timeout(180)
final class DatabaseDownIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Pattern ADDRESS = Pattern.compile("(127\\.0\\.0\\.1|localhost):(\\d+)");

    /** Far below the ten seconds that a pool waits, far above what a refusal takes on a busy machine. */
    private static final Duration AT_ONCE = Duration.ofSeconds(4);

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
                    proxy.turnOff();
                    refusesAtOnce(server);
                    proxy.turnOn();
                    long started = System.nanoTime();
                    Await.until(LIMIT, () -> status(server, "/api/fruit?limit=1") == 200);
                    Await.until(LIMIT, () -> status(server, "/api/fruit") == 200);
                    assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(LIMIT);
                }
                assertThat(server.err())
                        .contains("The database can't be reached: requests for it are refused")
                        .contains("The database can be reached again");
            }
        }
    }

    private static void refusesAtOnce(PenstockProcess server) throws Exception {
        // The first ones may meet connections that are dead, and say so in their own way.
        Await.until(LIMIT, () -> status(server, "/api/fruit?limit=1") == 503);
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        long started = System.nanoTime();
        for (int i = 0; i < 40; i++) {
            String path = i % 2 == 0 ? "/api/fruit?limit=1" : "/api/fruit";
            answers.add(CompletableFuture.supplyAsync(() -> get(server, path)));
        }
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            HttpResponse<String> response = answer.get();
            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.headers().firstValue("Retry-After")).isPresent();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(AT_ONCE);
    }

    @Test
    void failures_ofWhoIsThereAndRefuses_openNoCircuit() {
        assertThat(isNobodyThere("28P01")).isFalse();
        assertThat(isNobodyThere("53300")).isFalse();
        assertThat(isNobodyThere("08004")).isFalse();
        assertThat(isNobodyThere("57P03")).isTrue();
        assertThat(isNobodyThere("08001")).isTrue();
        SQLException reset = new SQLException("no state", new IOException("Connection reset"));
        assertThat(DatabaseCircuit.isNobodyThere(reset)).isTrue();
    }

    private static boolean isNobodyThere(String state) {
        return DatabaseCircuit.isNobodyThere(new SQLException("of a test", state));
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
