package dev.penstock.service;

import dev.penstock.service.proxy.ProxyTarget;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A pool whose calls for one key run one at a time, in the order in which they came. Calls for other keys run
 * meanwhile. Thread-safe. Two of the same pool with equal keys are the same lane; a key costs nothing while it has no
 * calls. It must not change while it has any.
 *
 * <p>A call waits first for its key, as long as the pool lets a call wait; then it is a call of the pool, whose
 * deadline begins when it has its key. At most as many calls wait for their keys, in all lanes of the pool together, as
 * the pool's queue takes; one more is refused with a {@link CallRejectedException}, and so is one whose turn comes when
 * the pool's queue is full. A call that is cancelled, interrupted or out of time leaves its lane, and the others keep
 * their order. A key is free for its next call when the former is over: for a method that returns a stage, when the
 * stage is complete; for a call that was cancelled while it ran, when it has ended. All parts of a split pool share the
 * lanes of the whole.
 *
 * <p>A call on a thread that already runs a call for the key is made at once, on the same instance. A call that makes
 * one for another key waits for it and keeps its own meanwhile: two that do so crosswise wait until their deadline.
 *
 * @param <S> the service
 */
public final class KeyedPool<S> {
    private final PoolAccess<S> access;
    private final Object key;
    private final ProxyTarget target;

    KeyedPool(PoolAccess<S> access, Object key) {
        this.access = access;
        this.key = key;
        this.target = access.target(key);
    }

    /**
     * Returns a proxy whose calls all have the key; a new one each time.
     *
     * @throws ServiceException of kind {@link ServiceException.Kind#NO_PROXY} as {@link ServicePool#proxy} does
     */
    public S proxy() {
        return access.proxy(key);
    }

    /** Calls the service as {@link ServicePool#call} does, after the earlier calls for the key have ended. */
    public <T extends @Nullable Object, X extends Exception> T call(
            ServiceCall<? super S, T, X> call) throws X {
        return access.call("call", target, call);
    }

    /** Calls the service as {@link ServicePool#run} does, after the earlier calls for the key have ended. */
    public <X extends Exception> void run(ServiceAction<? super S, X> action) throws X {
        access.<@Nullable Object, X>call(
                "run",
                target,
                service -> {
                    action.run(service);
                    return null;
                });
    }

    /** Calls the service as {@link ServicePool#async} does, after the earlier calls for the key have ended. */
    @SuppressWarnings("unchecked")
    public <T extends @Nullable Object> CompletableFuture<T> async(
            ServiceCall<? super S, T, ?> call) {
        return (CompletableFuture<T>) target.async("async", service -> call.call((S) service));
    }
}
