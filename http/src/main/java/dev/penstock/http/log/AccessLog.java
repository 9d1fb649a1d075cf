package dev.penstock.http.log;

import dev.penstock.http.AccessLogFormat;
import dev.penstock.http.FinishedRequest;
import java.time.Clock;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One line a request, to the logger {@code dev.penstock.http.access}. A thread of its own writes them, so that no event
 * loop waits for a terminal or a disk; when that is slower than the requests, lines are dropped and counted.
 */
public final class AccessLog implements AutoCloseable {
    private static final int MOST_WAITING = 8 * 1024;
    private static final String STOP = "";
    private static final System.Logger LOGGER = System.getLogger("dev.penstock.http.access");

    private final Clock clock;
    private final @Nullable AccessLogFormat format;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>(MOST_WAITING);
    private final LongAdder dropped = new LongAdder();
    private final Thread writer;

    /**
     * @param format null for no log
     */
    public AccessLog(@Nullable AccessLogFormat format, Clock clock) {
        this.clock = clock;
        this.format = LOGGER.isLoggable(System.Logger.Level.INFO) ? format : null;
        writer = Thread.ofPlatform().daemon().name("penstock-access-log").unstarted(this::write);
        if (this.format != null) {
            writer.start();
        }
    }

    public boolean isOn() {
        return format != null;
    }

    public void log(FinishedRequest request) {
        if (format != null && !lines.offer(format.line(clock.instant(), request))) {
            dropped.increment();
        }
    }

    /** How many lines were dropped so far, because they could not be written as fast as requests came. */
    public long dropped() {
        return dropped.sum();
    }

    private void write() {
        long told = 0;
        try {
            for (String line = lines.take(); !line.equals(STOP); line = lines.take()) {
                LOGGER.log(System.Logger.Level.INFO, line);
                long now = dropped.sum();
                if (now > told) {
                    LOGGER.log(
                            System.Logger.Level.WARNING,
                            "%d lines were dropped: requests come faster than lines can be written"
                                    .formatted(now - told));
                    told = now;
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets the lines that wait be written. */
    @Override
    public void close() {
        if (format == null) {
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
