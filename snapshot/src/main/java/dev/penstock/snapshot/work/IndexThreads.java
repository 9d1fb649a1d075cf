package dev.penstock.snapshot.work;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.FutureTask;

/**
 * The platform threads that build indexes which take long, beside the queries that could use them: as many as there are
 * cores. Work may be cut into parts that they share.
 */
public final class IndexThreads {
    private static final ForkJoinPool POOL =
            new ForkJoinPool(WorkerThreads.THREADS, IndexThreads::thread, null, true);

    private IndexThreads() {}

    private static ForkJoinWorkerThread thread(ForkJoinPool pool) {
        ForkJoinWorkerThread thread =
                ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
        thread.setName("penstock-index-" + thread.getPoolIndex());
        return thread;
    }

    /** Begins some work, for which nobody waits. */
    public static void start(Runnable work) {
        POOL.execute(work);
    }

    /**
     * Does all of some work, by several threads where there are more than one, and waits for it. The caller does what
     * none of them has begun: it never waits for indexes that are built beside queries.
     */
    @SuppressWarnings("ReferenceEquality") // another pool would wait for this one
    public static void all(List<Runnable> work) {
        if (work.size() <= 1) {
            work.forEach(Runnable::run);
        } else if (ForkJoinTask.getPool() == POOL) {
            List<ForkJoinTask<?>> parts = new ArrayList<>();
            work.forEach(each -> parts.add(ForkJoinTask.adapt(Pace.kept(each))));
            ForkJoinTask.invokeAll(parts);
        } else {
            List<FutureTask<?>> parts = new ArrayList<>();
            work.forEach(each -> parts.add(new FutureTask<>(Pace.kept(each), null)));
            // Whoever comes second to one finds it begun, and goes on.
            parts.subList(1, parts.size()).forEach(POOL::execute);
            parts.forEach(FutureTask::run);
            awaitAll(parts);
        }
    }

    /** Waits for the end of all, whatever becomes of them; then throws the first failure. */
    private static void awaitAll(List<FutureTask<?>> parts) {
        RuntimeException failure = null;
        Error error = null;
        for (FutureTask<?> part : parts) {
            try {
                WorkerThreads.awaited(part, () -> {});
            } catch (RuntimeException e) {
                failure = failure == null ? e : failure;
            } catch (Error e) {
                error = error == null ? e : error;
            }
        }
        if (error != null) {
            throw error;
        }
        if (failure != null) {
            throw failure;
        }
    }
}
