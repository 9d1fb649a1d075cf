package dev.penstock.service.batch;

import dev.penstock.service.proxy.ProxyCall;
import dev.penstock.service.proxy.TrackedCall;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A run of one call for each of many items. Used once, by one caller. */
public final class Batch {
    private final BatchPool pool;
    private final Object[] items;
    private final @Nullable Object[] results;
    private final Function<Object, ProxyCall> calls;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition over = lock.newCondition();
    private final AtomicInteger launches = new AtomicInteger();

    /** The futures of the calls that are queued or run, by the indices of their items. */
    private final Map<Integer, CompletableFuture<?>> underWay = new HashMap<>();

    private int next;
    private int active;
    private @Nullable Throwable failure;

    /**
     * A run that has not begun.
     *
     * @param calls makes the call of an item
     */
    public Batch(BatchPool pool, Collection<?> items, Function<Object, ProxyCall> calls) {
        this.pool = pool;
        this.items = items.toArray();
        this.results = new Object[this.items.length];
        this.calls = calls;
    }

    /**
     * Makes all calls, waits for them, and returns their results in the items' order.
     *
     * @throws Throwable the first failure; all calls that began are over then
     */
    public List<@Nullable Object> run() throws Throwable {
        boolean inside = pool.isInside();
        launch(inside);
        while (inside) {
            int index = claim(true);
            if (index < 0) {
                break;
            }
            callInside(index);
            launch(true);
        }
        await();
        if (failure != null) {
            throw failure;
        }
        return Arrays.asList(results);
    }

    /**
     * Begins calls while the pool has free capacity, and one at least unless the caller makes calls itself. A loop of
     * one thread at a time: a call that is over at once asks for another turn of it, and does not begin the next from
     * within.
     */
    private void launch(boolean inside) {
        if (launches.getAndIncrement() > 0) {
            return;
        }
        int done = 1;
        do {
            int index = claimQueued(inside);
            while (index >= 0) {
                queue(index, inside);
                index = claimQueued(inside);
            }
            done = launches.addAndGet(-done);
        } while (done > 0);
    }

    private int claimQueued(boolean inside) {
        if (pool.freeCapacity() > 0) {
            return claim(true);
        }
        return inside ? -1 : claim(false);
    }

    /** Takes the next item, or returns -1 if there is none, or if calls are under way and that is enough. */
    private int claim(boolean further) {
        lock.lock();
        try {
            if (failure != null || next == items.length || (active > 0 && !further)) {
                return -1;
            }
            active++;
            return next++;
        } finally {
            lock.unlock();
        }
    }

    private void queue(int index, boolean inside) {
        TrackedCall call =
                new TrackedCall(
                        calls.apply(items[index]),
                        () -> {
                            release();
                            launch(inside);
                        });
        CompletableFuture<@Nullable Object> future = pool.queue(call, inside || index > 0);
        lock.lock();
        try {
            underWay.put(index, future);
        } finally {
            lock.unlock();
        }
        if (failed()) {
            future.cancel(true);
        }
        future.whenComplete((result, thrown) -> {
            note(index, result, thrown);
            call.completed();
        });
    }

    private void note(int index, @Nullable Object result, @Nullable Throwable thrown) {
        lock.lock();
        try {
            underWay.remove(index);
            results[index] = result;
        } finally {
            lock.unlock();
        }
        if (thrown != null) {
            fail(thrown);
        }
    }

    private void callInside(int index) {
        try {
            results[index] = pool.callInside(calls.apply(items[index]));
        } catch (Throwable e) {
            fail(e);
        } finally {
            release();
        }
    }

    private boolean failed() {
        lock.lock();
        try {
            return failure != null;
        } finally {
            lock.unlock();
        }
    }

    /** Notes the first failure, and cancels all calls under way. */
    private void fail(Throwable thrown) {
        List<CompletableFuture<?>> cancelled;
        lock.lock();
        try {
            if (failure != null) {
                return;
            }
            failure = thrown;
            cancelled = List.copyOf(underWay.values());
        } finally {
            lock.unlock();
        }
        cancelled.forEach(each -> each.cancel(true));
    }

    private void release() {
        lock.lock();
        try {
            active--;
            over.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all calls are over; an interrupt is a failure like any other, and the flag is set again. */
    private void await() {
        boolean interrupted = false;
        while (!awaitOrInterrupted()) {
            interrupted = true;
            fail(pool.interrupted());
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean awaitOrInterrupted() {
        lock.lock();
        try {
            while (active > 0 || (failure == null && next < items.length)) {
                over.await();
            }
            return true;
        } catch (InterruptedException _) {
            return false;
        } finally {
            lock.unlock();
        }
    }
}
