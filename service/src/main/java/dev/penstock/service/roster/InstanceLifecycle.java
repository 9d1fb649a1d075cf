package dev.penstock.service.roster;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The owner of a roster, as the roster sees it: it makes and stops service objects, decides about failures, and is told
 * of changes. Thread-safe. Nothing here is called under a lock, except for {@link #create} and {@link #delay}.
 *
 * @param <I> the instances
 */
public interface InstanceLifecycle<I extends PooledInstance> {
    /** Creates an instance without a service object. Quick. */
    I create(int index);

    /**
     * Makes a service object for an instance that has none.
     *
     * @param escalation told when a pool that the service object owns has failed for good
     * @return the failure, or null
     */
    @Nullable Throwable start(I instance, Consumer<Throwable> escalation);

    /** Stops the service object of an instance, if it has one. */
    void stop(I instance);

    /** Returns whether an instance is to be stopped for good after a failure. */
    boolean isFinal(Throwable failure);

    /** Counts a restart of an instance, and returns false when the limit of restarts does not allow it. */
    boolean mayRestart(I instance);

    /**
     * Counts a failure, and returns the nanoseconds until the next start. Quick.
     *
     * @param ofStart whether the start itself has failed, after which there is always a delay
     */
    long delay(I instance, boolean ofStart);

    /** Is told that an instance is about to be made anew, and why. */
    void restarted(I instance, Throwable failure);

    /** Is told of an instance that has ended and has no successor for now. */
    void stopped(I instance);

    /** Is told of new bounds, or of another number of instances. */
    void resized(int size, int min, int max);

    /** Is told, once until the roster is resized, that all instances have been stopped for good. */
    void failed(@Nullable Throwable lastFailure);
}
