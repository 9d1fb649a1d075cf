package dev.penstock.query.sql.read;

import dev.penstock.query.QueryException;
import dev.penstock.query.sql.statement.DriverMessage;
import dev.penstock.query.sql.statement.JdbcAction;
import java.lang.ref.Cleaner;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One query's hold on a connection: taken at the first row, cancelled from any thread, given back exactly once.
 *
 * <p>A cancel aims at the connection, not at the query. So it is only sent while the lock is held and the query has not
 * ended; the connection goes back after that, and not into a pool if a cancel was sent, for it may still be on its way.
 * A cancel that reaches the database before the query does has no effect there; it is sent again until the reader has
 * noticed.
 */
public final class Session {
    private static final System.Logger LOG = System.getLogger("dev.penstock.query.sql");
    private static final int MAX_CANCELS = 20;
    private static final long FIRST_WAIT_MILLIS = 20;
    private static final long LONGEST_WAIT_MILLIS = 1000;

    private final ConnectionSource connections;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<JdbcAction> closing = new ArrayList<>(4);
    private volatile boolean cancelled;
    private boolean ended;
    private boolean evict;
    private @Nullable JdbcAction canceller;
    private @Nullable JdbcAction secondCanceller;

    /** That the query has ended, for whom cancels it. */
    private @Nullable Condition over;

    private @Nullable Connection connection;
    private Cleaner.@Nullable Cleanable leak;

    public Session(ConnectionSource connections) {
        this.connections = connections;
    }

    /** Remembers what watches for a cursor that is dropped; it is told when the session ends. */
    void watchedBy(Cleaner.Cleanable watch) {
        leak = watch;
    }

    /** Returns whether everything was given back. */
    boolean isOver() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /** Takes a connection. Called once, by the reading thread. */
    Connection connect() throws SQLException {
        requireNotCancelled();
        Connection taken = connections.take();
        connection = taken;
        requireNotCancelled();
        return taken;
    }

    /** From now on a cancel runs this. */
    void running(JdbcAction canceller) {
        lock.lock();
        try {
            requireNotCancelled();
            this.canceller = canceller;
        } finally {
            lock.unlock();
        }
    }

    /** From now on a cancel runs this as well, on a second connection; null when that is done. */
    void alsoRunning(@Nullable JdbcAction canceller) {
        lock.lock();
        try {
            secondCanceller = canceller;
        } finally {
            lock.unlock();
        }
    }

    /** Remembers what closing does; the last that was added is done first. */
    void onClose(JdbcAction action) {
        closing.add(action);
    }

    boolean isCancelled() {
        return cancelled;
    }

    void requireNotCancelled() {
        if (cancelled) {
            throw new QueryException(QueryException.Kind.CANCELLED, "the query was cancelled");
        }
    }

    /** Has the database cancel the query, from a thread of its own. */
    void cancel() {
        lock.lock();
        try {
            if (ended || cancelled) {
                return;
            }
            cancelled = true;
        } finally {
            lock.unlock();
        }
        Thread.ofVirtual().name("penstock-cancel").start(this::sendCancels);
    }

    private void sendCancels() {
        long wait = FIRST_WAIT_MILLIS;
        lock.lock();
        try {
            Condition ending = lock.newCondition();
            over = ending;
            for (int i = 0; i < MAX_CANCELS && !ended; i++) {
                sendCancel();
                if (ending.await(wait, TimeUnit.MILLISECONDS)) {
                    return;
                }
                wait = Math.min(wait * 2, LONGEST_WAIT_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private void sendCancel() {
        JdbcAction cancel = canceller;
        if (cancel == null) {
            return;
        }
        evict = true;
        JdbcAction second = secondCanceller;
        try {
            if (second != null) {
                second.run();
            }
            cancel.run();
        } catch (SQLException | RuntimeException | Error e) {
            LOG.log(System.Logger.Level.DEBUG, "the cancel of a query failed", e);
        }
    }

    /**
     * Gives everything back.
     *
     * @param running whether the query still runs, or closing would read its rest: it is cancelled first, and the
     *     connection not used again
     * @param primary what failed before, to which later failures are added
     */
    void close(boolean running, @Nullable Throwable primary) {
        Connection held;
        lock.lock();
        try {
            if (ended) {
                return;
            }
            ended = true;
            // The reader may have noticed the cancel before the thread that sends it came to it.
            if (running || (cancelled && !evict)) {
                sendCancel();
            }
            evict |= running;
            canceller = null;
            held = connection;
            connection = null;
            if (over != null) {
                over.signalAll();
            }
        } finally {
            lock.unlock();
        }
        if (leak != null) {
            leak.clean();
        }
        giveBack(held, primary);
    }

    private void giveBack(@Nullable Connection held, @Nullable Throwable primary) {
        List<Throwable> failures = new ArrayList<>();
        while (!closing.isEmpty()) {
            attempt(closing.removeLast(), failures);
        }
        if (held != null) {
            boolean broken = evict || !failures.isEmpty();
            attempt(() -> connections.giveBack(held, broken), failures);
        }
        if (primary != null) {
            failures.forEach(primary::addSuppressed);
        } else if (!failures.isEmpty()) {
            Throwable first = failures.getFirst();
            failures.subList(1, failures.size()).forEach(first::addSuppressed);
            if (!evict) {
                throw new QueryException(
                        QueryException.Kind.DATABASE,
                        "giving a connection back failed: " + DriverMessage.of(first),
                        first);
            }
            LOG.log(System.Logger.Level.DEBUG, "after a cancel", first);
        }
    }

    private static void attempt(JdbcAction action, List<Throwable> failures) {
        try {
            action.run();
        } catch (SQLException | RuntimeException | Error e) {
            failures.add(e);
        }
    }
}
