package dev.penstock.snapshot.work;

import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread of its own for long work that is seldom done, such as refreshing a snapshot, so that it neither holds a
 * carrier of virtual threads nor a worker.
 */
public final class PlatformThread {
    private PlatformThread() {}

    /**
     * Does some work: by this thread where it is a platform thread, else by another while this one waits. An interrupt
     * of this one is passed on; this goes on to wait for the end of the work.
     *
     * @param name of the other thread
     */
    public static <T extends @Nullable Object> T call(String name, Supplier<T> work) {
        if (!Thread.currentThread().isVirtual()) {
            return work.get();
        }
        FutureTask<T> task = new FutureTask<>(work::get);
        Thread thread = Thread.ofPlatform().daemon().name(name).start(task);
        return WorkerThreads.awaited(task, thread::interrupt);
    }
}
