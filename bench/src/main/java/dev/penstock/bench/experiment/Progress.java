package dev.penstock.bench.experiment;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * A display of how far an experiment has come, with the time that is left: a bar on a terminal, a line now and then
 * elsewhere. For one thread.
 */
public final class Progress implements AutoCloseable {
    private static final int BAR_MILLISECONDS = 500;
    private static final int LINE_MILLISECONDS = 15_000;
    private static final int LINE_LENGTH = 160;

    private final ProgressBar bar;

    /** One for an experiment of that name. */
    public Progress(String name, boolean terminal, PrintStream out) {
        bar =
                new ProgressBarBuilder()
                        .setTaskName(name)
                        .setInitialMax(1)
                        .setStyle(
                                terminal ? ProgressBarStyle.UNICODE_BLOCK : ProgressBarStyle.ASCII)
                        .setUpdateIntervalMillis(terminal ? BAR_MILLISECONDS : LINE_MILLISECONDS)
                        .setConsumer(
                                terminal
                                        ? new ConsoleProgressBarConsumer(out)
                                        : new DelegatingProgressBarConsumer(
                                                out::println, LINE_LENGTH))
                        .build();
    }

    /** Says of how many steps the experiment consists. */
    public void steps(long steps) {
        bar.maxHint(steps);
    }

    /** Says what is being done now. */
    public void doing(String what) {
        bar.setExtraMessage(" " + what);
    }

    /** Says that a step is done. */
    public void step() {
        bar.step();
    }

    @Override
    public void close() {
        bar.close();
    }
}
