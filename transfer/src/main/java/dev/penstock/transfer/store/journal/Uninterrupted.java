package dev.penstock.transfer.store.journal;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * Steps on files that an interrupt must not leave undone: it closes a channel in the middle of a write. The step is
 * done again then, so it must not matter how often it is, and the interrupt is there again when it is done.
 */
public final class Uninterrupted {
    private Uninterrupted() {}

    /** A step on files. */
    public interface Step {
        void run() throws IOException;
    }

    /** Does a step, to its end. */
    public static void run(Step step) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                interrupted |= Thread.interrupted();
                try {
                    step.run();
                    return;
                } catch (ClosedByInterruptException _) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
