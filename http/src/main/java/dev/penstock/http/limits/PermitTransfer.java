package dev.penstock.http.limits;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The wait of a request whose handler runs for a permit of another admission. The handler's thread calls {@link
 * #await}, once; everything else may be called on any thread, also before that, and does not block.
 */
public final class PermitTransfer implements PermitQueue.Waiter {
    private final PermitQueue target;
    private final Object client;
    private final boolean mayTakeAll;
    private final boolean mayBeRefused;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean admitted;
    private boolean displaced;

    /** Why the wait is to end without a permit; null while it goes on. */
    private @Nullable Outcome ending;

    /** The end of a transfer. */
    public enum Outcome {
        /** The request holds a permit of the target. */
        ADMITTED,
        /** The target's queue was full, the wait took longer than its queue timeout, or the server stops. */
        REFUSED,
        /** The client has gone, or the thread was interrupted. */
        CANCELLED
    }

    /**
     * @param mayBeRefused whether the target may refuse it as it may a new request; otherwise it waits as long as
     *     it takes
     */
    public PermitTransfer(
            PermitQueue target, Object client, boolean mayTakeAll, boolean mayBeRefused) {
        this.target = target;
        this.client = client;
        this.mayTakeAll = mayTakeAll;
        this.mayBeRefused = mayBeRefused;
    }

    /** Waits for the permit. If the thread is interrupted, it still is when this returns. */
    public Outcome await() {
        PermitQueue.Decision decision = mayBeRefused ? target.enter(this) : target.reenter(this);
        return switch (decision) {
            case RUN -> Outcome.ADMITTED;
            case REFUSED -> Outcome.REFUSED;
            case WAIT -> awaitDecision();
        };
    }

    private Outcome awaitDecision() {
        Outcome end = awaitChange();
        if (end == null) {
            return decided();
        }
        boolean timedOut = end == Outcome.REFUSED;
        if (target.abandon(this, timedOut)) {
            return end;
        }
        // It has just been admitted or displaced, and is told so in a moment.
        lock.lock();
        try {
            while (!admitted && !displaced) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
        return decided();
    }

    private Outcome decided() {
        lock.lock();
        try {
            return admitted ? Outcome.ADMITTED : Outcome.REFUSED;
        } finally {
            lock.unlock();
        }
    }

    /** Returns null where the admission has decided, otherwise why the wait ends before. */
    private @Nullable Outcome awaitChange() {
        lock.lock();
        try {
            long nanos = target.timeout().toNanos();
            while (!admitted && !displaced && ending == null) {
                if (nanos <= 0) {
                    return Outcome.REFUSED;
                }
                if (mayBeRefused) {
                    nanos = changed.awaitNanos(nanos);
                } else {
                    changed.await();
                }
            }
            return admitted || displaced ? null : ending;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return admitted || displaced ? null : Outcome.CANCELLED;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the wait because the client has gone. */
    public void cancel() {
        end(Outcome.CANCELLED);
    }

    /** Ends the wait because the server stops, if it may be refused. */
    public void stop() {
        if (mayBeRefused) {
            end(Outcome.REFUSED);
        }
    }

    private void end(Outcome how) {
        lock.lock();
        try {
            if (ending == null) {
                ending = how;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Object client() {
        return client;
    }

    @Override
    public boolean mayTakeAll() {
        return mayTakeAll;
    }

    @Override
    public void admitted() {
        lock.lock();
        try {
            admitted = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void displaced() {
        lock.lock();
        try {
            displaced = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
