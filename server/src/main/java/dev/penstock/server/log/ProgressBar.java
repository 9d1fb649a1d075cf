package dev.penstock.server.log;

import java.io.Console;
import java.io.PrintStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A display of progress: on a terminal a bar that is redrawn, else a line for each step. */
public final class ProgressBar {
    private static final int WIDTH = 30;

    private final PrintStream out;
    private final boolean terminal;
    private @Nullable String step;

    ProgressBar(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** Returns a display on the standard error stream. */
    public static ProgressBar onStandardError() {
        return new ProgressBar(
                System.err,
                System.getenv("TERM") != null
                        && Optional.ofNullable(System.console())
                                .filter(Console::isTerminal)
                                .isPresent());
    }

    /**
     * Shows a step.
     *
     * @param percent 0 to 100
     */
    public void show(String step, int percent) {
        if (terminal) {
            int full = WIDTH * percent / 100;
            out.printf(
                    "\r  [%s%s] %3d %%  %-28s",
                    "#".repeat(full), ".".repeat(WIDTH - full), percent, step);
            out.flush();
        } else if (!step.equals(this.step)) {
            out.println("Sample data: " + step + " …");
        }
        this.step = step;
    }

    /**
     * Shows a line of a task whose end is not known.
     *
     * @param line the state in words
     * @param stays whether the line is kept; other lines are redrawn, and shown on a terminal alone
     */
    public void show(String line, boolean stays) {
        if (terminal) {
            out.printf("\r%-" + (WIDTH + 44) + "s%s", line, stays ? "\n" : "");
            out.flush();
        } else if (stays) {
            out.println(line);
        }
    }

    /** Removes the bar. */
    public void end() {
        if (terminal) {
            out.print("\r" + " ".repeat(WIDTH + 44) + "\r");
            out.flush();
        }
    }
}
