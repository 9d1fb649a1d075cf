package dev.penstock.service.async;

import dev.penstock.service.handover.Interrupts;
import dev.penstock.service.handover.Permit;
import dev.penstock.service.handover.Waiter;
import dev.penstock.service.proxy.ProxyCall;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * An asynchronous call: it waits without a thread, and runs on one of the pool.
 *
 * @param <I> the pool's instances
 */
final class AsyncCall<I extends AsyncInstance> extends Waiter implements Runnable {
    final String method;
    private final AsyncCalls<I> calls;
    private final AsyncPool<I> pool;
    private final ProxyCall call;
    private final boolean stage;
    private final boolean bounded;

    /** Null for a one-way call. */
    private final @Nullable CallFuture future;

    /** The state of the instance's run, which begins with the hand-over; 0 before. */
    private volatile long run;

    AsyncCall(
            AsyncCalls<I> calls,
            AsyncPool<I> pool,
            String method,
            ProxyCall call,
            @Nullable CallFuture future,
            boolean stage) {
        long now = System.nanoTime();
        super(now, now + pool.waitNanos());
        this.calls = calls;
        this.pool = pool;
        this.method = method;
        this.call = call;
        this.future = future;
        this.stage = stage;
        this.bounded = pool.waitNanos() > 0;
    }

    @Override
    protected boolean isAbandoned() {
        return future != null && future.isDone();
    }

    @Override
    protected void wake() {
        Outcome outcome = outcome();
        if (outcome == Outcome.HANDED) {
            execute();
        } else if (outcome != Outcome.CANCELLED) {
            Thread.startVirtualThread(() -> failTo(pool.failures().of(method, since(), outcome)));
        }
    }

    /** Begins the run. The thread that gives its instance on makes the call next, or else a thread of its own does. */
    void execute() {
        I instance = instance();
        instance.call = this;
        run = pool.begin(instance, method, since());
        CallChain chain = instance.chain;
        if (chain != null && chain.offer(this)) {
            calls.follows();
        } else {
            start();
        }
    }

    /** Makes the call on a thread of its own. */
    void start() {
        I instance = instance();
        try {
            pool.execute(instance, this);
        } catch (Throwable e) {
            instance.call = null;
            var _ = pool.giveUp(instance);
            failTo(e);
        }
    }

    @Override
    public void run() {
        CallChain chain = pool.startsThreads(instance()) ? new CallChain() : null;
        if (chain == null) {
            makeCall(null);
            return;
        }
        try {
            makeCall(chain);
            for (AsyncCall<?> next = chain.takeNext(); next != null; next = chain.takeNext()) {
                var _ = Thread.interrupted(); // of the call before, or of what completed with it
                next.makeCall(chain);
            }
        } finally {
            chain.end();
        }
    }

    private void makeCall(@Nullable CallChain chain) {
        I instance = instance();
        if (!isBegun(instance)) {
            return;
        }
        instance.chain = chain;
        Object result;
        try {
            result = call.call(instance.service());
        } catch (Throwable e) {
            finish(instance, null, e, chain, true);
            return;
        }
        if (stage && result instanceof CompletionStage<?> pending) {
            await(instance, pending);
        } else {
            finish(instance, result, null, chain, true);
        }
    }

    /** Goes on with the run on the present thread, unless its time is over or nobody wants it any more. */
    private boolean isBegun(I instance) {
        long now = System.nanoTime();
        boolean late = bounded && now - deadline() >= 0;
        if (late || isAbandoned() || !pool.attach(instance, Thread.currentThread(), now)) {
            instance.call = null;
            if (pool.giveUp(instance)) {
                failTo(pool.failures().ranTooLong(now - since(), 0));
            } else if (!isAbandoned()) {
                Outcome outcome = late ? Outcome.TIMED_OUT : Outcome.CLOSED;
                failTo(pool.failures().of(method, since(), outcome));
            }
            return false;
        }
        if (isAbandoned()) {
            instance.call = null;
            pool.abandon(instance);
            return false;
        }
        return true;
    }

    private void await(I instance, CompletionStage<?> pending) {
        pool.detach(instance);
        AtomicBoolean ended =
                new AtomicBoolean(); // a stage of others may call back twice, or throw besides
        try {
            pending.whenComplete((value, failure) -> {
                if (ended.compareAndSet(false, true)) {
                    finish(instance, value, unwrapped(failure), null, false);
                }
            });
        } catch (Throwable e) {
            if (ended.compareAndSet(false, true)) {
                finish(instance, null, e, null, false);
            }
        }
    }

    private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
        return cause == null ? failure : cause;
    }

    /** Gives the instance on and completes the future, in this order, since what depends on it may call the pool. */
    private void finish(
            I instance,
            @Nullable Object result,
            @Nullable Throwable failure,
            @Nullable CallChain chain,
            boolean attached) {
        instance.call = null;
        Throwable timeout;
        if (chain == null) {
            timeout = pool.finish(instance, failure, attached);
        } else {
            chain.open();
            timeout = pool.finish(instance, failure, attached);
            chain.close();
            if (future != null && future.getNumberOfDependents() > 0) {
                chain.passOn();
            }
        }
        if (timeout != null) {
            failTo(timeout);
        } else if (failure != null) {
            failTo(failure);
        } else if (future != null) {
            future.complete(result);
        }
    }

    /** Interrupts the call, or takes it out of the queue, after its future was cancelled. */
    void cancelled() {
        pool.withdraw(this);
        long seen = run;
        Permit instance = permit();
        if (seen != 0 && instance != null) {
            Interrupts.interrupt(instance, seen, Permit.INTERRUPTED);
        }
    }

    /** Fails the future at the deadline, whether the call ends or not. */
    void timedOut(long queued, long ran) {
        if (future != null) {
            Thread.startVirtualThread(() -> failTo(pool.failures().ranTooLong(queued, ran)));
        }
    }

    private void failTo(Throwable failure) {
        if (future != null) {
            future.completeExceptionally(failure);
        } else {
            pool.failures().unseen(method, failure);
        }
    }

    @SuppressWarnings("unchecked") // only instances of this pool are handed over
    private I instance() {
        I instance = (I) permit();
        if (instance == null) {
            throw new IllegalStateException("An asynchronous call runs without an instance");
        }
        return instance;
    }

    /** The future of an asynchronous call: its cancellation leaves the queue, or interrupts the call. */
    static final class CallFuture extends CompletableFuture<@Nullable Object> {
        /** Set before the call is queued. */
        @Nullable AsyncCall<?> call;

        @Override
        public boolean cancel(boolean mayInterrupt) {
            boolean cancelled = super.cancel(mayInterrupt);
            AsyncCall<?> running = call;
            if (cancelled && running != null) {
                running.cancelled();
            }
            return cancelled;
        }
    }
}
