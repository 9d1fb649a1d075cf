package dev.penstock.server.log;

import java.io.Console;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A display of progress: on a terminal a bar that is redrawn, else a line for each step. */
public final class ProgressBar {
    private static final int WIDTH = 30;
    private static final int TRANSFER_WIDTH = 20;
    private static final int NAME_WIDTH = 20;
    private static final double KILO = 1000;
    private static final String UNITS = "kMGTPE";

    private final PrintStream out;
    private final boolean terminal;
    private @Nullable String step;
    private int shownWidth;

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

    /**
     * Shows how far a transfer is, with its rate and the time that is left; on a terminal alone.
     *
     * @param name of what is transferred
     * @param done bytes that were transferred
     * @param total bytes of the whole; negative where that is not known
     * @param bytesPerSecond 0 where it is not known yet
     */
    public void show(String name, long done, long total, double bytesPerSecond) {
        if (!terminal) {
            return;
        }
        String bar = "";
        String left = "";
        if (total >= 0) {
            int percent = total == 0 ? 100 : (int) (100.0 * done / total);
            int full = TRANSFER_WIDTH * percent / 100;
            bar =
                    String.format(
                            Locale.ROOT,
                            "[%s%s] %3d %%  ",
                            "#".repeat(full),
                            ".".repeat(TRANSFER_WIDTH - full),
                            percent);
            if (bytesPerSecond > 0 && done < total) {
                left = "  " + rounded(Math.ceil((total - done) / bytesPerSecond)) + " left";
            }
        }
        String rate = bytesPerSecond > 0 ? "  " + bytes((long) bytesPerSecond) + "/s" : "";
        String much = bytes(done) + (total < 0 ? "" : " of " + bytes(total));
        String text = "%s  %s%s%s%s".formatted(shortened(name), bar, much, rate, left);
        out.print("\r" + text + " ".repeat(Math.max(0, shownWidth - text.length())));
        out.flush();
        shownWidth = text.length();
    }

    private static String shortened(String name) {
        return name.length() <= NAME_WIDTH
                ? name
                : name.substring(0, NAME_WIDTH / 2)
                        + "…"
                        + name.substring(name.length() - NAME_WIDTH / 2 + 1);
    }

    /** Returns a number of bytes as people read it, such as {@code 1.3 GB}; in powers of 1000. */
    public static String bytes(long bytes) {
        if (bytes < KILO) {
            return bytes + (bytes == 1 ? " byte" : " bytes");
        }
        double amount = bytes;
        int unit = -1;
        while (amount >= KILO - 0.5 && unit < UNITS.length() - 1) {
            amount /= KILO;
            unit++;
        }
        return String.format(
                Locale.ROOT, amount < 99.95 ? "%.1f %sB" : "%.0f %sB", amount, UNITS.charAt(unit));
    }

    /** Returns a time as people read it, such as {@code 8.2 s}, {@code 12 s}, {@code 3 min} or {@code 1.5 h}. */
    public static String time(double seconds) {
        return seconds < 9.95 ? String.format(Locale.ROOT, "%.1f s", seconds) : rounded(seconds);
    }

    private static String rounded(double seconds) {
        return seconds < 90
                ? Math.round(seconds) + " s"
                : seconds < 5400
                        ? Math.round(seconds / 60) + " min"
                        : String.format(Locale.ROOT, "%.1f h", seconds / 3600);
    }

    /** Removes the bar. */
    public void end() {
        if (terminal) {
            out.print("\r" + " ".repeat(Math.max(WIDTH + 44, shownWidth)) + "\r");
            out.flush();
            shownWidth = 0;
        }
    }
}
