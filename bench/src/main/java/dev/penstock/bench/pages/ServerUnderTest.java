package dev.penstock.bench.pages;

import dev.penstock.bench.child.Answer;
import dev.penstock.bench.child.Child;
import dev.penstock.bench.child.HeapWatch;
import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A {@link ServerChild} as the parent sees it: started when it is needed, and anew after a failure. */
public final class ServerUnderTest implements AutoCloseable {
    /** Long enough for a server that has no memory left to say so. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final String name;
    private final String heap;
    private final Answer settings;
    private final Path log;
    private @Nullable Child child;
    private long idleBytes;

    public ServerUnderTest(
            String name,
            TestDatabase database,
            String heap,
            int running,
            boolean presidents,
            Path log) {
        this.name = name;
        this.heap = heap;
        this.log = log;
        Map<String, String> values = new LinkedHashMap<>();
        values.put("url", database.url());
        values.put("user", database.user());
        values.put("password", database.password());
        values.put("running", Integer.toString(running));
        values.put("presidents", Boolean.toString(presidents));
        settings = new Answer(values);
    }

    public String name() {
        return name;
    }

    private Child child() throws IOException {
        Child running = child;
        if (running == null || !running.alive()) {
            running =
                    Child.start(
                            "the server " + name,
                            ServerChild.class,
                            heap,
                            java.util.List.of(settings.line()),
                            log);
            child = running;
        }
        return running;
    }

    public int port() throws IOException {
        return (int) child().ready().whole("port");
    }

    /** Waits until nothing runs, and measures what the idle server holds, for {@link Heap#liveBytes} to leave out. */
    public void settle() throws IOException {
        Answer answer = child().ask("settle", PATIENCE);
        if (!answer.text("settled").equals("true")) {
            throw new Child.Failed(name + " still has requests; see " + log);
        }
    }

    /** Begins to watch the heap. */
    public void watch(Duration collectEvery) throws IOException {
        idleBytes = child().ask("idle", PATIENCE).whole("bytes");
        child().ask(
                        "watch",
                        new Answer(Map.of("collectEvery", Long.toString(collectEvery.toMillis()))),
                        PATIENCE);
    }

    /** Ends watching. */
    public Heap heap() throws IOException {
        Answer answer = child().ask("heap", PATIENCE);
        return new Heap(
                idleBytes,
                answer.whole("largestAfterFull"),
                answer.whole("largestAfterAny"),
                answer.whole("collections"),
                answer.whole("pauseMilliseconds"),
                HeapWatch.points(answer.text("series")),
                child().peakResidentBytes());
    }

    /** Ends the server; the next use starts another. */
    public void restart() {
        if (child != null) {
            child.close();
            child = null;
        }
    }

    @Override
    public void close() {
        restart();
    }

    /**
     * What was seen of a heap.
     *
     * @param idleBytes after a forced collection, before the load
     * @param afterFullBytes the largest live set that a full collection left; 0 if there was none
     * @param afterAnyBytes the largest that any collection left, garbage of the old generation included
     * @param points each collection, or an even choice of them
     * @param residentBytes the process's largest resident memory so far
     */
    public record Heap(
            long idleBytes,
            long afterFullBytes,
            long afterAnyBytes,
            long collections,
            long pauseMilliseconds,
            java.util.List<HeapWatch.Point> points,
            long residentBytes) {
        /** Largest live set, less the idle server's; not less than nothing. */
        double liveBytes() {
            return Math.max(0, afterFullBytes - idleBytes);
        }
    }
}
