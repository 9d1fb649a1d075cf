package dev.penstock.service.lane;

import dev.penstock.service.proxy.ProxyCall;
import dev.penstock.service.proxy.ProxyTarget;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A pool whose instances are permits, and which runs asynchronous calls on virtual threads. */
final class FakePool implements ProxyTarget {
    private final Semaphore permits;
    final AtomicInteger borrowed = new AtomicInteger();

    /** Calls whose thread has not ended; one that was cancelled may end after its turn. */
    final AtomicInteger underWay = new AtomicInteger();

    volatile @Nullable RuntimeException refusal;

    FakePool(int size) {
        permits = new Semaphore(size, true);
    }

    @Override
    public Object borrow(String method) {
        RuntimeException refused = refusal;
        if (refused != null) {
            throw refused;
        }
        permits.acquireUninterruptibly();
        borrowed.incrementAndGet();
        return this;
    }

    @Override
    public Object service(Object lease) {
        return lease;
    }

    @Override
    public void complete(Object lease) {
        borrowed.decrementAndGet();
        permits.release();
    }

    @Override
    public Throwable fail(Object lease, Throwable failure) {
        complete(lease);
        return failure;
    }

    @Override
    public void oneway(String method, ProxyCall call) {
        throw new AssertionError("Lanes must know when a call is over");
    }

    @Override
    public CompletableFuture<@Nullable Object> async(String method, ProxyCall call) {
        CompletableFuture<@Nullable Object> future = new CompletableFuture<>();
        RuntimeException refused = refusal;
        if (refused != null) {
            future.completeExceptionally(refused);
            return future;
        }
        underWay.incrementAndGet();
        Thread.startVirtualThread(() -> {
            try {
                run(method, call, future);
            } finally {
                underWay.decrementAndGet();
            }
        });
        return future;
    }

    private void run(String method, ProxyCall call, CompletableFuture<@Nullable Object> future) {
        Object lease = borrow(method);
        try {
            Object result = call.call(this);
            complete(lease);
            future.complete(result);
        } catch (Throwable e) {
            complete(lease);
            future.completeExceptionally(e);
        }
    }

    @Override
    public CompletableFuture<@Nullable Object> stage(String method, ProxyCall call) {
        return async(method, call)
                .thenCompose(result ->
                        result == null ? CompletableFuture.completedFuture(null) : stage(result));
    }

    @Override
    public @Nullable Object await(String method, ProxyCall call) throws Throwable {
        throw new AssertionError("No instance has a thread");
    }

    @SuppressWarnings("unchecked")
    private static CompletionStage<@Nullable Object> stage(Object result) {
        return (CompletionStage<@Nullable Object>) result;
    }
}
