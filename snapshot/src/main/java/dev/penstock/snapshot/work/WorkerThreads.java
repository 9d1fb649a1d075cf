package dev.penstock.snapshot.work;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.QueryException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The few platform threads that do what keeps a core busy for long, such as scans, sorts and the building of indexes,
 * so that the threads that carry virtual ones stay free for short requests. A virtual thread hands such work over and
 * waits, without a carrier; a platform thread does it itself, as do these threads: so none of them ever waits for
 * another's turn here.
 */
public final class WorkerThreads {
    /** Work of about so many nanoseconds is done where it is asked for: handing it over takes a tenth of that. */
    public static final long SHORT_NANOS = 1 << 18;

    /** As many as there are cores: the operating system shares these out among workers and carriers. */
    public static final int THREADS = Runtime.getRuntime().availableProcessors();

    /** Work that waits for a thread. Each waits with a thread of its own that asked for it. */
    public static final int MOST_WAITING = 10_000;

    private static final int IDLE_SECONDS = 30;
    private static final ThreadPoolExecutor POOL = pool();

    private WorkerThreads() {}

    private static ThreadPoolExecutor pool() {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(
                        THREADS,
                        THREADS,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(MOST_WAITING),
                        Thread.ofPlatform().daemon().name("penstock-worker-", 0).factory());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** A piece of work that is begun once or withdrawn before that. */
    static final class Task<T extends @Nullable Object> extends FutureTask<T> {
        private final AtomicBoolean taken = new AtomicBoolean();

        private Task(Supplier<T> work) {
            super(work::get);
        }

        @Override
        public void run() {
            if (taken.compareAndSet(false, true)) {
                super.run();
            }
        }

        /** Ends the waiting of whoever asked for it, unless it has begun. */
        void withdraw() {
            if (taken.compareAndSet(false, true)) {
                cancel(false);
                POOL.remove(this);
            }
        }
    }

    /** The place where work was asked for that failed elsewhere. */
    private static final class AskedHere extends Exception {
        private static final long serialVersionUID = 1L;

        AskedHere(String thread) {
            super("the work was asked for by thread \"" + thread + "\" here");
        }
    }

    /** Returns whether work is handed over here. */
    public static boolean isHandedOver(long nanos) {
        return nanos > SHORT_NANOS
                && Thread.currentThread().isVirtual()
                && !IndexesToBuild.areOnlyNoted();
    }

    /**
     * Does some work here or there, for the query that this thread {@linkplain QueryContext#within works for}.
     *
     * @param nanos about how long it takes, at the most
     * @throws QueryException of kind {@code CANCELLED} if the query is to stop before the work has begun
     */
    public static <T extends @Nullable Object> T call(long nanos, Supplier<T> work) {
        if (!isHandedOver(nanos)) {
            return work.get();
        }
        QueryContext query = QueryContext.current();
        return query == null ? handOver(new Task<>(work)) : query.call(nanos, work);
    }

    static <T extends @Nullable Object> Task<T> task(Supplier<T> work) {
        return new Task<>(work);
    }

    /**
     * Has a worker do it, and waits for that; an interrupt is kept for later.
     *
     * @throws QueryException of kind {@code UNAVAILABLE} if too much waits already, of kind {@code CANCELLED} if it is
     *     withdrawn
     */
    static <T extends @Nullable Object> T handOver(Task<T> task) {
        try {
            POOL.execute(task);
        } catch (RejectedExecutionException e) {
            throw new QueryException(
                    QueryException.Kind.UNAVAILABLE,
                    ("%,d scans, sorts and indexes of tables in memory wait for a core already, which"
                                    + " is the limit; ask again later, or have fewer queries run at once")
                            .formatted(MOST_WAITING),
                    e);
        }
        return awaited(task, () -> {});
    }

    /**
     * Waits for the end of some work; an interrupt is kept for later.
     *
     * @param interrupted done at each interrupt
     */
    static <T extends @Nullable Object> T awaited(FutureTask<T> task, Runnable interrupted) {
        boolean wasInterrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    wasInterrupted = true;
                    interrupted.run();
                }
            }
        } catch (CancellationException e) {
            throw new QueryException(
                    QueryException.Kind.CANCELLED, "the query in memory was cancelled", e);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns the failure itself, with both stacks. */
    private static RuntimeException failure(@Nullable Throwable cause) {
        Throwable failure = requireNonNull(cause);
        failure.addSuppressed(new AskedHere(Thread.currentThread().getName()));
        return switch (failure) {
            case Error error -> throw error;
            case RuntimeException e -> e;
            case Throwable e -> new IllegalStateException(e);
        };
    }
}
