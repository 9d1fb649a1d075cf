package dev.penstock.transfer.store;

import dev.penstock.transfer.TransferException;
import java.io.IOException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads that force what appends have written while these go on, so that little is left to be forced at their end. An
 * append has at most one force under way; it asks for the next one when it has written {@link #STEP_BYTES} more, and
 * waits when it is {@link #AHEAD_BYTES} ahead.
 */
final class WriteBack implements AutoCloseable {
    /** So many bytes are worth a force. */
    static final long STEP_BYTES = 8L << 20;

    /** An append has no more bytes than these that are written and not forced. */
    static final long AHEAD_BYTES = 64L << 20;

    private static final int THREADS = 4;

    private final ThreadPoolExecutor executor =
            new ThreadPoolExecutor(
                    THREADS,
                    THREADS,
                    5,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(),
                    Thread.ofPlatform().daemon().name("penstock-upload-force-", 0).factory());

    WriteBack() {
        executor.allowCoreThreadTimeOut(true);
    }

    /** Forces what an append has written, soon. */
    void request(AppendRun run) {
        try {
            executor.execute(() -> force(run));
        } catch (RejectedExecutionException _) {
            // The store is closed, and the append has been ended.
        }
    }

    private static void force(AppendRun run) {
        try {
            run.force();
        } catch (IOException | TransferException e) {
            // The append goes on, and says so itself when it forces the rest.
            StoreContext.LOGGER.log(
                    System.Logger.Level.WARNING, "An upload can't be forced to the disk", e);
        }
    }

    @Override
    public void close() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(30, TimeUnit.SECONDS)) {
                executor.shutdownNow();
            }
        } catch (InterruptedException _) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
