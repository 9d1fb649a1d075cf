package dev.penstock.service.async;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A virtual thread that runs asynchronous calls of one instance one after the other.
 *
 * <p>It takes a call only from its own thread, while that gives the instance on. The call waits in {@code next} until
 * the thread has completed the future of the call before. Whoever empties {@code next} runs the call: the thread
 * itself, or the watchdog on a new thread.
 */
final class CallChain {
    /** The calls that follow each other on one thread, so that other virtual threads get their turn. */
    private static final int LONGEST = 64;

    /** Null when the chain has ended. Other threads read either, and neither is their own. */
    private @Nullable Thread thread = Thread.currentThread();

    private final AtomicReference<@Nullable AsyncCall<?>> next = new AtomicReference<>();

    // Of the thread alone.
    private boolean open;
    private int taken;

    /** The call that the watchdog has found waiting; its alone. */
    private @Nullable AsyncCall<?> found;

    /** Begins to take a call. */
    void open() {
        open = taken < LONGEST;
    }

    /** Takes a call, on the chain's own thread and while it is open. */
    @SuppressWarnings("ReferenceEquality") // threads may define equals
    boolean offer(AsyncCall<?> call) {
        if (Thread.currentThread() != thread || !open) {
            return false;
        }
        open = false;
        taken++;
        next.set(call);
        return true;
    }

    /** Ends to take one. */
    void close() {
        open = false;
    }

    /** Takes no call any more, and lets its thread go, which would keep the first call and its result. */
    void end() {
        open = false;
        thread = null;
    }

    boolean hasNext() {
        return next.get() != null;
    }

    /** Returns the call that is to run now, if there is one and no other thread has it. */
    @Nullable AsyncCall<?> takeNext() {
        return hasNext() ? next.getAndSet(null) : null;
    }

    /** Gives the next call, if there is one, to a thread of its own. */
    void passOn() {
        AsyncCall<?> call = takeNext();
        if (call != null) {
            call.start();
        }
    }

    /**
     * Passes on a call that has waited since the watchdog was last here. The thread is started before it takes the
     * call: where none can be had, the call stays.
     *
     * @return whether a call waits still
     */
    boolean rescue() {
        AsyncCall<?> waits = next.get();
        if (waits == null || !waits.equals(found)) {
            found = waits;
            return waits != null;
        }
        found = null;
        Thread.startVirtualThread(() -> {
            if (next.compareAndSet(waits, null)) {
                waits.run();
            }
        });
        return true;
    }
}
