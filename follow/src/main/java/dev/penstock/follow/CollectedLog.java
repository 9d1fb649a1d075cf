package dev.penstock.follow;

import dev.penstock.snapshot.ChangeFeed.ChangedRows;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The part of PostgreSQL's log that was read: by the thread that reads it, for those that ask for it. Thread-safe.
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

    /** The tables of which any row may have changed, and of which that was not told yet. */
    private final Set<String> rewritten = new HashSet<>();

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
            // Places of a server that took the place of another may be less than before.
            received = place;
            taken = place;
            pending.clear();
            rewritten.addAll(tables);
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
            while (isEmpty() && !closed && nanos > 0) {
                nanos = arrived.awaitNanos(nanos);
            }
            return !isEmpty() && !closed;
        } finally {
            lock.unlock();
        }
    }

    private boolean isEmpty() {
        return pending.isEmpty() && rewritten.isEmpty();
    }

    /** Returns whether every transaction that is not told of yet will be, if the log is read from what was taken on. */
    boolean isSure() {
        lock.lock();
        try {
            return unsure.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Adds that any row of some tables may have changed. */
    void addWhole(Collection<String> some) {
        lock.lock();
        try {
            rewritten.addAll(some);
            arrived.signalAll();
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
                rewritten.addAll(tables);
            }
            PendingChanges.Taken some = pending.take(now);
            Long end = some.end();
            if (pending.isEmpty()) {
                taken = Math.max(taken, received);
            } else if (end != null) {
                taken = Math.max(taken, end);
            }
            Map<String, ChangedRows> changes = withRewritten(some.tables());
            rewritten.clear();
            return new Taken(taken, changes);
        } finally {
            lock.unlock();
        }
    }

    private Map<String, ChangedRows> withRewritten(Map<String, ChangedRows> changes) {
        Map<String, ChangedRows> all = new HashMap<>(changes);
        rewritten.forEach(table -> all.put(table, new ChangedRows.All()));
        return all;
    }

    /**
     * Returns the changes of all transactions whose commits end at or before a place, and perhaps later ones; they are
     * not taken.
     *
     * @return null if the log has not come so far in time, or this is closed
     */
    @Nullable Map<String, ChangedRows> peek(long place, Duration most) throws InterruptedException {
        lock.lock();
        try {
            long nanos = most.toNanos();
            isAwaited = true;
            while (received < place) {
                if (closed || nanos <= 0) {
                    return null;
                }
                nanos = arrived.awaitNanos(nanos);
            }
            return withRewritten(pending.all());
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
