package dev.penstock.service.async;

import dev.penstock.service.handover.Handover.Admission;
import dev.penstock.service.handover.Watchdog;
import dev.penstock.service.proxy.ProxyCall;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous calls of a pool. Thread-safe.
 *
 * <p>While calls follow each other on one thread, the watchdog looks every 10 ms whether one waits for a thread that
 * does not come.
 *
 * @param <I> the pool's instances
 */
public final class AsyncCalls<I extends AsyncInstance> implements Watchdog.Watched {
    private static final long PERIOD_NANOS = 10_000_000L;

    /** The watchdog's rounds without calls that follow each other, after which it looks no more. */
    private static final int QUIET_ROUNDS = 100;

    private final AsyncPool<I> pool;
    private final AtomicBoolean watched = new AtomicBoolean();

    /** Whether a call has followed another since the watchdog was last here. */
    private volatile boolean followed;

    // Of the watchdog alone.
    private int quietRounds;
    private long due = System.nanoTime();

    /** The asynchronous calls of a pool. */
    public AsyncCalls(AsyncPool<I> pool) {
        this.pool = pool;
    }

    /** Makes a call whose result nobody waits for. Returns why it is refused, or null. */
    public @Nullable RuntimeException oneway(String method, ProxyCall call) {
        return submit(new AsyncCall<>(this, pool, method, call, null, false));
    }

    /**
     * Makes a call.
     *
     * @param stage whether the call returns a stage, at whose end the call ends
     * @param admitted whether it may queue even when the queue is full
     * @return its result; fails where the call is refused, too
     */
    public CompletableFuture<@Nullable Object> submit(
            String method, ProxyCall call, boolean stage, boolean admitted) {
        AsyncCall.CallFuture future = new AsyncCall.CallFuture();
        AsyncCall<I> queued = new AsyncCall<>(this, pool, method, call, future, stage);
        if (admitted) {
            queued.admit();
        }
        future.call = queued;
        RuntimeException refusal = submit(queued);
        if (refusal != null) {
            future.completeExceptionally(refusal);
        }
        return future;
    }

    private @Nullable RuntimeException submit(AsyncCall<I> call) {
        I instance = pool.tryAcquire();
        Admission admission = Admission.ACQUIRED;
        if (instance != null) {
            call.take(instance);
        } else {
            admission = pool.enqueue(call);
        }
        return switch (admission) {
            case ACQUIRED -> {
                call.execute();
                yield null;
            }
            case QUEUED -> null;
            case FULL, CLOSED, STOPPED -> pool.failures().of(call.method, admission);
        };
    }

    /** Takes note of a call that waits for the thread of the call before it. */
    void follows() {
        if (!followed) {
            followed = true;
        }
        if (!watched.get()) {
            watch();
        }
    }

    private void watch() {
        if (watched.compareAndSet(false, true)) {
            Watchdog.watch(this);
        }
    }

    @Override
    public long tick(long now) {
        if (now - due < 0) { // it has come for another pool
            return due;
        }
        due = now + PERIOD_NANOS;
        boolean waits = false;
        for (I each : pool.all()) {
            CallChain chain = each.chain;
            waits |= chain != null && chain.rescue();
        }
        if (followed || waits) {
            followed = false;
            quietRounds = 0;
        } else if (++quietRounds >= QUIET_ROUNDS) {
            quietRounds = 0;
            stopWatching();
        }
        return due;
    }

    /** Looks once more after it has said so, as a call that came before may have relied on the watchdog. */
    private void stopWatching() {
        Watchdog.forget(this);
        watched.set(false);
        for (I each : pool.all()) {
            CallChain chain = each.chain;
            if (chain != null && chain.hasNext()) {
                watch();
            }
        }
    }
}
