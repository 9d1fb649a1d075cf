package dev.penstock.service.lane;

import dev.penstock.service.proxy.ProxyCall;
import dev.penstock.service.proxy.ProxyTarget;
import dev.penstock.service.proxy.TrackedCall;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A pool whose calls all have the same key: each waits for its turn in the key's lane first. Thread-safe. */
public final class KeyedTarget implements ProxyTarget {
    private final Lanes lanes;
    private final Object key;
    private final ProxyTarget pool;

    /** A pool with a key. */
    public KeyedTarget(Lanes lanes, Object key, ProxyTarget pool) {
        this.lanes = lanes;
        this.key = key;
        this.pool = pool;
    }

    /** An instance together with the turn of the call that has it; no turn if the call is made by one for the key. */
    private record Held(@Nullable Turn turn, Object lease) {
        void exit() {
            if (turn != null) {
                turn.runsNoMore();
                turn.exit();
            }
        }
    }

    @Override
    public Object borrow(String method) {
        if (lanes.isOwner(key)) {
            return new Held(null, pool.borrow(method));
        }
        Turn turn = ThreadTurn.await(lanes, key, method);
        try {
            Held held = new Held(turn, pool.borrow(method));
            turn.runsHere();
            return held;
        } catch (Throwable e) {
            turn.exit();
            throw e;
        }
    }

    @Override
    public Object service(Object lease) {
        return pool.service(((Held) lease).lease());
    }

    @Override
    public void complete(Object lease) {
        Held held = (Held) lease;
        try {
            pool.complete(held.lease());
        } finally {
            held.exit();
        }
    }

    @Override
    public Throwable fail(Object lease, Throwable failure) {
        Held held = (Held) lease;
        try {
            return pool.fail(held.lease(), failure);
        } finally {
            held.exit();
        }
    }

    /** Queues the call as one whose future nobody has, because the lane must know when it is over. */
    @Override
    public void oneway(String method, ProxyCall call) {
        AtomicBoolean begun = new AtomicBoolean();
        ProxyCall noted =
                service -> {
                    begun.set(true);
                    return call.call(service);
                };
        CompletableFuture<?> result = queue(method, noted, pool::async);
        if (result.isCompletedExceptionally()
                && !begun.get()
                && result.exceptionNow() instanceof RuntimeException refusal) {
            throw refusal;
        }
        var _ =
                result.whenComplete((_, failure) -> {
                    if (failure != null) {
                        lanes.limits().unseen(method, failure);
                    }
                });
    }

    @Override
    public CompletableFuture<@Nullable Object> async(String method, ProxyCall call) {
        return queue(method, call, pool::async);
    }

    @Override
    public CompletableFuture<@Nullable Object> stage(String method, ProxyCall call) {
        return queue(method, call, pool::stage);
    }

    @Override
    public @Nullable Object await(String method, ProxyCall call) throws Throwable {
        if (lanes.isOwner(key)) {
            return pool.await(method, call);
        }
        TrackedCall tracked = tracked(call, ThreadTurn.await(lanes, key, method));
        try {
            return pool.await(method, tracked);
        } finally {
            tracked.completed();
        }
    }

    /** Returns a call that has its turn while it runs, and leaves the lane when it is over. */
    private static TrackedCall tracked(ProxyCall call, Turn turn) {
        return new TrackedCall(
                service -> {
                    turn.runsHere();
                    try {
                        return call.call(service);
                    } finally {
                        turn.runsNoMore();
                    }
                },
                turn::exit);
    }

    private CompletableFuture<@Nullable Object> queue(
            String method,
            ProxyCall call,
            BiFunction<String, ProxyCall, CompletableFuture<@Nullable Object>> queue) {
        CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        CompletableFuture<@Nullable Void> gate = new CompletableFuture<>();
        Turn turn;
        try {
            turn = lanes.enter(key, method, () -> gate.complete(null));
        } catch (RuntimeException e) {
            result.completeExceptionally(e);
            return result;
        }
        if (!gate.isDone()) {
            leaveEarly(turn, method, gate, result);
        }
        gate.thenRun(() -> start(turn, call, tracked -> queue.apply(method, tracked), result));
        return result;
    }

    /** Lets a call leave the lane before its turn: when its time is over, or its future is cancelled. */
    private void leaveEarly(
            Turn turn,
            String method,
            CompletableFuture<@Nullable Void> gate,
            CompletableFuture<@Nullable Object> result) {
        long timeout = lanes.limits().timeoutNanos();
        if (timeout > 0) {
            gate.orTimeout(timeout, TimeUnit.NANOSECONDS);
        }
        gate.whenComplete((_, failure) -> {
            if (failure != null) {
                turn.exit();
                if (!result.isDone()) {
                    result.completeExceptionally(lanes.limits().timedOut(method, timeout));
                }
            }
        });
        result.whenComplete((_, _) -> gate.cancel(false));
    }

    private static void start(
            Turn turn,
            ProxyCall call,
            Function<ProxyCall, CompletableFuture<@Nullable Object>> queue,
            CompletableFuture<@Nullable Object> result) {
        if (result.isDone()) {
            turn.exit();
            return;
        }
        TrackedCall tracked = tracked(call, turn);
        CompletableFuture<@Nullable Object> inner = queue.apply(tracked);
        result.whenComplete((_, _) -> {
            if (result.isCancelled()) {
                inner.cancel(true);
            }
        });
        inner.whenComplete((value, failure) -> {
            tracked.completed();
            if (failure == null) {
                result.complete(value);
            } else {
                result.completeExceptionally(failure);
            }
        });
    }
}
