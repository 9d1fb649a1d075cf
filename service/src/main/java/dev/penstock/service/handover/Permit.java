package dev.penstock.service.handover;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The right to use one instance, held by one call at a time.
 *
 * <p>The state is the number of the run and its phase in one {@code long}. The thread that holds the permit begins and
 * ends runs; others only advance the phase of the run that they have seen, by compare and set, so that what was meant
 * for one run never reaches the next.
 */
public abstract class Permit {
    /** No call runs. */
    public static final int IDLE = 0;

    /** A call runs. */
    public static final int RUNNING = 1;

    /** A call runs that was interrupted, since nobody wants its result any more. */
    public static final int INTERRUPTED = 2;

    /** A call runs that was interrupted at its deadline. */
    public static final int TIMED_OUT = 3;

    /** The bits of the phase. */
    private static final int PHASE = 3;

    private static final VarHandle STATE;
    private static final VarHandle OWNER;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(Permit.class, "state", long.class);
            OWNER = lookup.findVarHandle(Permit.class, "owner", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final int index;

    /** One more than the index of the permit below in the stack; 0 when there is none. */
    volatile int below;

    /** The slot of {@link Holders} that has this permit; -1 when none has. */
    int slot = -1;

    /** Interrupts on their way to the thread; guarded by the lock of {@link Interrupts}. */
    int deliveries;

    /** Whether the thread of the present run has an interrupt to be taken back; guarded by the same lock. */
    boolean interrupted;

    private volatile long state;

    @SuppressWarnings("UnusedVariable") // OWNER reads it
    private @Nullable Thread owner;

    private long deadline;
    private int depth;

    protected Permit(int index) {
        this.index = index;
    }

    /** Returns the number of the instance. */
    public final int index() {
        return index;
    }

    /**
     * Begins a run.
     *
     * @param thread the thread that runs the call; null if that is known later, by {@link #attach}
     * @param deadlineNanos when it is to be interrupted, by {@link System#nanoTime}
     * @return the state of the run
     */
    public final long begin(@Nullable Thread thread, long deadlineNanos) {
        OWNER.setOpaque(this, thread);
        deadline = deadlineNanos;
        long begun = ((long) STATE.get(this) | PHASE) + 1 + RUNNING;
        STATE.setRelease(this, begun);
        return begun;
    }

    /**
     * Names the thread that runs the call of a run that has begun without one.
     *
     * @return false when the run was interrupted before: then it is to end, and the call is not to be made
     */
    public final boolean attach(Thread thread) {
        OWNER.setVolatile(
                this,
                thread); // before the look at the state, as interrupt looks in the other order
        return phase(state) == RUNNING;
    }

    /**
     * Ends the run, on the thread that runs it or, after {@link #detach}, on any. An interrupt that was meant for it
     * has been delivered and taken back when this returns.
     *
     * @return the phase that the run had
     */
    public final int end() {
        long seen = (long) STATE.get(this);
        if (phase(seen) == RUNNING && STATE.compareAndSet(this, seen, seen & ~PHASE)) {
            OWNER.setOpaque(this, null);
            return RUNNING;
        }
        int phase = Interrupts.settle(this);
        OWNER.setOpaque(this, null);
        return phase;
    }

    /** Lets the thread go while the run goes on: nobody is interrupted for it any more. */
    public final void detach() {
        Interrupts.detach(this);
    }

    /** Counts a call within the call. */
    public final void enter() {
        depth++;
    }

    /** Counts the end of a call within the call, and returns whether there was one. */
    public final boolean leave() {
        if (depth == 0) {
            return false;
        }
        depth--;
        return true;
    }

    /** Returns the number and the phase of the present run. */
    public final long state() {
        return state;
    }

    /** Returns when the present run is to be interrupted. Means something only while the state stays as it was. */
    public final long deadline() {
        return deadline;
    }

    /** Returns the phase in a state. */
    public static int phase(long state) {
        return (int) (state & PHASE);
    }

    /** Returns whether the run has a thread at this moment. */
    public final boolean isAttached() {
        return owner() != null;
    }

    final @Nullable Thread owner() {
        return (@Nullable Thread) OWNER.getVolatile(this);
    }

    final void disown() {
        OWNER.setOpaque(this, null);
    }

    /** Sets the phase of the run that was seen, unless the state has changed since. */
    final boolean advance(long seen, int phase) {
        return STATE.compareAndSet(this, seen, (seen & ~PHASE) | phase);
    }
}
