package dev.penstock.http.exchange;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of an exchange on which its threads agree, each change in one step: its suspension, the thread of its
 * handler, whether its client has gone, and whether its handler and its transport are done with it. It is finished when
 * both are, in whichever order. Thread-safe.
 */
final class ExchangeLifetime {
    private List<Runnable> onDisconnect = List.of();
    private volatile @Nullable ServerSuspension suspension;
    private volatile boolean gone;
    private boolean transportDone;
    private boolean handlerDone;
    private @Nullable Thread thread;
    private long goneNanos;
    private boolean interrupted;

    /**
     * The work to be done as the client has gone.
     *
     * @param actions of the handler
     * @param suspension that is to end
     */
    record Departure(List<Runnable> actions, @Nullable ServerSuspension suspension) {}

    // Its handler.

    /** Its handler runs on a thread from now on; null if it does no longer. */
    synchronized void runsOn(@Nullable Thread handler) {
        thread = handler;
    }

    /** Its handler is done with it; returns whether it is finished by that. */
    synchronized boolean handled() {
        handlerDone = true;
        return transportDone;
    }

    /** Interrupts a handler that still runs so long after its client has gone, once. */
    synchronized void interruptIfStuck(long now, long graceNanos) {
        if (gone && !interrupted && thread != null && now - goneNanos > graceNanos) {
            interrupted = true;
            thread.interrupt();
        }
    }

    synchronized void interrupt() {
        if (thread != null) {
            thread.interrupt();
        }
    }

    // Its suspension.

    /**
     * Begins a wait.
     *
     * @param blocksLoop whether the event loop would have to block meanwhile, so that it can't
     * @return whether the client has gone already
     */
    synchronized boolean suspend(ServerSuspension wait, SuspensionLimit limit, boolean blocksLoop) {
        if (suspension != null || handlerDone) {
            throw new IllegalStateException(
                    "A handler can suspend its exchange once, and before it returns");
        }
        if (blocksLoop) {
            throw new IllegalStateException(
                    "A filter can't suspend the exchange of a non-blocking handler that has flushed,"
                            + " or written more than 32 KiB");
        }
        limit.enter();
        suspension = wait;
        return gone;
    }

    @Nullable ServerSuspension suspension() {
        return suspension;
    }

    /** Ends a wait; returns it, or null if there was none. */
    synchronized @Nullable ServerSuspension endSuspension(SuspensionLimit limit) {
        ServerSuspension ended = suspension;
        suspension = null;
        if (ended != null) {
            limit.leave();
        }
        return ended;
    }

    /** Returns whether it waits, and its handler has returned. */
    synchronized boolean waitsWithoutThread() {
        return suspension != null && thread == null;
    }

    // Its client.

    /** Has an action run when the client leaves; returns false if that has gone. */
    synchronized boolean onDisconnect(Runnable action) {
        if (gone) {
            return false;
        }
        if (onDisconnect.isEmpty()) {
            onDisconnect = new ArrayList<>(1);
        }
        onDisconnect.add(action);
        return true;
    }

    /** What happens from now on is not the client's doing. */
    synchronized void forgetActions() {
        onDisconnect = List.of();
    }

    /** Its client has gone; null if that was known, or the response had left. */
    synchronized @Nullable Departure clientLeft() {
        if (gone || transportDone) {
            return null;
        }
        gone = true;
        goneNanos = System.nanoTime();
        Departure departure = new Departure(onDisconnect, suspension);
        onDisconnect = List.of();
        return departure;
    }

    boolean isGone() {
        return gone;
    }

    // Its end.

    /** Its transport is done with it; returns whether it is finished by that. */
    synchronized boolean sent() {
        boolean finished = handlerDone && !transportDone;
        transportDone = true;
        return finished;
    }

    synchronized boolean isFinished() {
        return transportDone && handlerDone;
    }
}
