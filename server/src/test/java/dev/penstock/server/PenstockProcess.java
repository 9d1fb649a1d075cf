package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.server.command.Penstock;
import dev.penstock.server.config.DatabaseOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A {@code penstock} in a JVM of its own. Closing it kills it, if it still runs. */
public final class PenstockProcess implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofMinutes(5);
    private static final Set<String> LISTENING = Set.of("serve", "demo", "daytrader");

    /** How many event loops servers have: the suite runs with several numbers. */
    private static final String EVENT_LOOPS = System.getProperty("penstock.eventLoops", "2");

    private static final Pattern ADDRESS = Pattern.compile("https?://127\\.0\\.0\\.1:(\\d+)/ ");

    private final Process process;
    private final Path out;
    private final Path err;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private PenstockProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts it with a heap such as {@code 64m}, on the class path of this JVM unless there is {@code CLASSPATH}. */
    public static PenstockProcess start(
            String heap, Map<String, String> environment, List<String> arguments)
            throws IOException {
        return start(Penstock.class, heap, environment, arguments);
    }

    /** Starts the command line of another main class. */
    public static PenstockProcess start(
            Class<?> main, String heap, Map<String, String> environment, List<String> arguments)
            throws IOException {
        Path err = Files.createTempFile("penstock", ".err");
        return start(main, heap, environment, arguments, err);
    }

    private static PenstockProcess start(
            Class<?> main,
            String heap,
            Map<String, String> environment,
            List<String> arguments,
            Path err)
            throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx" + heap,
                                "-XX:+UseSerialGC",
                                "-XX:+UseCompactObjectHeaders",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                environment.getOrDefault(
                                        "CLASSPATH", System.getProperty("java.class.path")),
                                main.getName()));
        command.addAll(1, inherited());
        command.addAll(arguments);
        if (LISTENING.contains(arguments.getFirst()) && !arguments.contains("--event-loops")) {
            command.addAll(List.of("--event-loops", EVENT_LOOPS));
        }
        Path out = Files.createTempFile("penstock", ".out");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        builder.environment().remove(DatabaseOptions.PASSWORD_VARIABLE);
        builder.environment().putAll(environment);
        return new PenstockProcess(builder.start(), out, err);
    }

    /** The options of this JVM for those that it starts: how many processors it sees, and how well it compiles. */
    static List<String> inherited() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument ->
                        argument.startsWith("-XX:ActiveProcessorCount=")
                                || argument.startsWith("-XX:TieredStopAtLevel="))
                .toList();
    }

    /** Starts it on any free port, and returns when it says that it is there. */
    public static PenstockProcess serving(
            String heap, Map<String, String> environment, List<String> arguments)
            throws IOException {
        return serving(Penstock.class, heap, environment, arguments);
    }

    /** The same with another main class. */
    public static PenstockProcess serving(
            Class<?> main, String heap, Map<String, String> environment, List<String> arguments)
            throws IOException {
        Path err = Files.createTempFile("penstock", ".err");
        return serving(main, heap, environment, arguments, err);
    }

    /**
     * The same, with a file for the standard error stream, which must be there; closing deletes it unless it is a
     * device.
     */
    static PenstockProcess serving(
            String heap, Map<String, String> environment, List<String> arguments, Path err)
            throws IOException {
        return serving(Penstock.class, heap, environment, arguments, err);
    }

    private static PenstockProcess serving(
            Class<?> main,
            String heap,
            Map<String, String> environment,
            List<String> arguments,
            Path err)
            throws IOException {
        List<String> more = new ArrayList<>(arguments);
        if (!arguments.contains("--port")) {
            more.addAll(List.of("--port", "0"));
        }
        PenstockProcess started = start(main, heap, environment, more, err);
        boolean isServing = false;
        try {
            Await.until(
                    START_LIMIT,
                    () -> ADDRESS.matcher(started.out()).find() || !started.process.isAlive());
            assertThat(started.process.isAlive()).as(started.err()).isTrue();
            isServing = true;
            return started;
        } finally {
            if (!isServing) {
                System.err.println(started.err());
                started.close();
            }
        }
    }

    public int port() {
        Matcher matcher = ADDRESS.matcher(out());
        assertThat(matcher.find()).as(out()).isTrue();
        return Integer.parseInt(matcher.group(1));
    }

    /** What it has written to its standard output. */
    public String out() {
        return read(out);
    }

    /** Waits until it has written each of these to its standard error stream: a line of the log may come late. */
    public void awaitErr(Duration limit, String... texts) {
        Await.until(limit, () -> Stream.of(texts).allMatch(err()::contains));
    }

    /** What it has written to its standard error stream; nothing of what went to a device. */
    public String err() {
        return Files.isRegularFile(err) ? read(err) : "";
    }

    /** Gets a path, whatever the status. */
    public HttpResponse<String> get(String path) throws IOException {
        try {
            return client.send(
                    HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(60)).build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** The status of a path, whose body may be of any size: it is not read. */
    public int status(String path) throws IOException {
        try {
            HttpResponse<InputStream> response =
                    client.send(
                            HttpRequest.newBuilder(uri(path))
                                    .timeout(Duration.ofSeconds(60))
                                    .build(),
                            HttpResponse.BodyHandlers.ofInputStream());
            response.body().close();
            return response.statusCode();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** The body of a path that must be found. */
    public String body(String path) throws IOException {
        HttpResponse<String> response = get(path);
        assertThat(response.statusCode()).as(path + ": " + response.body()).isEqualTo(200);
        return response.body();
    }

    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port() + path);
    }

    /** Sends the signal that asks it to end. */
    public void terminate() {
        process.destroy();
    }

    /** Ends it in the middle of whatever it does, as a crash would, and returns when it is gone. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** The stream to its standard input. */
    public OutputStream in() {
        return process.getOutputStream();
    }

    /** What it has written to its standard output, as bytes. */
    public byte[] outBytes() throws IOException {
        return Files.readAllBytes(out);
    }

    /** Sends the signal that asks it to read again what it read at its start. */
    public void hangUp() throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-HUP", Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Waits for its end. */
    public int exitCode(Duration limit) throws InterruptedException {
        assertThat(process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS))
                .as("ended within " + limit + "\n" + err())
                .isTrue();
        return process.exitValue();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
        process.destroyForcibly().onExit().join(); // what it holds is free for others
        Files.delete(out);
        if (Files.isRegularFile(err)) {
            Files.delete(err);
        }
    }
}
