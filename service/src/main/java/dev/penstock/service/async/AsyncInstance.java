package dev.penstock.service.async;

import dev.penstock.service.roster.PooledInstance;
import org.jspecify.annotations.Nullable;

/** An instance of a pool that runs asynchronous calls, besides blocking ones. */
public abstract class AsyncInstance extends PooledInstance {
    /** The asynchronous call that runs, for the watchdog; null for a blocking one. */
    volatile @Nullable AsyncCall<?> call;

    /** The thread that ran the latest asynchronous call, if it runs several. */
    volatile @Nullable CallChain chain;

    /** An instance that is about to be started for the first time. */
    protected AsyncInstance(int index) {
        super(index);
    }

    /** Returns the service object. */
    public abstract Object service();

    /**
     * Returns what fails the future of the present asynchronous call at its deadline: null for a blocking call.
     *
     * @param queued the nanoseconds that it waited
     * @param ran the nanoseconds that it has run
     */
    protected final @Nullable Runnable timeout(long queued, long ran) {
        AsyncCall<?> running = call;
        return running == null ? null : () -> running.timedOut(queued, ran);
    }
}
