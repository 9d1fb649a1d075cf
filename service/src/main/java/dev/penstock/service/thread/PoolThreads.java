package dev.penstock.service.thread;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a pool's instances and asynchronous calls. Thread-safe. Closed after the last instance has stopped.
 */
public final class PoolThreads implements AutoCloseable {
    private final String pool;
    private final boolean dedicated;
    private final ExecutorService[] shared;
    private final @Nullable ExecutorService calls;

    /**
     * The threads of a pool; platform threads start when they are needed.
     *
     * @param dedicated whether instances have threads
     * @param count how many platform threads dedicated instances share, 0 for one each; or else, on how many
     *     asynchronous calls run, 0 for virtual threads
     */
    public PoolThreads(String pool, boolean dedicated, int count) {
        this.pool = pool;
        this.dedicated = dedicated;
        shared = new ExecutorService[dedicated ? count : 0];
        for (int i = 0; i < shared.length; i++) {
            shared[i] = executor("thread " + i, 1);
        }
        calls = dedicated || count == 0 ? null : executor("calls", count);
    }

    /** Returns the thread of an instance that is about to be made; null if the pool is not dedicated. */
    public @Nullable InstanceThread of(int instance) {
        if (!dedicated) {
            return null;
        }
        return shared.length == 0
                ? new InstanceThread(executor("instance " + instance, 1), false)
                : new InstanceThread(shared[instance % shared.length], true);
    }

    /** Returns whether {@link #execute} starts a virtual thread for each call. */
    public boolean areVirtual() {
        return calls == null;
    }

    /** Runs an asynchronous call of an instance that has no thread. */
    public void execute(Runnable call) {
        if (calls == null) {
            Thread.startVirtualThread(call);
        } else {
            calls.execute(call);
        }
    }

    private ExecutorService executor(String role, int count) {
        return new ThreadPoolExecutor(
                count,
                count,
                0,
                TimeUnit.NANOSECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name("pool " + pool + ", " + role).factory());
    }

    /** Ends the platform threads after the tasks that they have been given. */
    @Override
    public void close() {
        for (ExecutorService each : shared) {
            each.shutdown();
        }
        if (calls != null) {
            calls.shutdown();
        }
    }
}
