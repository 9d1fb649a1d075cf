package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.server.config.DatabaseOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLConnection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cell of nearly half the heap, from a server in a JVM of its own. */
@Tag("any-loops")
@Timeout(600)
final class WideCellIT {
    private static final String HEAP = "256m";

    /** A quarter of the heap is 62 MiB, half of it 124: a collector keeps a part to itself. */
    private static final int WIDE = 120 << 20;

    private static final int TOO_WIDE = 130 << 20;

    /** How much of a cell a page shows. */
    private static final long SHOWN = 1 << 16;

    private static final long SHOWN_IN_LIST = 100;

    @Test
    void cell_ofNearlyHalfTheHeap_isServedInEveryFormatAndTwiceAtOnce() throws Exception {
        try (TestDatabase database = TestDatabase.create(TestDatabase.Kind.POSTGRESQL)) {
            database.execute(
                    "CREATE TABLE doc (id INT PRIMARY KEY, body TEXT)",
                    "ALTER TABLE doc ALTER COLUMN body SET STORAGE EXTERNAL",
                    "INSERT INTO doc VALUES (1, repeat('x', " + WIDE + "))",
                    "INSERT INTO doc VALUES (2, repeat('y', " + TOO_WIDE + "))");
            try (PenstockProcess server = serving(database)) {
                for (String format : List.of("json", "ndjson", "csv", "xml")) {
                    assertThat(count(server.uri("/api/doc?id=eq.1&format=" + format), 'x'))
                            .as(format)
                            .isBetween((long) WIDE, WIDE + 100L);
                }
                // A page shows its beginning, and links to all of it.
                assertThat(count(server.uri("/api/doc?id=eq.1&format=html"), 'x'))
                        .isBetween(SHOWN, SHOWN + 100);
                CompletableFuture<Long> other =
                        CompletableFuture.supplyAsync(
                                () -> count(server.uri("/api/doc?id=eq.1&format=csv"), 'x'));
                assertThat(count(server.uri("/api/doc?id=eq.1&format=csv"), 'x')).isEqualTo(WIDE);
                assertThat(other.get(120, TimeUnit.SECONDS)).isEqualTo(WIDE);
                assertThat(server.get("/api/doc?id=eq.2").body())
                        .contains("has " + TOO_WIDE + " bytes in column body")
                        .contains("to send it takes " + (TOO_WIDE + (1 << 20)) + " bytes")
                        .containsPattern("a heap of at least 27\\d MiB \\(-Xmx, serve --heap\\)");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"POSTGRESQL, text, bytea, 90", "MARIADB, longtext, longblob, 24"})
    void cell_ofAViewOrATableWithoutAKey_isServed(
            TestDatabase.Kind kind, String text, String bytes, int mebibytes) throws Exception {
        int wide = mebibytes << 20;
        try (TestDatabase database = TestDatabase.create(kind)) {
            database.execute(
                    "CREATE TABLE doc (id INT, body " + text + ")",
                    "CREATE TABLE picture (id INT PRIMARY KEY, body " + bytes + ")",
                    "CREATE VIEW pictures AS SELECT id, body FROM picture",
                    "INSERT INTO doc VALUES (1, 'narrow'), (2, repeat('x', " + wide + "))",
                    "INSERT INTO picture VALUES (1, "
                            + (kind == TestDatabase.Kind.POSTGRESQL
                                    ? "convert_to(repeat('x', " + wide + "), 'UTF8'))"
                                    : "repeat('x', " + wide + "))"));
            try (PenstockProcess server = serving(database)) {
                assertThat(count(server.uri("/api/doc?format=csv"), 'x')).isEqualTo(wide);
                assertThat(count(server.uri("/api/doc?format=html"), 'x'))
                        .isBetween(SHOWN_IN_LIST, SHOWN);
                // Three bytes are "eHh4" in base64, of which nothing is held but a block.
                assertThat(count(server.uri("/api/pictures?format=csv"), 'H')).isEqualTo(wide / 3);
                assertThat(server.get("/api/pictures?format=html").body())
                        .contains("78 78 78", "%,d bytes".formatted(wide));
            }
        }
    }

    private static PenstockProcess serving(TestDatabase database) throws IOException {
        return PenstockProcess.serving(
                HEAP,
                Map.of(DatabaseOptions.PASSWORD_VARIABLE, database.password()),
                List.of("serve", "--jdbc", database.url(), "--user", database.user()));
    }

    /** How often a byte comes. */
    private static long count(URI uri, char wanted) {
        try {
            URLConnection connection = uri.toURL().openConnection();
            connection.setReadTimeout(120_000);
            long count = 0;
            byte[] block = new byte[1 << 16];
            try (InputStream in = connection.getInputStream()) {
                for (int n = in.read(block); n >= 0; n = in.read(block)) {
                    for (int i = 0; i < n; i++) {
                        count += block[i] == wanted ? 1 : 0;
                    }
                }
            }
            return count;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
