package dev.penstock.service.batch;

import dev.penstock.service.proxy.ProxyCall;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A pool as a batch sees it; thread-safe. */
public interface BatchPool {
    /**
     * Queues a call. Whatever goes wrong completes the future.
     *
     * @param admitted whether the call enters the queue even if it is full
     */
    CompletableFuture<@Nullable Object> queue(ProxyCall call, boolean admitted);

    /** Returns how many more calls could run at once, if they came now; 0 or less when calls wait. */
    int freeCapacity();

    /** Says whether the present thread holds an instance of the pool. */
    boolean isInside();

    /** Makes a call on the instance that the present thread holds. */
    @Nullable Object callInside(ProxyCall call) throws Throwable;

    /** Returns the exception of a caller that was interrupted while it waited. */
    RuntimeException interrupted();
}
