package dev.penstock.follow.binlog;

import dev.penstock.query.QueryException;
import dev.penstock.snapshot.ChangeFeed.ChangedRows;
import dev.penstock.snapshot.ChangeFeed.Changes;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The changes that came from the log and were not taken yet, and the place up to which it came. The thread that reads
 * the log adds, and others take. Bounded: see {@link PendingTable}; of the ends of transactions, the latest are kept.
 * Thread-safe.
 */
public final class CollectedChanges {
    /** So many transactions at the most are in the log and not visible yet: a server has no more connections. */
    private static final int MOST_INVISIBLE = 100_000;

    /** Longer than a commit waits for replicas. */
    private static final Duration OLD = Duration.ofSeconds(60);

    /** So long is waited for what has been committed this moment. */
    private static final Duration A_MOMENT = Duration.ofMillis(100);

    /** After that time without a connection to the log, takers are told. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private record End(BinlogPosition at, GtidPosition.Gtid gtid) {}

    private record Trouble(String message, long since) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, PendingTable> tables = new HashMap<>();

    /** Committed by a distributed transaction, which others may see later than the log says. */
    private final Map<Xid, BinlogPosition> distributed = new LinkedHashMap<>();

    private final Deque<End> ends = new ArrayDeque<>();

    /** Before the first of the ends. */
    private SavedPosition base;

    /** After the last of the ends. */
    private SavedPosition last;

    private String lastTaken;

    /** All transactions that end up to here are visible, and told. */
    private BinlogPosition settled;

    /** All transactions of the files before this one are visible. */
    private @Nullable BinlogPosition checkpoint;

    /** A place that is the end of a transaction, but may be meant for another file. */
    private @Nullable BinlogPosition suspected;

    private long suspectedSince;
    private BinlogPosition received;
    private long events;
    private long restarts;
    private @Nullable Trouble trouble;

    /** The number of times that reading was suspended, since the log might be another one. */
    private long suspensions;

    /** The number of suspensions after which it is known which log it is. */
    private long answered;

    private boolean closed;

    public CollectedChanges(SavedPosition from) {
        base = from;
        last = from;
        lastTaken = from.toString();
        received = from.at();
        settled = from.at();
    }

