package dev.penstock.server.command;

import dev.penstock.server.log.ProgressBar;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.client.Cancellation;
import dev.penstock.transfer.client.Receipt;
import dev.penstock.transfer.client.TransferOptions;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The transfers of one command, one after the other: their progress on the standard error stream, their outcome as an
 * exit code, and their end in order when a signal ends the process, so that the same command goes on where this one
 * was. For one thread.
 */
final class TransferRun implements AutoCloseable {
    static final int EXIT_FAILED = 1;
    static final int EXIT_INTERRUPTED = 130;

    private static final long STOP_SECONDS = 5;

    private final TransferClientOptions options;
    private final PrintStream err = System.err;
    private final ProgressBar bar = ProgressBar.onStandardError();
    private final Cancellation cancellation = new Cancellation();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook = new Thread(this::interrupted, "penstock-interrupted");

    /** A run that signals end in order until it is closed. */
    TransferRun(TransferClientOptions options) {
        this.options = options;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void interrupted() {
        cancellation.cancel();
        try {
            var _ = ended.await(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Makes one transfer.
     *
     * @param name of what is transferred, for messages
     * @param transfer makes it, with these options
     * @return its receipt; null where it has failed, which was said
     */
    @Nullable Receipt make(String name, Function<TransferOptions, Receipt> transfer) {
        TransferDisplay display =
                new TransferDisplay(name, bar, err, options.isQuiet(), options.rate());
        TransferOptions common =
                TransferOptions.DEFAULT
                        .retries(options.retries())
                        .cancellation(cancellation)
                        .progress(display);
        try {
            Receipt receipt = transfer.apply(common);
            display.end();
            if (!options.isQuiet()) {
                err.println(summary(name, receipt));
            }
            return isRight(name, receipt) ? receipt : null;
        } catch (TransferException e) {
            display.end();
            say(name, e);
            return null;
        }
    }

    private void say(String name, TransferException failure) {
        if (cancellation.isCancelled()) {
            err.println("penstock: interrupted; the same command goes on where this one was");
        } else {
            err.println("penstock: " + name + ": " + failure.getMessage());
        }
        err.flush();
    }

    private boolean isRight(String name, Receipt receipt) {
        String wanted = options.checksum();
        String found = receipt.sha256().orElse(null);
        if (wanted == null || Objects.equals(wanted, found)) {
            return true;
        }
        err.println(
                "penstock: %s: the SHA-256 is %s, and not that of --checksum: it is not what was expected"
                        .formatted(name, found == null ? "not known" : found));
        return false;
    }

    private static String summary(String name, Receipt receipt) {
        double seconds = Math.max(1e-3, receipt.elapsed().toNanos() / 1e9);
        long moved = receipt.bytes() - receipt.resumedAt();
        StringBuilder text = new StringBuilder(name);
        text.append(": ").append(ProgressBar.bytes(receipt.bytes()));
        if (receipt.resumedAt() > 0) {
            text.append(", of which ").append(ProgressBar.bytes(moved)).append(" now");
        }
        text.append(
                String.format(
                        Locale.ROOT,
                        " in %s, %s/s",
                        ProgressBar.time(seconds),
                        ProgressBar.bytes((long) (moved / seconds))));
        if (receipt.interruptions() > 0) {
            text.append(", after ")
                    .append(receipt.interruptions())
                    .append(receipt.interruptions() == 1 ? " interruption" : " interruptions");
        }
        receipt.sha256().ifPresent(digest -> text.append("; sha-256 ").append(digest));
        text.append(receipt.isVerified() ? ", verified" : "");
        return text.toString();
    }

    /** Returns whether a signal has ended it. */
    boolean isInterrupted() {
        return cancellation.isCancelled();
    }

    @Override
    public void close() {
        ended.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // It runs.
        }
    }
}
