package dev.penstock.transfer.store;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.store.journal.Stage;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The care for uploads that nobody asks for: expired ones are removed, interrupted completions go on. */
final class Sweeper implements AutoCloseable {
    private final StoreContext store;
    private final Completion completion;
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable Thread thread;

    Sweeper(StoreContext store, Completion completion) {
        this.store = store;
        this.completion = completion;
    }

    /** Begins to sweep, at once and then at an interval; not at all if that is zero. */
    void start(Duration interval) {
        if (interval.isZero()) {
            return;
        }
        thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("penstock-upload-sweep")
                        .start(() -> sweepEvery(interval));
    }

    private void sweepEvery(Duration interval) {
        try {
            do {
                sweep();
            } while (!closed.await(interval.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sweeps once. */
    void sweep() {
        for (UploadEntry entry : store.entries.values()) {
            if (store.closed) {
                return;
            }
            try {
                sweep(entry);
            } catch (RuntimeException e) {
                StoreContext.LOGGER.log(
                        System.Logger.Level.WARNING,
                        "Upload " + entry.id + " can't be ended; it is tried again",
                        e);
            }
        }
    }

    private void sweep(UploadEntry entry) {
        Removal removal = new Removal(store);
        if (removal.forgetLost(entry)) {
            return;
        }
        if (entry.isExpired()) {
            removal.expire(entry);
        } else if (entry.stage != Stage.RECEIVING
                && entry.stage != Stage.FINISHED
                && !entry.finishing.isLocked()) {
            try {
                completion.finish(entry);
            } catch (TransferException e) {
                StoreContext.LOGGER.log(
                        System.Logger.Level.WARNING,
                        "Upload " + entry.id + " is not complete: " + e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        closed.countDown();
        Thread running = thread;
        if (running != null) {
            try {
                running.join(TimeUnit.SECONDS.toMillis(10));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
