package dev.penstock.bench.child;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Serializable;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that an experiment starts around one object, with a heap of its own size. It runs the tasks that it is sent,
 * one at a time. Its log is a file. Closing ends it, by force if it does not end by itself. For one thread.
 *
 * @param <S> the object's type
 */
public final class Child<S> implements AutoCloseable {
    /** A task that failed, or was not finished in time. */
    public static final class Failed extends IOException {
        private static final long serialVersionUID = 1L;

        /** Makes one. */
        public Failed(String message) {
            super(message);
        }
    }

    /** The start of the object that a child is about; it runs in the child. */
    public interface Starter<S> extends Serializable {
        /** Starts it. */
        S start() throws Exception;
    }

    /** A task that runs in the child. */
    public interface Task<S, R> extends Serializable {
        /** Runs with the child's object. The result can be serialized. */
        R run(S started) throws Exception;
    }

    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration END = Duration.ofSeconds(3);

    private final String name;
    private final Path log;
    private final Process process;
    private final Writer tasks;
    private final BlockingQueue<ChildMain.Reply> replies = new LinkedBlockingQueue<>();
    private int sent;

    private Child(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
        tasks = process.outputWriter(UTF_8);
        Thread.ofPlatform().name("replies of " + name).daemon().start(this::listen);
    }

    /**
     * Starts a JVM on this one's class path, and waits until its object is started.
     *
     * @param name for messages
     * @param heap its {@code -Xmx}, such as {@code 64m}
     * @param log where its log goes; written again
     */
    public static <S> Child<S> start(String name, String heap, Path log, Starter<S> starter)
            throws IOException {
        return start(name, heap, List.of(), log, starter);
    }

    /**
     * The same, with more options for the launcher.
     *
     * @param more such as {@code -XX:MaxDirectMemorySize=24m}
     */
    public static <S> Child<S> start(
            String name, String heap, List<String> more, Path log, Starter<S> starter)
            throws IOException {
        Files.createDirectories(log.toAbsolutePath().getParent());
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options(heap));
        command.addAll(more);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(ChildMain.class.getName());
        Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
        Child<S> child = new Child<>(name, log, process);
        try {
            Object started = child.exchange(starter, START);
            if (!ChildMain.STARTED.equals(started)) {
                throw new Failed(name + " did not start but answered " + started);
            }
            return child;
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /** The launcher's options for a server, and what this JVM was told of processors and its compiler. */
    private static List<String> options(String heap) {
        List<String> options =
                new ArrayList<>(
                        List.of(
                                "-Xms" + heap,
                                "-Xmx" + heap,
                                "-XX:+UseSerialGC",
                                "-XX:+UseCompactObjectHeaders",
                                "-XX:+UsePerfData",
                                "--enable-native-access=ALL-UNNAMED",
                                "-Djava.awt.headless=true"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument ->
                        argument.startsWith("-XX:ActiveProcessorCount=")
                                || argument.startsWith("-XX:TieredStopAtLevel="))
                .forEach(options::add);
        return options;
    }

    /** Returns whether its process still runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Ends its process at once, as {@code kill -9} does, and waits until it is gone. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Has the child run a task that takes seconds at most. Returns its result. */
    public <R> R call(Task<? super S, R> task) throws IOException {
        return call(TIMEOUT, task);
    }

    /** Has the child run a task. Returns its result. */
    @SuppressWarnings("unchecked") // the reply to a task is its result
    public <R> R call(Duration timeout, Task<? super S, R> task) throws IOException {
        return (R) exchange(task, timeout);
    }

    private Object exchange(Serializable message, Duration timeout) throws IOException {
        sent++;
        tasks.write(ChildMain.encode(message) + "\n");
        tasks.flush();
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            ChildMain.Reply reply = reply(deadline - System.nanoTime());
            if (reply == null) {
                throw new Failed(name + " did not answer within " + timeout + "; see " + log);
            }
            // One to a task that was given up before comes late.
            if (reply.number() == sent || reply.number() == ChildMain.Reply.GONE) {
                if (reply.failure() != null) {
                    throw new Failed(name + ": " + reply.failure() + "; see " + log);
                }
                return reply.value();
            }
        }
    }

    private ChildMain.@Nullable Reply reply(long nanos) throws Failed {
        try {
            return replies.poll(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failed(name + ": interrupted while waiting for it");
        }
    }

    private void listen() {
        try (BufferedReader in = process.inputReader(UTF_8)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                // What the JVM itself says when its heap is too small or full has blanks.
                if (line.indexOf(' ') < 0) {
                    replies.add((ChildMain.Reply) ChildMain.decode(line));
                }
            }
        } catch (IOException | ClassNotFoundException e) {
            // The process has gone; the reply below says so.
        }
        replies.add(new ChildMain.Reply(ChildMain.Reply.GONE, "", "its process has ended"));
    }

    /** Measures the heap in use after a full collection, in bytes: what an idle child holds. */
    public long idleHeapBytes() throws IOException {
        return call(_ -> HeapWatch.liveBytes());
    }

    /** Begins to watch the heap again, with a full collection every so often; zero for none. */
    public void watchHeap(Duration collectEvery) throws IOException {
        long milliseconds = collectEvery.toMillis();
        call(_ -> HeapWatch.THIS_JVM.start(milliseconds));
    }

    /** Ends watching. Returns what was seen. */
    public HeapWatch.Seen heap() throws IOException {
        return call(_ -> HeapWatch.THIS_JVM.end());
    }

    /** Counts its platform threads and processor time. */
    public ThreadUse threads() throws IOException {
        return call(_ -> ThreadUse.now());
    }

    /**
     * Returns its largest resident memory so far, in bytes, as the kernel counts it; 0 where the kernel does not
     * tell.
     */
    public long peakResidentBytes() throws IOException {
        return kernelBytes("VmHWM:");
    }

    /** Returns its resident memory now, in bytes; 0 where the kernel does not tell. */
    public long residentBytes() throws IOException {
        return kernelBytes("VmRSS:");
    }

    private long kernelBytes(String figure) throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
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
        close(END);
    }

    /** Ends it as closing does, but not by force before so much time has passed. */
    public void close(Duration longest) {
        try {
            tasks.close();
        } catch (IOException e) {
            // It is gone already.
        }
        try {
            if (!process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
