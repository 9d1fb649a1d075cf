package dev.penstock.service;

import dev.penstock.service.batch.Batch;
import dev.penstock.service.handover.Handover;
import dev.penstock.service.handover.Watchdog;
import dev.penstock.service.lane.Lanes;
import dev.penstock.service.proxy.ProxyTarget;
import dev.penstock.service.roster.Roster;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A bounded pool of instances of a service, each used by one call at a time. Thread-safe. Whoever starts it closes it.
 *
 * <p><b>Calls.</b> A call borrows an idle instance; if there is none, it waits in one queue, first come, first served.
 * A blocking call runs on the caller's own thread and throws what the service threw. A call that finds the queue full
 * is refused at once with a {@link CallRejectedException}. Whatever else keeps it from running is a
 * {@link ServiceException} of another kind.
 *
 * <p><b>Calls within calls.</b> A blocking call on a thread that runs a call of this pool already is made at once on
 * the same instance, whatever the queue, also while the pool closes. The outer call's deadline and end count for both.
 * An asynchronous call from inside is a call of its own; to wait for it inside may wait for oneself.
 *
 * <p><b>Deadlines.</b> A call that waits for too long leaves the queue with a {@link CallTimeoutException}. A call that
 * runs for too long is interrupted once, its instance is in quarantine, and another one is started in its place. With
 * as many in quarantine as the largest size, no more are started until one of those calls ends: then the pool is short
 * of instances, and it never has more than twice its largest size. When the call ends, its instance is stopped, and the
 * caller gets a {@link CallTimeoutException} whatever the call returned or threw. The future of an asynchronous call
 * fails at the deadline already, also while its call waits for a thread. The interrupt is delivered before the call has
 * ended or not at all, and has been taken back when the caller goes on: its interrupt flag is as it was before. Only an
 * interrupt from elsewhere that comes between the pool's own and the end of the call can't be told apart, and goes with
 * it.
 *
 * <p><b>Interrupts.</b> A caller that is interrupted while it waits leaves the queue with a {@link ServiceException} of
 * kind {@link ServiceException.Kind#INTERRUPTED}; its flag stays set. One whose flag is set already does not wait. An
 * interrupt while the call runs reaches the service, as in a direct call.
 *
 * <p><b>Failures.</b> The {@link Supervision} decides what becomes of an instance whose call threw. Failed starts are
 * repeated with its back-off; calls wait meanwhile. When all instances have been stopped for good, the pool refuses
 * calls with {@link ServiceException.Kind#STOPPED} until it is resized.
 *
 * @param <S> the service
 */
public final class ServicePool<S> implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.penstock.service");

    /** The time that {@code start} waits for the first attempts. */
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The time that {@code close} waits for calls that it has interrupted. */
    private static final long INTERRUPTED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final PoolSettings<S> settings;
    private final Handover<ServiceInstance<S>> handover;
    private final Roster<ServiceInstance<S>> roster;
    private final Calls<S> calls;
    private final PoolAccess<S> access;
    private final Lanes lanes;

    /** Whether the lanes are this pool's; a part has those of the whole pool. */
    private final boolean ownLanes;

    private final Map<String, ServicePool<S>> parts = new LinkedHashMap<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    ServicePool(ServicePoolBuilder<S> builder) {
        this(builder, null);
    }

    private ServicePool(ServicePoolBuilder<S> builder, @Nullable Lanes shared) {
        settings = PoolSettings.of(builder);
        handover = new Handover<>(settings.queue());
        roster =
                new Roster<>(
                        settings.roster(),
                        handover,
                        new Lifecycle<>(settings),
                        builder.min,
                        builder.max);
        calls = new Calls<>(settings, handover, roster, builder.max);
        ownLanes = shared == null;
        lanes = shared == null ? new Lanes(calls.failures()) : shared;
        access = new PoolAccess<>(builder, calls, method -> target(builder, method), lanes);
        if (!builder.parts.isEmpty()) {
            List<String> methods =
                    PoolAccess.proxyType(builder.type, builder.dedicated, builder.lookup).methods();
            builder.parts
                    .builders(builder, methods)
                    .forEach((part, settings) ->
                            parts.put(part, new ServicePool<>(settings, lanes)));
        }
        roster.open(START_NANOS);
    }

    private ProxyTarget target(ServicePoolBuilder<S> builder, String method) {
        String part = builder.parts.partOf(method);
        return part == null ? calls : part(part).calls;
    }

    /**
     * Returns a builder of a pool.
     *
     * @param type the service's interface, or any type when no {@link #proxy()} is used
     * @param factory makes a service object for an instance; a constructor fits: {@code Quotes::new}
     */
    public static <S> ServicePoolBuilder<S> of(Class<S> type, Callable<? extends S> factory) {
        return of(type, context -> factory.call());
    }

    /** Returns a builder of a pool whose service objects are told their place in it. */
    public static <S> ServicePoolBuilder<S> of(
            Class<S> type, InstanceFactory<? extends S> factory) {
        return new ServicePoolBuilder<>(type, factory);
    }

    /**
     * Returns the pool as its own service: an object that implements the interface, for all threads.
     *
     * @throws ServiceException of kind {@link ServiceException.Kind#NO_PROXY} when the type is no interface, or hidden
     */
    public S proxy() {
        return access.proxy();
    }

    /**
     * Calls the service on an instance, on the present thread, and returns what it returns.
     *
     * @throws X what the service threw
     * @throws ServiceException when there was no instance in time, or the call did not end in time
     */
    public <T extends @Nullable Object, X extends Exception> T call(
            ServiceCall<? super S, T, X> call) throws X {
        return access.call("call", calls, call);
    }

    /**
     * Calls the service on an instance, on the present thread.
     *
     * @throws X what the service threw
     * @throws ServiceException when there was no instance in time, or the call did not end in time
     */
    public <X extends Exception> void run(ServiceAction<? super S, X> action) throws X {
        access.<@Nullable Object, X>call(
                "run",
                calls,
                service -> {
                    action.run(service);
                    return null;
                });
    }

    /**
     * Calls the service on an instance, on a virtual thread; until there is one, the call waits in the queue without a
     * thread. Whatever goes wrong, a refusal included, completes the future. To cancel the future leaves the queue, or
     * interrupts the call, whose instance is free when the call ends. Calls may follow each other on one virtual
     * thread: whoever sets a thread-local variable removes it again.
     */
    @SuppressWarnings({"NullAway", "unchecked"}) // the future has what the call returned
    public <T extends @Nullable Object> CompletableFuture<T> async(
            ServiceCall<? super S, T, ?> call) {
        return (CompletableFuture<T>) calls.async("async", service -> call.call((S) service));
    }

    /**
     * Calls the service once with each item, several at once, and returns the results in the order of the items. As
     * many run at once as the pool has room for, so that the queue never refuses one of them, save the first of all
     * when the queue is full of other callers' calls. Each item is an asynchronous call of its own, with its own
     * deadline; other callers have their turns between them. On a thread that runs a call of this pool, items are also
     * worked on by that thread itself, on its instance, so that even a pool of one instance can split its own work.
     *
     * <p>After the first failure no other item begins, calls that wait leave the queue, and those that run are
     * interrupted; the failure is thrown when all of them have ended. So it is when the caller is interrupted: kind
     * {@link ServiceException.Kind#INTERRUPTED}, its flag set. Keeps the items and the results, and nothing else that
     * grows with their number.
     *
     * @throws X the first failure of the service
     * @throws ServiceException when a call was not made or did not end in time
     */
    @SuppressWarnings({"NullAway", "unchecked"}) // the items are T, the instances S, the results R
    public <T, R extends @Nullable Object, X extends Exception> List<R> forEach(
            Collection<T> items, ItemCall<? super S, T, R, X> call) throws X {
        Batch batch = new Batch(calls, items, item -> service -> call.call((S) service, (T) item));
        try {
            return (List<R>) batch.run();
        } catch (Throwable e) {
            throw PoolAccess.<RuntimeException>unchanged(e);
        }
    }

    /** Returns the pool as calls for one key see it: in order of their arrival, one at a time. */
    public KeyedPool<S> key(Object key) {
        return new KeyedPool<>(access, key);
    }

    /**
     * Returns a part of a split pool.
     *
     * @throws IllegalArgumentException if there is no such part
     */
    public ServicePool<S> part(String partName) {
        ServicePool<S> part = parts.get(partName);
        if (part == null) {
            throw new IllegalArgumentException(
                    "Pool %s has no part \"%s\"; it has %s."
                            .formatted(name(), partName, parts.keySet()));
        }
        return part;
    }

    /** Returns the parts of a split pool, in the order in which they were split off; none where it is not split. */
    public List<ServicePool<S>> parts() {
        return List.copyOf(parts.values());
    }

    /**
     * Changes the bounds of the number of instances. Those that are missing are started, also in place of those that
     * the supervision has stopped; idle ones that are too many are stopped at once, busy ones when their calls end.
     * Does nothing when the pool is closed. Parts keep their own bounds.
     *
     * @throws IllegalArgumentException for bounds that {@link ServicePoolBuilder#size(int, int)} refuses
     */
    public void resize(int min, int max) {
        ServicePoolBuilder.checkSize(name(), min, max);
        roster.resize(min, max);
    }

    /** Returns the figures of this moment, without those of parts. */
    public PoolFigures figures() {
        int waiting = handover.waiting() + (ownLanes ? lanes.waiting() : 0);
        long now = System.nanoTime();
        Duration longestWait = Duration.ofNanos(Math.max(0, now - handover.waitingSince(now)));
        return PoolFigures.of(
                name(), roster.counts(), waiting, longestWait, calls.failures().counted());
    }

    /**
     * Returns the instances of this moment, without those of parts, by their numbers. Takes time and memory in
     * proportion to their number.
     */
    public List<PoolFigures.Instance> instances() {
        long now = System.nanoTime();
        return roster.look(instance -> instance.figures(now));
    }

    /**
     * Returns whether the pool, and each of its parts, is open and has an instance, or needs none before the first
     * call.
     */
    public boolean isReady() {
        return roster.isReady() && parts.values().stream().allMatch(ServicePool::isReady);
    }

    /** Waits until the pool is ready, its parts not counted. Returns false when it is not in time, or is closed. */
    public boolean awaitReady(Duration time) throws InterruptedException {
        return roster.awaitReady(PoolSettings.nanos(time));
    }

    /** Returns the pool's name. */
    public String name() {
        return settings.name();
    }

    /**
     * Closes the pool. New calls are refused with {@link ServiceException.Kind#CLOSED}; those that wait are served
     * (instances that fail or start meanwhile are made as before), or refused when
     * {@link ServicePoolBuilder#drainQueue} says so. What still runs or waits after the close timeout, or
     * when the closing thread is interrupted, is interrupted or refused; calls that do not heed it are left behind
     * after another second, and their instances are stopped when they end. Returns when all instances are stopped
     * otherwise.
     *
     * <p>A second call waits for the first to end. On a thread that runs a call of this pool it does not wait: the pool
     * closes in the background.
     */
    @Override
    public void close() {
        parts.values().forEach(ServicePool::close);
        boolean first = roster.shut();
        if (calls.isInside()) {
            if (first) {
                Thread.ofVirtual().name(name() + "-close").start(this::finish);
            }
            return;
        }
        if (first) {
            finish();
            return;
        }
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the pool after the calls that were left behind; until then their deadlines are watched. */
    private void endLater() {
        if (roster.awaitEnd(Long.MAX_VALUE)) {
            end();
        }
    }

    private void end() {
        Watchdog.forget(roster);
        settings.threads().close();
    }

    private void finish() {
        try {
            if (roster.awaitEnd(settings.closeNanos())) {
                end();
                return;
            }
            boolean interrupted = Thread.interrupted();
            roster.interruptAll();
            if (roster.awaitEnd(INTERRUPTED_NANOS)) {
                end();
            } else {
                Thread.startVirtualThread(this::endLater);
                LOG.log(
                        Level.WARNING,
                        "Pool {0}: closed while calls still run; their instances are stopped when they end",
                        name());
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        } finally {
            ended.countDown();
        }
    }
}
