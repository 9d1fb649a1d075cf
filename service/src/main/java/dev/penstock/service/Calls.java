package dev.penstock.service;

import dev.penstock.service.async.AsyncCalls;
import dev.penstock.service.async.AsyncPool;
import dev.penstock.service.batch.BatchPool;
import dev.penstock.service.handover.Handover;
import dev.penstock.service.handover.Handover.Admission;
import dev.penstock.service.handover.Holders;
import dev.penstock.service.handover.Permit;
import dev.penstock.service.handover.ThreadWaiter;
import dev.penstock.service.handover.Waiter;
import dev.penstock.service.handover.Waiter.Outcome;
import dev.penstock.service.proxy.ProxyCall;
import dev.penstock.service.proxy.ProxyTarget;
import dev.penstock.service.roster.Roster;
import dev.penstock.service.thread.InstanceThread;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** The calls of a pool, from their arrival to the return of their instance. Thread-safe. */
final class Calls<S> implements ProxyTarget, BatchPool, AsyncPool<ServiceInstance<S>> {
    private final PoolSettings<S> settings;
    private final Handover<ServiceInstance<S>> handover;
    private final Roster<ServiceInstance<S>> roster;
    private final Holders<ServiceInstance<S>> holders;
    private final @Nullable PoolListener listener;
    private final boolean clocked;
    private final boolean measured;
    private final long callNanos;
    private final long waitNanos;
    private final Refusals refusals;
    private final AsyncCalls<ServiceInstance<S>> asynchronous = new AsyncCalls<>(this);

    Calls(
            PoolSettings<S> settings,
            Handover<ServiceInstance<S>> handover,
            Roster<ServiceInstance<S>> roster,
            int max) {
        this.settings = settings;
        this.handover = handover;
        this.roster = roster;
        this.holders = new Holders<>(max, roster::all);
        this.refusals = new Refusals(settings, roster::retryAfter);
        this.listener = settings.listener();
        this.callNanos = settings.callNanos();
        this.waitNanos = settings.waitNanos();
        this.measured = settings.figures() || listener != null;
        this.clocked = measured || callNanos > 0;
    }

    @Override
    public ServiceInstance<S> borrow(String method) {
        Thread thread = Thread.currentThread();
        ServiceInstance<S> held = holders.find(thread);
        if (held != null) {
            held.enter();
            return held;
        }
        long arrived = clocked ? System.nanoTime() : 0;
        ServiceInstance<S> instance = handover.tryAcquire();
        if (instance != null) {
            begin(instance, thread, method, arrived, arrived);
            return instance;
        }
        arrived = clocked ? arrived : System.nanoTime();
        instance = await(method, arrived);
        begin(instance, thread, method, arrived, System.nanoTime());
        return instance;
    }

    @Override
    @SuppressWarnings("unchecked") // what borrow has returned
    public S service(Object lease) {
        return ((ServiceInstance<S>) lease).service();
    }

    @Override
    @SuppressWarnings("unchecked") // what borrow has returned
    public void complete(Object lease) {
        ServiceInstance<S> instance = (ServiceInstance<S>) lease;
        if (instance.leave()) {
            return;
        }
        CallTimeoutException timeout = finish(instance, null, true);
        if (timeout != null) {
            throw timeout;
        }
    }

    @Override
    @SuppressWarnings("unchecked") // what borrow has returned
    public Throwable fail(Object lease, Throwable failure) {
        ServiceInstance<S> instance = (ServiceInstance<S>) lease;
        if (instance.leave()) {
            return failure;
        }
        CallTimeoutException timeout = finish(instance, failure, true);
        return timeout == null ? failure : timeout;
    }

    @Override
    public void oneway(String method, ProxyCall call) {
        RuntimeException refusal = asynchronous.oneway(method, call);
        if (refusal != null) {
            throw refusal;
        }
    }

    @Override
    public CompletableFuture<@Nullable Object> async(String method, ProxyCall call) {
        return asynchronous.submit(method, call, false, false);
    }

    @Override
    public CompletableFuture<@Nullable Object> stage(String method, ProxyCall call) {
        return asynchronous.submit(method, call, true, false);
    }

