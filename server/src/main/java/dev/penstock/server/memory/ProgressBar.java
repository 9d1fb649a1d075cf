package dev.penstock.server.memory;

import java.io.Console;
import java.io.PrintStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Shows how far something is: as a bar that is drawn over on a terminal, else as a line for each step. */
public final class ProgressBar {
    private static final int WIDTH = 30;

    private final PrintStream out;
    private final boolean terminal;
    private @Nullable String step;

    ProgressBar(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** On the standard error stream. */
    public static ProgressBar onStandardError() {
        return new ProgressBar(
                System.err,
                System.getenv("TERM") != null
                        && Optional.ofNullable(System.console())
                                .filter(Console::isTerminal)
                                .isPresent());
    }

    /**
     * Shows it.
     *
     * @param percent 0 to 100
     */
    public void say(String step, int percent) {
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
     * Shows how far something is of which nobody knows the end.
     *
     * @param line in words
     * @param stays whether it is to be read later; a terminal shows the others as well, drawn over
     */
    public void say(String line, boolean stays) {
        if (terminal) {
            out.printf("\r%-" + (WIDTH + 44) + "s%s", line, stays ? "\n" : "");
            out.flush();
        } else if (stays) {
            out.println(line);
        }
    }

    /** Takes the bar away. */
    public void end() {
        if (terminal) {
            out.print("\r" + " ".repeat(WIDTH + 44) + "\r");
            out.flush();
        }
    }
}
