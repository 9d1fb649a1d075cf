package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that what can't be is said in one sentence, with exit code 2 and without a stack trace. */
@Tag("any-loops")
class RefusalIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir private Path directory;

    @ParameterizedTest
    @EnumSource(names = {"MARIADB", "MYSQL"})
    void serve_wrongPassword_isRefused(TestDatabase.Kind kind) throws Exception {
        try (TestDatabase database = TestDatabase.create(kind)) {
            assertThat(
                            refusal(
                                    "serve",
                                    "--jdbc",
                                    database.url(),
                                    "--user",
                                    database.user(),
                                    "--password-file",
                                    file("not it")))
                    .contains("refuses user " + database.user())
                    .contains("check the user, and the password in --password-file")
                    .containsOnlyOnce("Access denied")
                    .doesNotContain("not it");
        }
    }

    /** The test server trusts whoever comes from this machine, whatever the password, but knows its users. */
    @Test
    void serve_unknownUserOfPostgres_isRefused() throws Exception {
        try (TestDatabase database = TestDatabase.create(TestDatabase.Kind.POSTGRESQL)) {
            assertThat(refusal("serve", "--jdbc", database.url(), "--user", "nobody_known"))
                    .contains("refuses user nobody_known")
                    .contains("check the user, and the password");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void serve_unknownSchema_listsThoseThereAre(TestDatabase.Kind kind) throws Exception {
        try (TestDatabase database = TestDatabase.create(kind)) {
            assertThat(
                            refusal(
                                    "serve",
                                    "--jdbc",
                                    database.url(),
                                    "--user",
                                    database.user(),
                                    "--password-file",
                                    file(database.password()),
                                    "--schema",
                                    "nowhere"))
                    .contains("--schema nowhere is not in the database: choose one of ")
                    .contains("information_schema");
        }
    }

    @Test
    void serve_unknownDatabase_isRefused() throws Exception {
        try (TestDatabase database = TestDatabase.create(TestDatabase.Kind.POSTGRESQL)) {
            String url = database.url().replaceFirst("/fresh_[a-z0-9]+", "/nowhere");
            assertThat(
                            refusal(
                                    "serve",
                                    "--jdbc",
                                    url,
                                    "--user",
                                    database.user(),
                                    "--password-file",
                                    file(database.password())))
                    .contains("there is no such database as");
        }
        assertThat(refusal("serve", "--jdbc", "jdbc:h2:" + directory.resolve("nowhere")))
                .contains("there is no such database as jdbc:h2:");
        assertThat(directory.resolve("nowhere.mv.db")).doesNotExist();
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL"})
    void serve_nobodyListens_isUnreachable(TestDatabase.Kind kind) throws Exception {
        String scheme = kind.name().toLowerCase(java.util.Locale.ROOT);
        assertThat(
                        refusal(
                                "serve",
                                "--jdbc",
                                "jdbc:" + scheme + "://127.0.0.1:1/x?password=geheim"))
                .contains("jdbc:" + scheme + "://127.0.0.1:1/x")
                .contains("can't be reached")
                .contains("check host and port")
                .doesNotContain("geheim");
    }

    @Test
    void serve_nothing_saysWhatThereIs() throws Exception {
        assertThat(refusal("serve"))
                .isEqualTo(
                        "penstock: there is nothing to serve: give --jdbc URL for the tables of a database, --files DIR"
                                + " for files, --uploads DIR to take uploads, or --mongodb URL with --documents NAME"
                                + " for XML documents");
    }

    @ParameterizedTest
    @CsvSource({"--schema, s", "--accelerate, film", "--connections, 5", "--bulk-reads, 5"})
    void serve_optionOfADatabaseWithoutOne_saysSo(String option, String value) throws Exception {
        assertThat(refusal("serve", "--files", directory.toString(), option, value))
                .isEqualTo("penstock: " + option + " is about a database: give --jdbc URL too");
    }

    @Test
    void serve_uploadsFromElsewhereWithoutToken_areRefusedBeforeAnythingIsMade() throws Exception {
        Path uploads = directory.resolve("in");
        assertThat(
                        refusal(
                                "serve",
                                "--uploads",
                                uploads.toString(),
                                "--host",
                                "0.0.0.0",
                                "--port",
                                "0"))
                .isEqualTo(
                        "penstock: --uploads would let whoever reaches 0.0.0.0 write to this machine: give --token-file"
                                + " FILE with the tokens that clients have to send, or listen on 127.0.0.1 alone");
        assertThat(uploads).doesNotExist();
    }

    @Test
    void serve_portInUse_saysSo() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(
                            refusal(
                                    "serve",
                                    "--jdbc",
                                    "jdbc:h2:mem:x",
                                    "--port",
                                    Integer.toString(taken.getLocalPort())))
                    .contains("can't listen on 127.0.0.1 port " + taken.getLocalPort())
                    .contains("choose another --port");
        }
    }

    @Test
    void serve_foreignAddress_saysSo() throws Exception {
        assertThat(
                        refusal(
                                "serve",
                                "--jdbc",
                                "jdbc:h2:mem:x",
                                "--port",
                                "0",
                                "--host",
                                "192.0.2.1"))
                .contains("can't listen on 192.0.2.1")
                .contains("a --host of this machine");
    }

    @Test
    void serve_unreadablePasswordFile_saysSo() throws Exception {
        assertThat(refusal("serve", "--jdbc", "jdbc:h2:mem:x", "--password-file", "/nowhere/p"))
                .contains("--password-file /nowhere/p can't be read (NoSuchFileException)");
        assertThat(
                        refusal(
                                "serve",
                                "--jdbc",
                                "jdbc:h2:mem:x",
                                "--password-file",
                                file("x".repeat(5000))))
                .contains("is longer than 4096 bytes");
    }

    @Test
    void serve_noDriver_namesThoseThereAre() throws Exception {
        assertThat(refusal("serve", "--jdbc", "jdbc:oracle:thin:@h:1521/x"))
                .contains("no driver is there for jdbc:oracle:")
                .contains("h2, mariadb, mysql, postgresql");
    }

    @ParameterizedTest
    @CsvSource({
        "--bulk, --bulk-reads, 1",
        "--queue, --queue-limit, 1",
        "--patience, --queue-timeout, 1s",
        "--stop-within, --stop-timeout, 1s",
        "--proxy, --trusted-proxies, 10.0.0.5"
    })
    void serve_renamedOption_isRefusedWithItsNewName(String old, String now, String value)
            throws Exception {
        assertThat(refusal("serve", "--jdbc", "jdbc:h2:mem:x", old, value))
                .isEqualTo(
                        "penstock: %s is called %s now; see penstock serve --help"
                                .formatted(old, now));
    }

    private static String refusal(String... arguments) throws IOException, InterruptedException {
        try (PenstockProcess process = PenstockProcess.start("64m", Map.of(), List.of(arguments))) {
            assertThat(process.exitCode(LIMIT)).isEqualTo(2);
            assertThat(process.out()).isEmpty();
            assertThat(process.err().lines())
                    .filteredOn(line -> !line.contains(" WARNING server: Listening on "))
                    .singleElement()
                    .asString()
                    .startsWith("penstock: ");
            return process.err()
                    .lines()
                    .filter(line -> line.startsWith("penstock: "))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private String file(String password) throws IOException {
        Path file = directory.resolve("password");
        Files.write(file, (password + "\n").getBytes(StandardCharsets.UTF_8));
        return file.toString();
    }
}
