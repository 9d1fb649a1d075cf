package dev.penstock.service.proxy;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A pool as its generated proxies see it. Thread-safe.
 *
 * <p>A blocking call is {@code Object lease = target.borrow(name)}, then the call on {@code target.service(lease)},
 * then exactly one of {@link #complete} (the call returned) and {@link #fail} (it threw), on the same thread. All types
 * are {@code Object} because a proxy lives in the module of its interface, which does not see this package.
 */
public interface ProxyTarget {
    /**
     * Borrows an instance for a call on the present thread, and waits for it as long as the pool's limits allow. A
     * thread that holds an instance of this pool already gets that one.
     *
     * @param method the method's name, for listeners
     * @throws RuntimeException a {@code ServiceException} when no instance could be had
     */
    Object borrow(String method);

    /** Returns the service object of what was borrowed. */
    Object service(Object lease);

    /**
     * Gives an instance back after a call that returned.
     *
     * @throws RuntimeException a {@code CallTimeoutException} when the call ran into its deadline
     */
    void complete(Object lease);

    /**
     * Gives an instance back after a call that threw, and lets the supervision decide what becomes of it.
     *
     * @return what the caller is to throw: the failure itself, or a {@code CallTimeoutException} with it as the cause
     */
    Throwable fail(Object lease, Throwable failure);

    /**
     * Queues a one-way call; its failure goes to the supervision and the listener alone.
     *
     * @throws RuntimeException a {@code ServiceException} when the queue is full or the pool closed or stopped
     */
    void oneway(String method, ProxyCall call);

    /** Queues an asynchronous call. Whatever goes wrong, rejection included, completes the future. */
    CompletableFuture<@Nullable Object> async(String method, ProxyCall call);

    /**
     * Queues an asynchronous call that returns a {@link java.util.concurrent.CompletionStage} (or null, which counts as
     * completed with null); the instance is held until the stage completes, and the future takes its result. The stage
     * itself is never cancelled, since others may have it too.
     */
    CompletableFuture<@Nullable Object> stage(String method, ProxyCall call);

    /**
     * Makes a call on the thread of an instance and waits for it. A caller that is interrupted meanwhile withdraws the
     * call, and one whose time is over does not wait for its end.
     *
     * @return what the call returned
     * @throws Throwable what the call threw, or a {@code ServiceException}
     */
    @Nullable Object await(String method, ProxyCall call) throws Throwable;
}
