package dev.penstock.service.roster;

import dev.penstock.service.figures.CallCounters;
import dev.penstock.service.handover.Permit;
import org.jspecify.annotations.Nullable;

/** An instance of a pool as its roster sees it: the permit of its calls, its stage of life and what it has counted. */
public abstract class PooledInstance extends Permit {
    /** The stage of an instance's life. */
    public enum Stage {
        /** It is being made, or waits for its next attempt. */
        STARTING,
        /** It takes calls, or runs one. */
        LIVE,
        /** Its call ran into the deadline and has not ended yet. */
        QUARANTINED,
        /** It is being stopped. */
        STOPPING
    }

    private final CallCounters counters = new CallCounters();

    /** The failure for good of a pool that the service object owns; null if it has none. */
    private volatile @Nullable Throwable childFailure;

    /** Guarded by the lock of the table. */
    Stage stage = Stage.STARTING;

    /** Set under the lock of the table when its call ran into the deadline, and never taken back. */
    boolean quarantined;

    /** An instance that is about to be started for the first time. */
    protected PooledInstance(int index) {
        super(index);
    }

    /** Returns the counts of its calls. */
    public final CallCounters counters() {
        return counters;
    }

    /** Returns the stage of its life; for a look at instances by {@link Roster#look}. */
    public final Stage stage() {
        return stage;
    }

    /** Returns the failure for good of a pool that the service object owns; null if it has none. */
    public final @Nullable Throwable childFailure() {
        return childFailure;
    }

    final void setChildFailure(@Nullable Throwable failure) {
        childFailure = failure;
    }

    /**
     * Returns what is to be done if the present run ends at its deadline: null for nothing. Reads the present run
     * without a lock; if another one has begun meanwhile, nobody uses what was returned.
     *
     * @param now the present {@link System#nanoTime}
     */
    protected abstract @Nullable Runnable timeout(long now);
}
