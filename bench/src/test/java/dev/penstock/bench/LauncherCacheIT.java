package dev.penstock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A test of {@code ./penstock cache}, and of the commands that start with what it has made. The launcher is a copy in a
 * folder of its own, with links to what the build has made; so nothing is built, and no cache of the user's is touched.
 */
@Timeout(300)
class LauncherCacheIT {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** The output of {@code cksum} for an empty list of sources, with which the launcher builds nothing. */
    private static final String NO_SOURCES = "4294967295 0\n";

    /** The directories of the built programs that the launcher starts. */
    private static final List<String> LINKED = List.of("server/target", "apps/demo/target");

    private static final Pattern ADDRESS = Pattern.compile("(http://127\\.0\\.0\\.1:\\d+)/");
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    @TempDir private static Path copy;
    private static String said;

    @BeforeAll
    static void makeCaches() throws Exception {
        Assumptions.assumeTrue(
                Files.exists(ROOT.resolve("apps/demo/target/classpath")),
                "the demo is not packaged: run the tests by mvn verify");
        Files.copy(ROOT.resolve("penstock"), copy.resolve("penstock"));
        for (String directory : LINKED) {
            link(directory);
        }
        Files.createDirectory(copy.resolve("target"));
        for (String target : List.of("server", "demo")) {
            Files.writeString(copy.resolve("target/built-" + target), NO_SOURCES);
        }
        Path out = copy.resolve("cache.out");
        Process cache = launcher(out, "", List.of("cache")).start();
        assertThat(cache.waitFor(4, TimeUnit.MINUTES)).isTrue();
        said = Files.readString(out);
        assertThat(cache.exitValue()).as(said).isZero();
    }

    /** Removes the links before the temporary directory is deleted, so that their targets stay. */
    @AfterAll
    static void removeLinks() throws IOException {
        for (String directory : LINKED) {
            Files.deleteIfExists(copy.resolve(directory));
        }
    }

    private static void link(String directory) throws IOException {
        Path link = copy.resolve(directory);
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, ROOT.resolve(directory));
    }

    private static ProcessBuilder launcher(Path out, String javaOptions, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(copy.resolve("penstock").toString()));
        command.addAll(arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("PENSTOCK_JAVA_OPTIONS", javaOptions);
        return builder;
    }

    /** Starts a command, gets a page, and returns what the JVM says about where its classes come from. */
    private static String classes(String command, String page) throws Exception {
        Path out = Files.createTempFile(copy, command, ".out");
        Path log = Files.createTempFile(copy, command, ".log");
        List<String> arguments =
                new ArrayList<>(List.of(command, "--jdbc", "jdbc:h2:mem:cached", "--port", "0"));
        if (command.equals("daytrader")) {
            arguments.addAll(List.of("--users", "50", "--quotes", "100"));
        }
        Process server = launcher(out, "-Xlog:class+load:file=" + log, arguments).start();
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create(address(server, out) + page);
            HttpRequest request = HttpRequest.newBuilder(uri).build();
            assertThat(client.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(200);
            return Files.readString(log);
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    /** Waits for the line that says where a server listens. */
    private static String address(Process server, Path out) throws IOException {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (true) {
            boolean isAlive = server.isAlive();
            String lines = Files.readString(out);
            Matcher address = ADDRESS.matcher(lines);
            if (address.find()) {
                return address.group(1);
            }
            assertThat(isAlive && System.nanoTime() < end).as(lines).isTrue();
            LockSupport.parkNanos(10_000_000);
        }
    }

    @Test
    void cache_ofServerAndDemo_isMadeWithoutABuild() {
        assertThat(copy.resolve("target/server.aot")).isNotEmptyFile();
        assertThat(copy.resolve("target/demo.aot")).isNotEmptyFile();
        assertThat(said).contains("server.aot", "demo.aot").doesNotContain("Building Penstock");
    }

    @ParameterizedTest
    @CsvSource({
        "serve, /api, dev.penstock.server.command.Penstock",
        "daytrader, /daytrader/app, dev.penstock.demo.PenstockDemo"
    })
    void command_withACache_hasItsClassesFromIt(String command, String page, String main)
            throws Exception {
        assertThat(classes(command, page)).contains(main + " source: shared objects file");
    }

    /** The JVM would only refuse it, since the jars are others. */
    @Test
    void command_builtSinceTheCache_doesWithoutIt() throws Exception {
        Path built = copy.resolve("target/built-server");
        FileTime before = Files.getLastModifiedTime(built);
        Files.setLastModifiedTime(built, FileTime.from(Instant.now().plusSeconds(60)));
        try {
            assertThat(classes("serve", "/api"))
                    .contains("dev.penstock.server.command.Penstock source: file:");
        } finally {
            Files.setLastModifiedTime(built, before);
        }
    }
}
