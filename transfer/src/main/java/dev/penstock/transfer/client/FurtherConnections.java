package dev.penstock.transfer.client;

import dev.penstock.transfer.client.resume.Segments;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The further connections of one download, each a virtual thread that fetches pieces until there are none.
 *
 * <p>The first that fails interrupts the thread that has started them, which then ends the others and throws the
 * failure.
 */
final class FurtherConnections implements AutoCloseable {
    private final Transfer transfer;
    private final Work work;
    private final Segments segments;
    private final Thread owner = Thread.currentThread();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final ReentrantLock lock = new ReentrantLock();
    private boolean isStarted;
    private boolean isClosing;
    private boolean hasInterrupted;

    /** The work of each of them. */
    interface Work {
        void run() throws IOException, InterruptedException, ChangedException;
    }

    FurtherConnections(Transfer transfer, Work work, Segments segments) {
        this.transfer = transfer;
        this.work = work;
        this.segments = segments;
    }

    /** Starts as many as the options and the memory of the client allow; once. */
    void start() {
        if (isStarted) {
            return;
        }
        isStarted = true;
        for (int i = 1; i < segments.connections() && transfer.memory().tryAcquire(); i++) {
            threads.add(Thread.ofVirtual().name("transfer-range-", i).start(this::run));
        }
    }

    private void run() {
        try {
            work.run();
        } catch (IOException
                | InterruptedException
                | ChangedException
                | RuntimeException
                | Error e) {
            fail(e);
        } finally {
            transfer.memory().release();
        }
    }

    private void fail(Throwable cause) {
        lock.lock();
        try {
            if (!isClosing && failure.compareAndSet(null, cause)) {
                hasInterrupted = true;
                owner.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits for all. */
    void await() throws IOException, InterruptedException, ChangedException {
        for (Thread thread : threads) {
            thread.join();
        }
        rethrow();
    }

    /** Throws what one of them has failed with, if one has. */
    void rethrow() throws IOException, InterruptedException, ChangedException {
        Throwable cause = failure.get();
        if (cause == null) {
            return;
        }
        switch (cause) {
            case IOException e -> throw e;
            case InterruptedException e -> throw e;
            case ChangedException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(cause);
        }
    }

    /** Ends those that still run, and takes the interrupt back that came from one of them. */
    @Override
    public void close() {
        lock.lock();
        try {
            isClosing = true;
        } finally {
            lock.unlock();
        }
        threads.forEach(Thread::interrupt);
        boolean isInterrupted = Thread.interrupted();
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
        }
        if (isInterrupted && !hasInterrupted) {
            owner.interrupt();
        }
    }
}
