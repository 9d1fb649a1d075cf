package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.server.command.Penstock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The commands {@code put} and {@code get} against a server in a JVM of its own. So are the commands that keep a state
 * below the user's home, use the standard streams or are killed; the others run in this JVM, which is a lot quicker.
 */
@Tag("any-loops")
class PutGetIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String HEAP = "32m";
    private static final int MIB = 1 << 20;

    /** The rate of transfers that are ended in their middle: twelve MiB take as many seconds. */
    private static final String SLOW = "1m";

    /** The length, in bytes, of what is slow for longer than a busy machine keeps a test from ending it. */
    private static final int LONG = 40 << 20;

    private static final String TOKEN = "0123456789abcdef0123456789abcdef";

    @TempDir private static Path kept;
    private static PenstockProcess server;

    @TempDir private Path directory;

    private Path files;

    @BeforeAll
    static void startServer() throws IOException {
        server = serving(kept);
    }

    @AfterAll
    static void endServer() throws IOException {
        server.close();
    }

    @BeforeEach
    void makeDirectory() throws IOException {
        files = Files.createDirectory(directory.resolve("files"));
    }

    private static PenstockProcess serving(Path kept, String... more) throws IOException {
        List<String> arguments =
                new ArrayList<>(
                        List.of("serve", "--files", kept.toString(), "--uploads", kept.toString()));
        arguments.addAll(List.of(more));
        return PenstockProcess.serving("64m", Map.of(), arguments);
    }

    private PenstockProcess start(String... arguments) throws IOException {
        return PenstockProcess.start(
                HEAP,
                Map.of("XDG_STATE_HOME", directory.resolve("state").toString()),
                List.of(arguments));
    }

    /** A command's output and exit code. */
    private record Outcome(int exitCode, ByteBuffer out, String text, String err) {}

    private Outcome run(String... arguments) throws Exception {
        try (PenstockProcess process = start(arguments)) {
            process.in().close();
            return outcome(process);
        }
    }

    /** Runs a command in this JVM. */
    private static Outcome runHere(String... arguments) {
        PrintStream usualOut = System.out;
        PrintStream usualErr = System.err;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            int exitCode = Penstock.run(List.of(), arguments);
            return new Outcome(
                    exitCode,
                    ByteBuffer.wrap(out.toByteArray()),
                    out.toString(StandardCharsets.UTF_8),
                    err.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(usualOut);
            System.setErr(usualErr);
        }
    }

    private static Outcome outcome(PenstockProcess process) throws Exception {
        int exitCode = process.exitCode(LIMIT);
        byte[] out = process.outBytes();
        return new Outcome(
                exitCode,
                ByteBuffer.wrap(out),
                new String(out, StandardCharsets.UTF_8),
                process.err());
    }

    private Path file(String name, long size) throws IOException {
        Path file = files.resolve(name);
        Random random = new Random(size);
        byte[] block = new byte[64 * 1024];
        try (OutputStream out = Files.newOutputStream(file)) {
            for (long left = size; left > 0; left -= block.length) {
                random.nextBytes(block);
                out.write(block, 0, (int) Math.min(left, block.length));
            }
        }
        return file;
    }

    private static String sha256(Path file) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        try (var in = Files.newInputStream(file)) {
            byte[] buffer = new byte[64 * 1024];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                digest.update(buffer, 0, n);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    @Test
    void putAndGet_everySize_giveTheSameBytes() throws Exception {
        int[] sizes = {0, 1, 65_535, 65_536, 65_537, 5 * MIB - 1, 5 * MIB, 5 * MIB + 1};
        List<String> put = new ArrayList<>(List.of("put"));
        for (int size : sizes) {
            put.add(file("f" + size, size).toString());
        }
        put.add(server.uri("/uploads").toString());
        Outcome sent = run(put.toArray(String[]::new));
        assertThat(sent.exitCode()).as(sent.err()).isZero();
        List<String> locations = sent.text().lines().toList();
        assertThat(locations).hasSize(sizes.length);
        for (int i = 0; i < sizes.length; i++) {
            Path source = files.resolve("f" + sizes[i]);
            assertThat(sent.err()).contains("; sha-256 " + sha256(source));
            assertThat(kept.resolve("f" + sizes[i])).hasSameBinaryContentAs(source);
            assertThat(locations.get(i)).startsWith(server.uri("/uploads/").toString());
            Outcome received =
                    runHere(
                            "get",
                            "--connections",
                            i % 2 == 0 ? "1" : "4",
                            server.uri("/files/f" + sizes[i]).toString(),
                            directory.toString());
            assertThat(received.exitCode()).as(received.err()).isZero();
            assertThat(directory.resolve("f" + sizes[i])).hasSameBinaryContentAs(source);
        }
    }

    @Test
    void putAndGet_standardStreams_giveTheSameBytes() throws Exception {
        Path source = file("streamed", 3 * MIB + 17);
        try (PenstockProcess put =
                start("put", "--name", "piped", "-", server.uri("/uploads").toString())) {
            Files.copy(source, put.in());
            put.in().close();
            Outcome sent = outcome(put);
            assertThat(sent.exitCode()).as(sent.err()).isZero();
            assertThat(sent.err()).contains("standard input: 3.1 MB");
        }
        assertThat(kept.resolve("piped")).hasSameBinaryContentAs(source);
        Outcome received = run("get", server.uri("/files/piped").toString(), "-");
        assertThat(received.exitCode()).as(received.err()).isZero();
        assertThat(received.out()).isEqualTo(ByteBuffer.wrap(Files.readAllBytes(source)));
    }

    @Test
    void put_serverKilledAndStartedAgain_endsWithoutBeingAsked() throws Exception {
        Path own = Files.createDirectory(directory.resolve("own"));
        Path source = file("big", 12 * MIB);
        try (ReservedPort port = new ReservedPort()) {
            putWhileKilled(own, source, port.number());
        }
    }

    private void putWhileKilled(Path own, Path source, int port) throws Exception {
        PenstockProcess killed = serving(own, "--port", Integer.toString(port));
        try (PenstockProcess put =
                start(
                        "put",
                        "--rate",
                        SLOW,
                        source.toString(),
                        "http://127.0.0.1:" + port + "/uploads")) {
            Await.until(LIMIT, () -> unfinishedBytes(own) > 2 * MIB);
            killed.kill();
            killed.close();
            killed = serving(own, "--port", Integer.toString(port));
            Outcome sent = outcome(put);
            assertThat(sent.exitCode()).as(sent.err()).isZero();
            assertThat(sent.err()).contains("trying again in", "; sha-256 " + sha256(source));
            assertThat(own.resolve("big")).hasSameBinaryContentAs(source);
        } finally {
            killed.close();
        }
    }

    @Test
    void put_killedAndGivenAgain_sendsOnlyTheRest() throws Exception {
        Path source = file("resumed", LONG);
        String url = server.uri("/uploads").toString();
        try (PenstockProcess first = start("put", "--rate", SLOW, source.toString(), url)) {
            Await.until(LIMIT, () -> unfinishedBytes(kept) > 2 * MIB);
            first.kill();
        }
        Outcome sent = run("put", source.toString(), url);
        assertThat(sent.exitCode()).as(sent.err()).isZero();
        assertThat(megabytesMoved(sent.err())).isLessThan(LONG / 1e6 - 1);
        assertThat(sent.err()).contains("resumed: goes on at ", "; sha-256 " + sha256(source));
        assertThat(kept.resolve("resumed")).hasSameBinaryContentAs(source);
    }

    @Test
    void get_killedAndGivenAgain_getsOnlyTheRest() throws Exception {
        Path source = file("fetched", LONG);
        Files.copy(source, kept.resolve("fetched"));
        Path target = directory.resolve("got");
        String url = server.uri("/files/fetched").toString();
        Path part = directory.resolve("got.part");
        try (PenstockProcess first = start("get", "--rate", SLOW, url, target.toString())) {
            Await.until(LIMIT, () -> sizeOf(part) > 3 * MIB);
            first.kill();
        }
        assertThat(target).doesNotExist();
        Outcome received = runHere("get", url, target.toString());
        assertThat(received.exitCode()).as(received.err()).isZero();
        assertThat(megabytesMoved(received.err())).isLessThan(LONG / 1e6 - 1);
        assertThat(target).hasSameBinaryContentAs(source);
        assertThat(part).doesNotExist();
    }

    @Test
    void put_interrupted_saysThatItGoesOnAndDoes() throws Exception {
        Path source = file("stopped", LONG);
        String url = server.uri("/uploads").toString();
        try (PenstockProcess first = start("put", "--rate", SLOW, source.toString(), url)) {
            Await.until(LIMIT, () -> unfinishedBytes(kept) > 2 * MIB);
            // Not that of Ctrl-C, which processes that are started in the background ignore.
            first.terminate();
            Outcome stopped = outcome(first);
            assertThat(stopped.exitCode()).isEqualTo(143);
            assertThat(stopped.err())
                    .contains("penstock: interrupted; the same command goes on where this one was")
                    .doesNotContain("\tat ");
        }
        Outcome sent = run("put", source.toString(), url);
        assertThat(sent.exitCode()).as(sent.err()).isZero();
        assertThat(sent.err()).contains("stopped: goes on at ");
    }

    @Test
    void put_token_isAskedForAndChecked() throws Exception {
        Path own = Files.createDirectory(directory.resolve("own"));
        Path source = file("mine", 100_000);
        Path tokens = Files.writeString(directory.resolve("tokens"), "# us\n" + TOKEN + "\n");
        Path wrong =
                Files.writeString(
                        directory.resolve("wrong"), TOKEN.toUpperCase(Locale.ROOT) + "\n");
        try (PenstockProcess guarded = serving(own, "--token-file", tokens.toString())) {
            String url = guarded.uri("/uploads").toString();
            Outcome none = run("put", source.toString(), url);
            assertThat(none.exitCode()).isEqualTo(1);
            assertThat(none.err()).contains("penstock: mine: ", "token").doesNotContain("\tat ");
            Outcome bad = run("put", "--token-file", wrong.toString(), source.toString(), url);
            assertThat(bad.exitCode()).isEqualTo(1);
            assertThat(bad.err()).contains("token").doesNotContain(TOKEN.toUpperCase(Locale.ROOT));
            Outcome good = run("put", "--token-file", tokens.toString(), source.toString(), url);
            assertThat(good.exitCode()).as(good.err()).isZero();
            assertThat(own.resolve("mine")).hasSameBinaryContentAs(source);
        }
    }

    @Test
    void get_checksum_isCompared() throws Exception {
        Path source = file("a", 70_000);
        Files.copy(source, kept.resolve("a"));
        String url = server.uri("/files/a").toString();
        String target = directory.resolve("b").toString();
        assertThat(runHere("get", "--checksum", sha256(source), "-q", url, target))
                .satisfies(right -> {
                    assertThat(right.exitCode()).isZero();
                    assertThat(right.err()).isEmpty();
                });
        Outcome wrong = runHere("get", "--checksum", "ab".repeat(32), url, target);
        assertThat(wrong.exitCode()).isEqualTo(1);
        assertThat(wrong.err())
                .contains("the SHA-256 is " + sha256(source) + ", and not that of --checksum");
    }

    @Test
    void get_missing_fails() {
        Outcome outcome =
                runHere("get", server.uri("/files/none").toString(), directory.toString());
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.err()).contains("penstock: none: ", "404").doesNotContain("\tat ");
        assertThat(directory.resolve("none")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "put x nowhere | 'nowhere' is no URL: write it like http://host:8080/uploads",
                "put x ftp://host/ | 'ftp://host/' is no URL",
                "put /nowhere/x http://h/ | there is no file /nowhere/x: check its name",
                "put /tmp http://h/ | /tmp is a directory: name the files in it, or send it as tar c /tmp",
                "put - /dev/null http://h/ | the standard input (-) is sent alone",
                "put --name n /dev/null /dev/null http://h/ | --name is about one file",
                "put --rate 1k /dev/null http://h/ | --rate 1k is too slow",
                "put --retries 1001 /dev/null http://h/ | --retries 1001 is out of bounds: choose 0 to 1000",
                "put --token-file /nowhere/t /dev/null http://h/ | --token-file /nowhere/t can't be read",
                "put /dev/null | put needs files and the URL that takes them",
                "put http://h/ | put needs files and the URL that takes them",
                "get http://h/ | the URL does not end in the name of a file",
                "get http://h/x /nowhere/y | there is no directory /nowhere: create it, or name another FILE",
                "get --connections 17 http://h/x | --connections 17 is out of bounds: choose 1 to 16",
                "get --checksum ab http://h/x | --checksum is no SHA-256"
            })
    void command_badArguments_areRefusedInOneSentence(String arguments, String sentence) {
        Outcome outcome = runHere(arguments.split(" ", -1));
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).startsWith("penstock: " + sentence);
        assertThat(outcome.err().lines()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"put", "get"})
    void command_help_saysHowItEnds(String command) {
        Outcome outcome = runHere(command, "--help");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.text()).contains("Usage: penstock " + command, "Exit codes: 0");
    }

    private static double megabytesMoved(String err) {
        Matcher matcher = Pattern.compile("of which ([0-9.]+) MB now").matcher(err);
        assertThat(matcher.find()).as(err).isTrue();
        return Double.parseDouble(matcher.group(1));
    }

    /** The bytes of uploads that are not finished, as their files have them. */
    private static long unfinishedBytes(Path kept) {
        try (Stream<Path> all = Files.walk(kept.resolve(".uploads"))) {
            return all.mapToLong(PutGetIT::sizeOf).max().orElse(0);
        } catch (IOException | java.io.UncheckedIOException _) {
            return 0;
        }
    }

    private static long sizeOf(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (IOException _) {
            return 0;
        }
    }
}