    @Override
    public @Nullable Object await(String method, ProxyCall call) throws Throwable {
        if (isInside()) {
            return callInside(method, call);
        }
        CompletableFuture<@Nullable Object> future = async(method, call);
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() == null ? e : e.getCause();
        } catch (InterruptedException _) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            throw refusals.interrupted();
        }
    }

    /** Queues a call; if the queue is full but the pool may grow, the call waits for one more instance. */
    @Override
    public Admission enqueue(Waiter waiter) {
        Admission admission = handover.enqueue(waiter);
        if (admission == Admission.FULL && roster.growForRefused()) {
            waiter.admit();
            admission = handover.enqueue(waiter);
        }
        if (admission == Admission.QUEUED) {
            roster.callWaits();
        }
        return admission;
    }

    /** Waits for an instance. */
    @SuppressWarnings("unchecked") // only instances are handed over
    private ServiceInstance<S> await(String method, long arrived) {
        ThreadWaiter waiter = new ThreadWaiter(arrived, arrived + waitNanos);
        Admission admission = enqueue(waiter);
        if (admission == Admission.QUEUED) {
            Outcome outcome = waiter.await(handover);
            if (outcome != Outcome.HANDED) {
                throw refusals.of(method, arrived, outcome);
            }
        } else if (admission != Admission.ACQUIRED) {
            throw refusals.of(method, admission);
        }
        ServiceInstance<S> instance = (ServiceInstance<S>) waiter.permit();
        if (instance == null) {
            throw new IllegalStateException("Pool " + settings.name() + ": handed over nothing");
        }
        if (waitNanos > 0 && System.nanoTime() - waiter.deadline() >= 0) {
            release(instance);
            throw refusals.of(method, arrived, Outcome.TIMED_OUT);
        }
        return instance;
    }

    private void begin(
            ServiceInstance<S> instance, Thread thread, String method, long arrived, long started) {
        instance.method = method;
        instance.arrived = arrived;
        instance.started = started;
        if (listener != null) {
            instance.span = listener.beginCall(method);
        }
        var _ = instance.begin(thread, arrived + callNanos);
        holders.enter(thread, instance);
    }

    /**
     * Ends a call: ends the run, counts it, gives the instance on, and tells the listener.
     *
     * @param attached whether the call still has its thread, which is the present one
     * @return the timeout when the run had ended at its deadline
     */
    @Override
    public @Nullable CallTimeoutException finish(
            ServiceInstance<S> instance, @Nullable Throwable failure, boolean attached) {
        int phase = instance.end();
        boolean timedOut = phase == Permit.TIMED_OUT;
        long ended = measured || timedOut ? System.nanoTime() : 0;
        long queued = instance.started - instance.arrived;
        long ran = ended - instance.started;
        String method = instance.method;
        if (settings.figures()) {
            instance.counters().record(queued, ran, failure != null);
        }
        if (attached) {
            holders.leave(instance);
        }
        Object span = instance.span;
        if (timedOut) {
            roster.leaveQuarantine(instance);
        } else {
            dispose(instance, failure);
        }
        CallTimeoutException timeout = timedOut ? refusals.ranTooLong(queued, ran, failure) : null;
        if (listener != null) {
            tell(method, queued, ran, span, timeout == null ? failure : timeout, timedOut);
        }
        return timeout;
    }

    private void tell(
            String method,
            long queued,
            long ran,
            @Nullable Object span,
            @Nullable Throwable failure,
            boolean timedOut) {
        PoolListener told = listener;
        if (told != null) {
            told.endCall(span, failure);
            told.called(method, queued, ran, failure);
            if (timedOut) {
                told.timedOut(method, queued, ran);
            }
        }
    }

    private void dispose(ServiceInstance<S> instance, @Nullable Throwable failure) {
        boolean stops =
                failure != null
                        && settings.supervision().directive(failure) == Supervision.Directive.STOP;
        if (instance.childFailure() != null && !stops) {
            roster.childFailed(instance);
            return;
        }
        if (failure == null) {
            if (instance.failures != 0) {
                instance.failures = 0;
            }
            release(instance);
            return;
        }
        switch (settings.supervision().directive(failure)) {
            case RESUME -> release(instance);
            case RESTART -> roster.restart(instance, failure);
            case STOP -> roster.stopForGood(instance, failure);
        }
    }

    /** Gives an instance on that no call uses. */
    void release(ServiceInstance<S> instance) {
        roster.release(instance);
    }

    // As asynchronous calls see the pool

    @Override
    public long waitNanos() {
        return waitNanos;
    }

    @Override
    public List<ServiceInstance<S>> all() {
        return roster.all();
    }

    @Override
    public @Nullable ServiceInstance<S> tryAcquire() {
        return handover.tryAcquire();
    }

    @Override
    public void withdraw(Waiter call) {
        handover.cancel(call);
    }

    @Override
    public long begin(ServiceInstance<S> instance, String method, long arrived) {
        instance.method = method;
        instance.arrived = arrived;
        instance.started = System.nanoTime();
        return instance.begin(null, arrived + callNanos);
    }

    @Override
    public boolean attach(ServiceInstance<S> instance, Thread thread, long started) {
        if (!instance.attach(thread)) {
            return false;
        }
        instance.started = started;
        holders.enter(thread, instance);
        if (listener != null) {
            instance.span = listener.beginCall(instance.method);
        }
        return true;
    }

    @Override
    public void detach(ServiceInstance<S> instance) {
        holders.leave(instance);
        instance.detach();
    }

    @Override
    public void abandon(ServiceInstance<S> instance) {
        Object span = instance.span;
        holders.leave(instance);
        var _ = giveUp(instance);
        if (listener != null) {
            listener.endCall(span, new CancellationException());
        }
    }

    @Override
    public boolean giveUp(ServiceInstance<S> instance) {
        boolean timedOut = instance.end() == Permit.TIMED_OUT;
        if (timedOut) {
            roster.leaveQuarantine(instance);
        } else {
            release(instance);
        }
        return timedOut;
    }

    @Override
    public void execute(ServiceInstance<S> instance, Runnable call) {
        InstanceThread thread = instance.thread;
        if (thread == null) {
            settings.threads().execute(call);
        } else {
            thread.execute(call);
        }
    }

    @Override
    public boolean startsThreads(ServiceInstance<S> instance) {
        return instance.thread == null && settings.threads().areVirtual();
    }

    @Override
    public Refusals failures() {
        return refusals;
    }

    // As batches see the pool

    @Override
    public CompletableFuture<@Nullable Object> queue(ProxyCall call, boolean admitted) {
        return asynchronous.submit("forEach", call, false, admitted);
    }

    @Override
    public int freeCapacity() {
        return roster.freeCapacity();
    }

    @Override
    public boolean isInside() {
        return holders.find(Thread.currentThread()) != null;
    }

    @Override
    public @Nullable Object callInside(ProxyCall call) throws Throwable {
        return callInside("forEach", call);
    }

    private @Nullable Object callInside(String method, ProxyCall call) throws Throwable {
        ServiceInstance<S> instance = borrow(method);
        Object result;
        try {
            result = call.call(instance.service());
        } catch (Throwable e) {
            throw fail(instance, e);
        }
        complete(instance);
        return result;
    }

    @Override
    public RuntimeException interrupted() {
        return refusals.interrupted();
    }
}
