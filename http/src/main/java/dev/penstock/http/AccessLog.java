package dev.penstock.http;

import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * One line a request, to the logger {@code dev.penstock.http.access}. A thread of its own writes them, so that no event loop
 * waits for a terminal or a disk; when that is slower than the requests, lines are dropped and counted.
 */
final class AccessLog implements AutoCloseable {
    private static final int MOST_WAITING = 8 * 1024;
    private static final String STOP = "";
    private static final System.Logger LOGGER = System.getLogger("dev.penstock.http.access");

    private final Clock clock;
    private final boolean enabled;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>(MOST_WAITING);
    private final Thread writer;
    private volatile boolean dropped;

    AccessLog(boolean enabled, Clock clock) {
        this.clock = clock;
        this.enabled = enabled && LOGGER.isLoggable(System.Logger.Level.INFO);
        writer = Thread.ofPlatform().daemon().name("penstock-access-log").unstarted(this::write);
        if (this.enabled) {
            writer.start();
        }
    }

    /** How a response ended. */
    enum Ending {
        COMPLETE("complete"),
        RESET("reset"),
        CLIENT_GONE("client-gone");

        private final String text;

        Ending(String text) {
            this.text = text;
        }
    }

    void log(
            String address,
            String method,
            String path,
            int status,
            long bytes,
            long nanos,
            Ending ending) {
        if (!enabled) {
            return;
        }
        long micros = TimeUnit.NANOSECONDS.toMicros(nanos);
        String line =
                clock.instant().truncatedTo(ChronoUnit.MILLIS)
                        + " "
                        + address
                        + " "
                        + Syntax.printable(method)
                        + " "
                        + Syntax.printable(path)
                        + " "
                        + status
                        + " "
                        + bytes
                        + " "
                        + micros / 1000
                        + "."
                        + micros / 100 % 10
                        + "ms "
                        + ending.text;
        if (!lines.offer(line)) {
            dropped = true;
        }
    }

    private void write() {
        try {
            for (String line = lines.take(); !line.equals(STOP); line = lines.take()) {
                LOGGER.log(System.Logger.Level.INFO, line);
                if (dropped) {
                    dropped = false;
                    LOGGER.log(
                            System.Logger.Level.WARNING,
                            "Lines were dropped: requests come faster than lines can be written");
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets the lines that wait be written. */
    @Override
    public void close() {
        if (!enabled) {
            return;
        }
        try {
            if (lines.offer(STOP, 1, TimeUnit.SECONDS)) {
                writer.join(1000);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
