package dev.penstock.service.async;

import dev.penstock.service.handover.Handover.Admission;
import dev.penstock.service.handover.Waiter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pool, as its asynchronous calls see it. Thread-safe.
 *
 * @param <I> its instances
 */
public interface AsyncPool<I extends AsyncInstance> {
    /** Returns how long a call may wait, in nanoseconds; 0 for ever. */
    long waitNanos();

    /** Returns all instances there are. */
    List<I> all();

    /** Takes an idle instance if there is one and nobody waits. */
    @Nullable I tryAcquire();

    /** Gets an instance for a call, or queues it. */
    Admission enqueue(Waiter call);

    /** Takes a call out of the queue, unless its outcome has been decided. */
    void withdraw(Waiter call);

    /** Begins a run whose thread follows, and returns its state. */
    long begin(I instance, String method, long arrived);

    /** Goes on with a run on its thread. Returns false when it has been interrupted. */
    boolean attach(I instance, Thread thread, long started);

    /** Lets the thread of a call go while its instance is kept, until {@link #finish} from anywhere. */
    void detach(I instance);

    /** Ends a run whose call was not made after all, because nobody wants it; on its thread. */
    void abandon(I instance);

    /** Ends a run that was given no thread, or whose thread came too late. Returns whether it was timed out. */
    boolean giveUp(I instance);

    /**
     * Ends a call: ends the run, counts it, gives the instance on, and tells the listener.
     *
     * @param attached whether the call still has its thread, which is the present one
     * @return the timeout when the run had ended at its deadline
     */
    @Nullable Throwable finish(I instance, @Nullable Throwable failure, boolean attached);

    /** Runs a call on the thread of its instance, or on another one of the pool. */
    void execute(I instance, Runnable call);

    /** Returns whether {@link #execute} starts a virtual thread for each call of an instance. */
    boolean startsThreads(I instance);

    /** Returns the failures of calls that are not made, or not to their end. */
    CallFailures failures();
}
