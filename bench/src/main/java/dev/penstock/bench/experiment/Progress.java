package dev.penstock.bench.experiment;

import java.io.PrintStream;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * How far an experiment has come: a bar with the time that is left on a terminal, a line now and then elsewhere. For one thread.
 */
public final class Progress implements AutoCloseable {
    private static final long LINE_NANOS = 15_000_000_000L;

    private final String name;
    private final PrintStream out;
    private final @Nullable ProgressBar bar;
    private long steps;
    private long done;
    private long lastLine;
    private final long start = System.nanoTime();

    public Progress(String name, boolean terminal, PrintStream out) {
        this.name = name;
        this.out = out;
        bar =
                terminal
                        ? new ProgressBarBuilder()
                                .setTaskName(name)
                                .setInitialMax(1)
                                .setStyle(ProgressBarStyle.UNICODE_BLOCK)
                                .setUpdateIntervalMillis(500)
                                .build()
                        : null;
        lastLine = start - LINE_NANOS;
    }

    /** Says of how many steps the experiment consists. */
    public void steps(long steps) {
        this.steps = steps;
        if (bar != null) {
            bar.maxHint(steps);
        }
    }

    /** Says what is being done now. */
    public void doing(String what) {
        if (bar != null) {
            bar.setExtraMessage(" " + what);
            return;
        }
        long now = System.nanoTime();
        if (now - lastLine >= LINE_NANOS) {
            lastLine = now;
            out.println(name + ": " + position(now) + what);
        }
    }

    private String position(long now) {
        if (steps == 0 || done == 0) {
            return "";
        }
        long left = (now - start) / done * Math.max(0, steps - done) / 1_000_000_000L;
        return "%d of %d, about %d:%02d left: ".formatted(done, steps, left / 60, left % 60);
    }

    /** One step is done. */
    public void step() {
        step(1);
    }

    public void step(long count) {
        done += count;
        if (bar != null) {
            bar.stepBy(count);
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
