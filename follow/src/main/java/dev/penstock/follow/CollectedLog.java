package dev.penstock.follow;

import dev.penstock.query.QueryException;
import dev.penstock.snapshot.ChangeFeed.ChangedRows;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What was read of PostgreSQL's log: by the thread that reads it, for those that ask for it. Thread-safe.
 *
 * <p>All transactions whose commits end at or before the place {@link #received} are here, or were taken.
 */
final class CollectedLog {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final PendingChanges pending = new PendingChanges();
    private final List<String> tables;

    /**
     * The transactions that ran when the slot was made and still do: their commits may be before the place at which it
     * begins, though they were not to be seen then.
     */
    private final Set<Long> unsure = new HashSet<>();

    private VisibleTransactions visible;
    private long received;
    private long taken;
    private boolean isAwaited;
    private boolean closed;

    /**
     * @param tables the names of all tables
     * @param place where the log is read from
     */
    CollectedLog(
            Collection<String> tables, long place, VisibleTransactions visible, Set<Long> unsure) {
        this.tables = List.copyOf(tables);
        this.visible = visible;
        this.unsure.addAll(unsure);
        received = place;
        taken = place;
    }

    /** Takes notice of a slot that was made anew at a place: anything may have changed before it. */
    void restart(long place, VisibleTransactions now, Set<Long> running) {
        lock.lock();
        try {
            visible = now;
            unsure.clear();
            unsure.addAll(running);
            received = Math.max(received, place);
            pending.addWhole(tables, received);
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes notice of a committed transaction.
     *
     * @param xid its number in the log
     * @param end the place behind its commit
     * @param changes the changed rows by table; of other tables or none, empty
     */
    void committed(int xid, long end, Map<String, ChangedRows> changes) {
        lock.lock();
        try {
            long whole = visible.whole(xid);
            boolean _ = unsure.remove(whole);
            if (!changes.isEmpty()) {
                pending.add(whole, end, changes);
            }
            received = Math.max(received, end);
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes notice that all transactions whose commits end at or before a place have come. */
    void received(long place) {
        lock.lock();
        try {
            if (place > received) {
                received = place;
                arrived.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns the place from which on nothing was read. */
    long received() {
        lock.lock();
        try {
            return received;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether somebody waits for the log to come. */
    boolean isAwaited() {
        lock.lock();
        try {
            return isAwaited;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until there are changes; false after a time, and once this is closed. */
    boolean awaitChanges(Duration most) throws InterruptedException {
        lock.lock();
        try {
            long nanos = most.toNanos();
            while (pending.isEmpty() && !closed && nanos > 0) {
                nanos = arrived.awaitNanos(nanos);
            }
            return !pending.isEmpty() && !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Adds that any row of some tables may have changed. */
    void addWhole(Collection<String> some) {
        lock.lock();
        try {
            pending.addWhole(some, received);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Changes that were taken.
     *
     * @param place from which on the log was not taken
     */
    record Taken(long place, Map<String, ChangedRows> tables) {}

    /**
     * Takes the changes of transactions that everyone sees.
     *
     * @param now asked of the database just before
     */
    Taken take(VisibleTransactions now) {
        lock.lock();
        try {
            visible = now;
            if (unsure.removeIf(xid -> now.hasAll(xid, xid))) {
                // It ended, and the log did not tell of it: its commit may lie before the slot.
                pending.addWhole(tables, received);
            }
            PendingChanges.Taken some = pending.take(now);
            Long end = some.end();
            if (pending.isEmpty()) {
                taken = Math.max(taken, received);
            } else if (end != null) {
                taken = Math.max(taken, end);
            }
            return new Taken(taken, some.tables());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the changes of all transactions whose commits end at or before a place, and perhaps later ones; they are
     * not taken.
     *
     * @throws QueryException if the log has not come so far in time
     */
    Map<String, ChangedRows> peek(long place, Duration most) throws InterruptedException {
        lock.lock();
        try {
            long nanos = most.toNanos();
            isAwaited = true;
            while (received < place) {
                if (closed || nanos <= 0) {
                    throw new QueryException(
                            QueryException.Kind.UNAVAILABLE,
                            closed
                                    ? "the feed of changes is closed"
                                    : "the database's log did not come within "
                                            + most.toSeconds()
                                            + " seconds");
                }
                nanos = arrived.awaitNanos(nanos);
            }
            return pending.all();
        } finally {
            isAwaited = false;
            lock.unlock();
        }
    }

    /** Lets all who wait go. */
    void close() {
        lock.lock();
        try {
            closed = true;
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
