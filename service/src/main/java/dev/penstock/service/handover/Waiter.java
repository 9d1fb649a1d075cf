package dev.penstock.service.handover;

import org.jspecify.annotations.Nullable;

/**
 * A call in the queue. All that the pool keeps for it is this object: about 56 bytes for a blocking call.
 *
 * <p>Its outcome is decided once, under the lock of the {@link Handover}; {@link #wake} follows after the lock is left.
 */
public abstract class Waiter {
    /** The state of a call in the queue. */
    public enum Outcome {
        /** Not decided yet. */
        WAITING,
        /** It has a permit. */
        HANDED,
        /** It waited for too long. */
        TIMED_OUT,
        /** It left by itself. */
        CANCELLED,
        /** The pool was closed. */
        CLOSED,
        /** The pool has no instances any more. */
        STOPPED
    }

    @Nullable Waiter previous;
    @Nullable Waiter next;
    @Nullable Permit permit;
    volatile Outcome outcome = Outcome.WAITING;
    final long since;
    private final long deadline;
    private boolean admitted;

    /**
     * Creates a waiter.
     *
     * @param since when the call came, by {@link System#nanoTime}
     * @param deadline when it has waited for too long; those of one queue grow in the order in which they come
     */
    protected Waiter(long since, long deadline) {
        this.since = since;
        this.deadline = deadline;
    }

    /** Returns when the call came, by {@link System#nanoTime}. */
    public final long since() {
        return since;
    }

    /** Returns when the call has waited for too long. */
    public final long deadline() {
        return deadline;
    }

    /** Returns what has become of it. */
    public final Outcome outcome() {
        return outcome;
    }

    /** Returns the permit that it got, once. */
    public final @Nullable Permit permit() {
        return permit;
    }

    /** Gives a waiter that never queued its permit. */
    public final void take(Permit got) {
        permit = got;
        outcome = Outcome.HANDED;
    }

    /** Returns whether nobody wants the call any more; it is then passed over. Quick, and calls no code of users. */
    protected boolean isAbandoned() {
        return false;
    }

    /** Lets it queue even when the queue is full. Before it queues. */
    public final void admit() {
        admitted = true;
    }

    final boolean isAdmitted() {
        return admitted;
    }

    /** Goes on after the outcome was decided. Called once, under no lock; never runs code of users itself. */
    protected abstract void wake();
}
