package dev.penstock.bench.transfer.storm;

import dev.penstock.bench.transfer.load.TusUpload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A poll of the offsets of all uploads, while this is open: it asks for each by HEAD, over and over, and counts those
 * that went back. It learns their identifiers from the server's directory. Thread-safe.
 */
final class OffsetWatch implements AutoCloseable {
    private static final long PERIOD_MILLIS = 500;

    private final int port;
    private final Path states;
    private final long bytes;
    private final Map<String, Long> largest = new HashMap<>();
    private final Thread thread;
    private int asked;
    private int back;
    private String example = "";

    /**
     * Begins.
     *
     * @param uploads the directory of the server's uploads
     * @param bytes of each upload; one that is complete is not asked for any more
     */
    OffsetWatch(int port, Path uploads, long bytes) {
        this.port = port;
        this.bytes = bytes;
        states = uploads.resolve(".uploads");
        thread = Thread.ofPlatform().name("offsets").daemon().start(this::watch);
    }

    private void watch() {
        try {
            while (true) {
                for (String id : ids()) {
                    ask(id);
                }
                TimeUnit.MILLISECONDS.sleep(PERIOD_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<String> ids() {
        try (Stream<Path> all = Files.list(states)) {
            return all.map(path -> path.getFileName().toString()).toList();
        } catch (IOException e) {
            // It is not there yet.
            return List.of();
        }
    }

    private void ask(String id) {
        if (largest(id) == bytes) {
            return;
        }
        long offset = TusUpload.offset(port, "/uploads/" + id);
        if (offset >= 0) {
            add(id, offset);
        }
    }

    private synchronized long largest(String id) {
        return largest.getOrDefault(id, 0L);
    }

    private synchronized void add(String id, long offset) {
        asked++;
        long before = largest(id);
        if (offset < before) {
            back++;
            example = "from %,d to %,d".formatted(before, offset);
        }
        largest.merge(id, offset, Math::max);
    }

    /** Returns how many offsets were stated. */
    synchronized int asked() {
        return asked;
    }

    /** Returns how many were less than one before, of the same upload. */
    synchronized int back() {
        return back;
    }

    /** Returns how far one went back; an empty text if none did. */
    synchronized String example() {
        return example;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
