package dev.penstock.service.proxy;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A call of which it is known when it is over: its future is complete and it does not run, or will never run. A future
 * that is cancelled is complete while its call still runs; whoever must not overlap it waits for both. Thread-safe.
 */
public final class TrackedCall implements ProxyCall {
    private static final int RUNNING = 1;
    private static final int COMPLETE = 2;

    private final ProxyCall call;
    private final Runnable over;
    private final AtomicInteger state = new AtomicInteger();

    /**
     * A call to hand to a pool, once.
     *
     * @param over run once, when the call is over
     */
    public TrackedCall(ProxyCall call, Runnable over) {
        this.call = call;
        this.over = over;
    }

    /** Makes the call, unless its future is complete already and nobody gets its result: then returns null. */
    @Override
    public @Nullable Object call(Object service) throws Throwable {
        if (!state.compareAndSet(0, RUNNING)) {
            return null;
        }
        try {
            return call.call(service);
        } finally {
            if (state.getAndUpdate(now -> now & ~RUNNING) == (RUNNING | COMPLETE)) {
                over.run();
            }
        }
    }

    /** Notes that the call's future is complete; called once. */
    public void completed() {
        if (state.getAndUpdate(now -> now | COMPLETE) == 0) {
            over.run();
        }
    }
}
