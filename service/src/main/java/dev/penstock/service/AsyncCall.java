package dev.penstock.service;

import dev.penstock.service.handover.Interrupts;
import dev.penstock.service.handover.Permit;
import dev.penstock.service.handover.Waiter;
import dev.penstock.service.proxy.ProxyCall;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** An asynchronous call: it waits without a thread, and runs on one of the pool. */
final class AsyncCall<S> extends Waiter implements Runnable {
    final String method;
    private final Calls<S> calls;
    private final ProxyCall call;
    private final boolean stage;
    private final boolean bounded;

    /** Null for a one-way call. */
    private final @Nullable CallFuture future;

    /** The state of the instance's run, which begins with the hand-over; 0 before. */
    private volatile long run;

    AsyncCall(
            Calls<S> calls,
            String method,
            ProxyCall call,
            @Nullable CallFuture future,
            boolean stage,
            long waitNanos) {
        long now = System.nanoTime();
        super(now, now + waitNanos);
        this.calls = calls;
        this.method = method;
        this.call = call;
        this.future = future;
        this.stage = stage;
        this.bounded = waitNanos > 0;
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
            Thread.startVirtualThread(() -> failTo(calls.refusals().of(method, since(), outcome)));
        }
    }

    /** Runs the call on a thread of its own. It has an instance. */
    void execute() {
        ServiceInstance<S> instance = instance();
        run = calls.begin(instance, this);
        try {
            calls.execute(instance, this);
        } catch (Throwable e) {
            var _ = calls.giveUp(instance);
            failTo(e);
        }
    }

    @Override
    public void run() {
        ServiceInstance<S> instance = instance();
        if (!isBegun(instance)) {
            return;
        }
        Object result;
        try {
            result = call.call(instance.service());
        } catch (Throwable e) {
            finish(instance, null, e, true);
            return;
        }
        if (stage && result instanceof CompletionStage<?> pending) {
            await(instance, pending);
        } else {
            finish(instance, result, null, true);
        }
    }

    /** Goes on with the run on the present thread, unless its time is over or nobody wants it any more. */
    private boolean isBegun(ServiceInstance<S> instance) {
        long now = System.nanoTime();
        boolean late = bounded && now - deadline() >= 0;
        if (late || isAbandoned() || !calls.attach(instance, Thread.currentThread(), now)) {
            boolean timedOut = calls.giveUp(instance);
            if (!timedOut && !isAbandoned()) { // else the future is complete, or about to be
                Outcome outcome = late ? Outcome.TIMED_OUT : Outcome.CLOSED;
                failTo(calls.refusals().of(method, since(), outcome));
            }
            return false;
        }
        if (isAbandoned()) {
            calls.abandon(instance);
            return false;
        }
        return true;
    }

    private void await(ServiceInstance<S> instance, CompletionStage<?> pending) {
        calls.detach(instance);
        try {
            pending.whenComplete(
                    (value, failure) -> finish(instance, value, unwrapped(failure), false));
        } catch (Throwable e) {
            finish(instance, null, e, false);
        }
    }

    private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
        return cause == null ? failure : cause;
    }

    private void finish(
            ServiceInstance<S> instance,
            @Nullable Object result,
            @Nullable Throwable failure,
            boolean attached) {
        CallTimeoutException timeout = calls.finish(instance, failure, attached);
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
        calls.withdraw(this);
        long seen = run;
        Permit instance = permit();
        if (seen != 0 && instance != null) {
            Interrupts.interrupt(instance, seen, Permit.INTERRUPTED);
        }
    }

    /** Fails the future at the deadline, whether the call ends or not. */
    void timedOut(long queued, long ran) {
        if (future != null) {
            Thread.startVirtualThread(() -> failTo(calls.refusals().ranTooLong(queued, ran, null)));
        }
    }

    private void failTo(Throwable failure) {
        if (future != null) {
            future.completeExceptionally(failure);
        } else {
            calls.refusals().unseen(method, failure);
        }
    }

    @SuppressWarnings("unchecked") // only instances of this pool are handed over
    private ServiceInstance<S> instance() {
        ServiceInstance<S> instance = (ServiceInstance<S>) permit();
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
