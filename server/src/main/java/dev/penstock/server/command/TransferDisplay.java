package dev.penstock.server.command;

import dev.penstock.server.log.ProgressBar;
import dev.penstock.transfer.client.Progress;
import dev.penstock.transfer.client.TransferEvent;
import java.io.PrintStream;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A listener that shows a transfer as a bar with its rate and the time that is left, and that slows it down to a rate.
 * Told by one thread at a time.
 */
final class TransferDisplay implements Progress {
    private static final long REDRAW_NANOS = 100_000_000;

    /** The longest pause between bytes: short enough that no server takes the client for gone. */
    private static final long LONGEST_PAUSE_NANOS = 5_000_000_000L;

    private final String name;
    private final ProgressBar bar;
    private final PrintStream err;
    private final boolean quiet;
    private final OptionalLong mostBytesPerSecond;

    private long startNanos;
    private long startBytes;
    private long lastBytes;
    private long drawnNanos;
    private TransferMeter meter;

    TransferDisplay(
            String name,
            ProgressBar bar,
            PrintStream err,
            boolean quiet,
            OptionalLong mostBytesPerSecond) {
        this.name = name;
        this.bar = bar;
        this.err = err;
        this.quiet = quiet;
        this.mostBytesPerSecond = mostBytesPerSecond;
        startNanos = System.nanoTime();
        drawnNanos = startNanos - REDRAW_NANOS;
        meter = new TransferMeter(startNanos, 0);
    }

    @Override
    public void on(TransferEvent event) {
        switch (event) {
            case TransferEvent.Started started -> begin(0, started.total());
            case TransferEvent.Resumed resumed -> {
                if (lastBytes == 0) {
                    line("goes on at " + ProgressBar.bytes(resumed.offset()));
                }
                begin(resumed.offset(), OptionalLong.empty());
            }
            case TransferEvent.Moved moved -> moved(moved.bytes(), moved.total());
            case TransferEvent.Retrying retrying ->
                    line(retrying.why() + "; trying again in " + seconds(retrying.in()));
            case TransferEvent.Restarted restarted -> {
                line("begins anew: " + restarted.why());
                begin(0, OptionalLong.empty());
            }
            case TransferEvent.Verified _ -> {}
        }
    }

    private static String seconds(Duration wait) {
        return ProgressBar.time(wait.toMillis() / 1e3);
    }

    /** Counts from here: what was there before was not moved now. */
    private void begin(long bytes, OptionalLong total) {
        startNanos = System.nanoTime();
        startBytes = bytes;
        lastBytes = bytes;
        meter = new TransferMeter(startNanos, bytes);
        draw(bytes, total, startNanos);
    }

    private void moved(long bytes, OptionalLong total) {
        long now = System.nanoTime();
        lastBytes = bytes;
        if (now - drawnNanos >= REDRAW_NANOS) {
            draw(bytes, total, now);
        }
        if (mostBytesPerSecond.isPresent()) {
            slowDown(bytes, now);
        }
    }

    private void draw(long bytes, OptionalLong total, long now) {
        drawnNanos = now;
        double rate = meter.at(now, bytes);
        if (!quiet) {
            bar.show(name, bytes, total.orElse(-1), rate);
        }
    }

    /** Waits until so many bytes may have moved since the start; back-pressure does the rest. */
    private void slowDown(long bytes, long now) {
        double due = (bytes - startBytes) * 1e9 / mostBytesPerSecond.orElseThrow();
        long pause = Math.min((long) due - (now - startNanos), LONGEST_PAUSE_NANOS);
        if (pause > 0) {
            LockSupport.parkNanos(pause);
        } else if (-pause > LONGEST_PAUSE_NANOS) {
            // What was not used for long is not made up for.
            startNanos = now;
            startBytes = bytes;
        }
    }

    private void line(String text) {
        if (!quiet) {
            bar.end();
            err.println(name + ": " + text);
        }
    }

    /** Removes the bar. */
    void end() {
        if (!quiet) {
            bar.end();
        }
    }
}
