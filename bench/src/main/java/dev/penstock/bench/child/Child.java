package dev.penstock.bench.child;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A JVM that this one started, with a heap of its own size. It takes orders ({@link Orders}), one at a time. Its log is a
 * file. Closing ends it, by force if it does not end by itself.
 */
public final class Child implements AutoCloseable {
    /** An order that failed, or was not answered in time. */
    public static final class Failed extends IOException {
        private static final long serialVersionUID = 1L;

        public Failed(String message) {
            super(message);
        }
    }

    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration END = Duration.ofSeconds(3);
    private static final String GONE = "gone";

    private final String name;
    private final Path log;
    private final Process process;
    private final BufferedWriter orders;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Answer ready;

    private Child(String name, Path log, Process process) throws IOException {
        this.name = name;
        this.log = log;
        this.process = process;
        orders = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), UTF_8));
        Thread.ofPlatform().name("answers of " + name).daemon().start(this::listen);
        ready = await("ready", START);
    }

    /**
     * Starts a JVM on this one's class path, and waits until it says that it is ready.
     *
     * @param name for its log and for messages
     * @param heap its {@code -Xmx}, such as {@code 64m}
     * @param log where its log goes; written anew
     */
    public static Child start(
            String name, Class<?> main, String heap, List<String> arguments, Path log)
            throws IOException {
        Files.createDirectories(log.toAbsolutePath().getParent());
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmArguments(heap));
        command.addAll(processors());
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
        try {
            return new Child(name, log, process);
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /** What the launcher chooses for a server as well. */
    private static List<String> jvmArguments(String heap) {
        return List.of(
                "-Xms" + heap,
                "-Xmx" + heap,
                "-XX:+UseSerialGC",
                "-XX:+UseCompactObjectHeaders",
                "-XX:+UsePerfData",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.awt.headless=true");
    }

    /** The option of this JVM that says how many processors it sees; none unless it was given. */
    private static List<String> processors() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("-XX:ActiveProcessorCount="))
                .toList();
    }

    /** What it said when it was ready. */
    public Answer ready() {
        return ready;
    }

    public boolean alive() {
        return process.isAlive();
    }

    public long pid() {
        return process.pid();
    }

    /** Gives an order and waits for its answer. */
    public Answer ask(String verb, Answer arguments, Duration patience) throws IOException {
        // What a late answer to an order that was given up left behind.
        answers.clear();
        orders.write(verb + " " + arguments.line() + "\n");
        orders.flush();
        return await("done", patience);
    }

    public Answer ask(String verb, Duration patience) throws IOException {
        return ask(verb, new Answer(java.util.Map.of()), patience);
    }

    private Answer await(String expected, Duration patience) throws IOException {
        String line;
        try {
            line = answers.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failed(name + ": interrupted while waiting for it");
        }
        if (line == null) {
            throw new Failed(name + " did not answer within " + patience + "; see " + log);
        }
        if (line.startsWith(expected + " ")) {
            return Answer.parse(line.substring(expected.length()));
        }
        throw new Failed(name + ": " + line + "; see " + log);
    }

    private void listen() {
        try (BufferedReader in = process.inputReader(UTF_8)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                answers.add(line);
            }
        } catch (IOException e) {
            // The process has gone; the line below says so.
        }
        answers.add(GONE);
    }

    /** The largest resident memory so far, in bytes, as the kernel counts it; 0 where the kernel does not tell. */
    public long peakResidentBytes() throws IOException {
        return kernelBytes("VmHWM:");
    }

    /** Resident memory now, in bytes; 0 where the kernel does not tell. */
    public long residentBytes() throws IOException {
        return kernelBytes("VmRSS:");
    }

    private long kernelBytes(String figure) throws IOException {
        Path status = Path.of("/proc", Long.toString(pid()), "status");
        if (Files.isReadable(status)) {
            for (String line : Files.readAllLines(status)) {
                if (line.startsWith(figure)) {
                    return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
                }
            }
        }
        return 0;
    }

    @Override
    public void close() {
        try {
            orders.close();
        } catch (IOException e) {
            // It is gone already.
        }
        try {
            if (!process.waitFor(END.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