    /**
     * Begins again at another place, where all rows of some tables have changed.
     *
     * @param seen the {@linkplain #suspensions suspensions} before the place was asked for
     */
    void restart(SavedPosition from, Collection<String> all, long seen) {
        lock.lock();
        try {
            base = from;
            last = from;
            lastTaken = from.toString();
            received = from.at();
            settled = from.at();
            checkpoint = null;
            ends.clear();
            tables.clear();
            distributed.clear();
            answered = seen;
            restarts++;
            ChangedKeys everything = new ChangedKeys();
            everything.addAll();
            all.forEach(name -> add(name, everything, from.at()));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void add(String table, ChangedKeys keys, BinlogPosition end) {
        tables.computeIfAbsent(table, _ -> new PendingTable()).add(keys, end);
    }

    /** Adds what a transaction has changed that ends at a place. */
    void commit(
            Map<String, ChangedKeys> keys, GtidPosition.@Nullable Gtid gtid, BinlogPosition end) {
        lock.lock();
        try {
            keys.forEach((table, each) -> add(table, each, end));
            if (gtid != null) {
                ends.add(new End(end, gtid));
                last = new SavedPosition(end, last.gtids().after(gtid));
            }
            while (ends.size() > MOST_INVISIBLE) {
                passFirstEnd();
            }
            if (!keys.isEmpty()) {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private void passFirstEnd() {
        End first = ends.removeFirst();
        base = new SavedPosition(first.at(), base.gtids().after(first.gtid()));
    }

    /** Says that a distributed transaction is committed according to the log. */
    void committing(Xid xid, BinlogPosition end) {
        lock.lock();
        try {
            distributed.put(xid, end);
            if (distributed.size() > MOST_INVISIBLE) {
                distributed.remove(distributed.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns the distributed transactions which not every other one may see yet. */
    public Set<Xid> distributed() {
        lock.lock();
        try {
            return Set.copyOf(distributed.keySet());
        } finally {
            lock.unlock();
        }
    }

    /** Says that the server is there, though nothing comes. */
    void alive() {
        lock.lock();
        try {
            trouble = null;
        } finally {
            lock.unlock();
        }
    }

    /** Says that all transactions of the files before one have been committed by their engines. */
    void checkpoint(String file) {
        lock.lock();
        try {
            BinlogPosition start = new BinlogPosition(file, BinlogPosition.FIRST_OFFSET);
            if (checkpoint == null || start.compareTo(checkpoint) > 0) {
                checkpoint = start;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Says that an event was read, and up to which place the log was. */
    void received(BinlogPosition end) {
        lock.lock();
        try {
            events++;
            trouble = null;
            if (end.compareTo(received) > 0) {
                received = end;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Says why the log can't be read at present. Returns whether that is news. */
    boolean troubled(String message) {
        lock.lock();
        try {
            Trouble before = trouble;
            trouble = new Trouble(message, before == null ? System.nanoTime() : before.since());
            changed.signalAll();
            return before == null;
        } finally {
            lock.unlock();
        }
    }

    /** Says that the log may be another one: until it is known, nothing is taken. */
    void suspend() {
        lock.lock();
        try {
            suspensions++;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how often it was suspended so far. */
    long suspensions() {
        lock.lock();
        try {
            return suspensions;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Says that the log is the same one, and is read on.
     *
     * @param seen the suspensions before that was asked: a later one needs another answer
     */
    void resume(long seen) {
        lock.lock();
        try {
            answered = seen;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the log may be another one, and it is not known yet. */
    boolean isSuspended() {
        lock.lock();
        try {
            return suspensions != answered;
        } finally {
            lock.unlock();
        }
    }

    private void requireKnown() {
        if (isSuspended()) {
            throw new QueryException(QueryException.Kind.UNAVAILABLE, unknown());
        }
    }

    private String unknown() {
        return "MariaDB's binary log may have been begun anew, and is not read again yet"
                + (trouble == null ? "" : ": " + trouble.message());
    }

    /**
     * Returns the place up to which all transactions are visible, and told.
     *
     * @throws QueryException if the log may be another one, and it is not known yet
     */
    public BinlogPosition settled() {
        lock.lock();
        try {
            requireKnown();
            return settled;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the end of the last transaction that came. */
    SavedPosition last() {
        lock.lock();
        try {
            return last;
        } finally {
            lock.unlock();
        }
    }

    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until something is pending, or the log could not be read for some seconds. */
    public boolean await(Duration most) throws InterruptedException {
        long deadline = System.nanoTime() + most.toNanos();
        lock.lockInterruptibly();
        try {
            while (!closed && !isReady()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                long slice = trouble == null ? left : Math.min(left, PATIENCE.toNanos());
                changed.awaitNanos(slice);
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private boolean isReady() {
        return !tables.isEmpty()
                || (trouble != null && System.nanoTime() - trouble.since() > PATIENCE.toNanos());
    }

    /**
     * The log that is read at one moment.
     *
     * @param received the place up to which it came
     * @param restarts how often it had been another one before
     */
    public record KnownLog(BinlogPosition received, long restarts) {}

    /**
     * Waits until it is known which log it is.
     *
     * @throws QueryException as {@link #awaitReceived}
     */
    public KnownLog awaitKnown() {
        lock.lock();
        try {
            awaitReceived(received, restarts);
            return new KnownLog(received, restarts);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until everything came that is before a place, or all rows have changed.
     *
     * @param end a place that the log has
     * @param before how often it had been another one before the place was asked for
     * @throws QueryException if for ten seconds nothing came, or the thread is interrupted
     */
    public void awaitReceived(BinlogPosition end, long before) {
        lock.lock();
        try {
            long seen = events;
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (isSuspended() || (!received.reaches(end) && before == restarts)) {
                if (closed) {
                    throw new QueryException(
                            QueryException.Kind.CANCELLED, "the feed of changes was closed");
                }
                if (events != seen) {
                    seen = events;
                    deadline = System.nanoTime() + PATIENCE.toNanos();
                }
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw late(end);
                }
                changed.await(Math.min(left, 1_000_000_000L), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QueryException(
                    QueryException.Kind.CANCELLED, "waiting for the binary log was interrupted", e);
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a moment until everything came that is before a place. */
    private void awaitBriefly(BinlogPosition end) {
        try {
            long left = A_MOMENT.toNanos();
            while (!closed && !received.reaches(end) && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Returns the place up to which transactions are surely visible.
     *
     * <p>The server says the truth when it names the end of a transaction that it has committed. When it begins a new
     * file, it names a place there though the last transactions of the file before may not be visible yet; and when a
     * transaction was being committed meanwhile, the name of the new file with the last offset in the old one, until
     * the next transaction. Then a checkpoint tells when the files before are done.
     */
    private BinlogPosition surely(BinlogPosition visible) {
        BinlogPosition lastInFilesBefore = null;
        boolean isEnd = false;
        if (base.at().compareTo(start(visible)) < 0) {
            lastInFilesBefore = base.at();
        }
        for (End end : ends) {
            if (end.at().compareTo(start(visible)) < 0) {
                lastInFilesBefore = end.at();
            }
            isEnd |= end.at().equals(visible);
        }
        boolean mayBeStale =
                lastInFilesBefore != null && lastInFilesBefore.offset() == visible.offset();
        if (isEnd && (!mayBeStale || isOld(visible))) {
            return visible;
        }
        return checkpoint != null && checkpoint.reaches(start(visible)) ? start(visible) : settled;
    }

    /** Returns whether the server has named the same place for so long that nothing can be on its way any more. */
    private boolean isOld(BinlogPosition visible) {
        long now = System.nanoTime();
        if (!visible.equals(suspected)) {
            suspected = visible;
            suspectedSince = now;
        }
        return now - suspectedSince > OLD.toNanos();
    }

    private static BinlogPosition start(BinlogPosition place) {
        return new BinlogPosition(place.file(), BinlogPosition.FIRST_OFFSET);
    }

    private QueryException late(BinlogPosition end) {
        String reason = trouble == null ? "nothing came" : trouble.message();
        return new QueryException(
                QueryException.Kind.UNAVAILABLE,
                isSuspended()
                        ? unknown()
                        : "MariaDB's binary log was read up to %s, and goes up to %s: %s for %d seconds"
                                .formatted(received, end, reason, PATIENCE.toSeconds()));
    }

    /**
     * Takes what transactions have changed that all others see.
     *
     * @param visible the place in the log up to which transactions are visible
     * @param known distributed transactions that were known before, and are visible
     */
    public Changes take(BinlogPosition visible, Set<Xid> known) {
        lock.lock();
        try {
            requireKnown();
            awaitBriefly(visible);
            distributed.keySet().removeAll(known);
            BinlogPosition end = surely(visible);
            for (BinlogPosition unsettled : distributed.values()) {
                BinlogPosition before = unsettled.before();
                end = end.reaches(before) ? before : end;
            }
            Map<String, ChangedRows> taken = new HashMap<>();
            for (Map.Entry<String, PendingTable> table : tables.entrySet()) {
                table.getValue()
                        .take(visible, end)
                        .ifPresent(rows -> taken.put(table.getKey(), rows));
            }
            tables.values().removeIf(PendingTable::isEmpty);
            while (!ends.isEmpty() && end.reaches(ends.getFirst().at())) {
                passFirstEnd();
            }
            if (end.reaches(base.at())) {
                lastTaken = base.toString();
                settled = end.reaches(settled) ? end : settled;
            }
            return new Changes(lastTaken, taken);
        } finally {
            lock.unlock();
        }
    }

    /** Returns what is pending, without taking it. */
    public Map<String, ChangedRows> peek() {
        lock.lock();
        try {
            Map<String, ChangedRows> rows = new HashMap<>();
            tables.forEach((name, table) -> table.rows().ifPresent(each -> rows.put(name, each)));
            return rows;
        } finally {
            lock.unlock();
        }
    }
}
