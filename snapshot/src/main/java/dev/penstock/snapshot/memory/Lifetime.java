package dev.penstock.snapshot.memory;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A count of the users of something in memory, which ends when the last of them has released it. It begins with one
 * user, who made it. Whoever does not release it leaves what it has to the garbage collector. Thread-safe.
 */
public final class Lifetime {
    private static final int IDLE_SECONDS = 10;

    /** The thread on which lifetimes end: no query waits until memory is given back. */
    private static final ThreadPoolExecutor ENDING = ending();

    private static final System.Logger LOG = System.getLogger("dev.penstock.snapshot");

    private final AtomicLong users = new AtomicLong(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Runnable end;

    /**
     * @param end done once, by a thread of its own, after the last release
     */
    public Lifetime(Runnable end) {
        this.end = end;
    }

    private static ThreadPoolExecutor ending() {
        ThreadPoolExecutor one =
                new ThreadPoolExecutor(
                        1,
                        1,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        EndingThread::new);
        one.allowCoreThreadTimeOut(true);
        return one;
    }

    private static final class EndingThread extends Thread {
        EndingThread(Runnable work) {
            super(work, "penstock-ending");
            setDaemon(true);
        }
    }

    /** Takes part in the use, until {@link #release}; returns false where it has ended. */
    public boolean acquire() {
        long before = users.get();
        while (before > 0) {
            if (users.compareAndSet(before, before + 1)) {
                return true;
            }
            before = users.get();
        }
        return false;
    }

    /**
     * Takes part in the use of what another user holds meanwhile.
     *
     * @throws IllegalStateException if it has ended all the same
     */
    public void acquireHeld() {
        if (!acquire()) {
            throw new IllegalStateException("a table in memory is used after its end");
        }
    }

    /**
     * Ends one use.
     *
     * @throws IllegalStateException if there is none
     */
    public void release() {
        long left = users.decrementAndGet();
        if (left == 0 && Thread.currentThread() instanceof EndingThread) {
            end();
        } else if (left == 0) {
            ENDING.execute(this::end);
        } else if (left < 0) {
            users.incrementAndGet();
            throw new IllegalStateException("what has ended is released once more");
        }
    }

    private void end() {
        try {
            end.run();
        } catch (RuntimeException | Error e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "memory that nobody uses any more is left to the garbage collector",
                    e);
        } finally {
            ended.countDown();
        }
    }

    /**
     * Returns a latch that opens when the last user has released this and its end is done, even if that failed. It does
     * not keep anything of it in memory.
     */
    public CountDownLatch ended() {
        return ended;
    }

    /** Waits until all is given back whose last user has released it. */
    static void awaitEnds() {
        Future<?> last = ENDING.submit(() -> {});
        try {
            last.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
