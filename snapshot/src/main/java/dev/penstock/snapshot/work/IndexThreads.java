package dev.penstock.snapshot.work;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;

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

    /** Does all of some work, by several threads where there are more than one, and waits for it. */
    @SuppressWarnings("ReferenceEquality") // another pool would wait for this one
    public static void all(List<Runnable> work) {
        if (work.size() <= 1) {
            work.forEach(Runnable::run);
            return;
        }
        List<ForkJoinTask<?>> parts = new ArrayList<>();
        work.forEach(each -> parts.add(ForkJoinTask.adapt(each)));
        Runnable all = () -> ForkJoinTask.invokeAll(parts);
        if (ForkJoinTask.getPool() == POOL) {
            all.run();
        } else {
            POOL.submit(all).join();
        }
    }
}
