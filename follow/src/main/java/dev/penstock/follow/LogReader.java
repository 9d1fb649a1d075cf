package dev.penstock.follow;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.snapshot.ChangeFeed.ChangedRows;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.replication.LogSequenceNumber;
import org.postgresql.replication.PGReplicationStream;

/**
 * A reader of PostgreSQL's log, on a thread of its own: it collects the keys that committed transactions have changed,
 * and connects again where the connection was lost. {@link #confirm}, {@link #restart} and {@link #close} may be called
 * by any thread.
 */
final class LogReader implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.penstock.follow");

    private static final int STATUS_SECONDS = 10;

    /** The pause between two looks at the connection, and the same while somebody waits for the log. */
    private static final long PAUSE_NANOS = Duration.ofMillis(10).toNanos();

    private static final long SHORT_PAUSE_NANOS = Duration.ofMillis(1).toNanos();

    /** The messages that are read between two looks at what was confirmed. */
    private static final int BATCH = 1_000;

    private static final Duration FIRST_RETRY = Duration.ofMillis(100);
    private static final int MOST_DOUBLINGS = 7;
    private static final Duration END = Duration.ofSeconds(5);

    /** The messages that can't be read at one place of the log, after which it is given up. */
    private static final int MOST_UNREADABLE = 3;

    /** The time after which a connection counts as good though nothing has come. */
    private static final Duration GOOD = Duration.ofSeconds(30);

    /** A way to go on where the connection was lost, or where the log can't be gone on with: then by a new slot. */
    interface Renewal {
        /** Returns the place from which on the log is read, after the one that was read last. */
        long resume(long received, boolean anew) throws SQLException;
    }

    private final String url;
    private final Properties properties;
    private final String slot;
    private final String publication;
    private final CollectedLog log;
    private final Renewal renewal;

    /** By schema and name. */
    private final Map<List<String>, Table> tables = new HashMap<>();

    /** By the numbers that the log has for tables; of those that are followed. */
    private final Map<Integer, PostgresTable> relations = new HashMap<>();

    /** Those of this transaction. */
    private final Set<PostgresTable> changed = new HashSet<>();

    private final Thread thread =
            Thread.ofPlatform().daemon().name("penstock-follow").unstarted(this::run);
    private final AtomicLong confirmed = new AtomicLong();
    private volatile boolean restarts;
    private volatile boolean closed;

    private @Nullable Connection connection;
    private @Nullable PGReplicationStream stream;
    private boolean isInTransaction;
    private int xid;
    private long flushed;
    private int failures;
    private int unreadable;
    private long connectedPlace;
    private long connectedNanos;

    /** Why the log can't be read, since a moment; null while it can. */
    private volatile @Nullable Failure failure;

    /**
     * A failure that lasts.
     *
     * @param nanos when it began, as {@link System#nanoTime} has it
     */
    private record Failure(String reason, long nanos) {}

    LogReader(
            String url,
            Properties properties,
            String slot,
            String publication,
            List<Table> followed,
            CollectedLog log,
            Renewal renewal) {
        this.url = url;
        this.properties = new Properties();
        this.properties.putAll(properties);
        this.properties.setProperty("replication", "database");
        this.properties.setProperty("assumeMinServerVersion", "13");
        this.properties.setProperty("preferQueryMode", "simple");
        this.properties.setProperty("tcpKeepAlive", "true");
        this.slot = slot;
        this.publication = publication;
        this.log = log;
        this.renewal = renewal;
        followed.forEach(table -> tables.put(List.of(schema(table), table.name()), table));
    }

    private static String schema(Table table) {
        return requireNonNull(table.schema(), table.name());
    }

    /** Connects, and begins to read. */
    void start() throws SQLException {
        boolean done = false;
        try {
            connect(log.received(), 0);
            done = true;
        } finally {
            if (!done) {
                disconnect();
            }
        }
        thread.start();
    }

    /**
     * Begins to read from a place on.
     *
     * @param known the place up to which the server need not be told
     */
    private void connect(long place, long known) throws SQLException {
        Connection opened = PostgresStatements.open(url, properties);
        connection = opened;
        relations.clear();
        changed.clear();
        isInTransaction = false;
        flushed = known;
        connectedPlace = place;
        connectedNanos = System.nanoTime();
        stream =
                opened.unwrap(PGConnection.class)
                        .getReplicationAPI()
                        .replicationStream()
                        .logical()
                        .withSlotName(slot)
                        .withStartPosition(LogSequenceNumber.valueOf(place))
                        .withSlotOption("proto_version", "1")
                        .withSlotOption("publication_names", publication)
                        .withStatusInterval(STATUS_SECONDS, TimeUnit.SECONDS)
                        .withAutomaticFlush(false)
                        .start();
    }

    /** Leaves the connection without a word: the stream may have much to send before it ends. */
    private void disconnect() {
        Connection last = connection;
        connection = null;
        stream = null;
        if (last != null) {
            try {
                last.abort(Runnable::run);
            } catch (SQLException e) {
                // It is left in any case.
            }
        }
    }

    private void run() {
        try {
            while (!closed) {
                try {
                    turn();
                } catch (SQLException | RuntimeException e) {
                    lost(e);
                } catch (OutOfMemoryError e) {
                    // Without this thread, the tables would grow old.
                    lost(e);
                }
            }
            PGReplicationStream last = stream;
            if (last != null) {
                tell(last);
            }
        } catch (SQLException e) {
            // What was confirmed last is told again after the next start.
        } finally {
            disconnect();
        }
    }

    private void turn() throws SQLException {
        boolean anew = restarts;
        if (anew) {
            disconnect();
        }
        PGReplicationStream current = stream;
        if (current == null) {
            long received = log.received();
            long place = renewal.resume(received, anew);
            restarts = false;
            if (place != received) {
                confirmed.set(0);
            }
            // A slot that was made anew must not be set back.
            connect(place, place == received ? 0 : place);
            return;
        }
        tell(current);
        boolean isAwaited = log.isAwaited();
        if (isAwaited) {
            // The server answers how far it is, even if there is nothing to read.
            current.forceUpdateStatus();
        }
        int count = read(current);
        if (failures > 0 && isGood()) {
            LOG.log(System.Logger.Level.INFO, "The changes of the database are read again.");
            failures = 0;
            unreadable = 0;
            failure = null;
        }
        if (count < BATCH) {
            LockSupport.parkNanos(this, isAwaited ? SHORT_PAUSE_NANOS : PAUSE_NANOS);
        }
    }

    private boolean isGood() {
        return log.received() > connectedPlace
                || System.nanoTime() - connectedNanos > GOOD.toNanos();
    }

    /** Tells the server what was confirmed. */
    private void tell(PGReplicationStream to) throws SQLException {
        long place = confirmed.get();
        if (place > flushed) {
            LogSequenceNumber number = LogSequenceNumber.valueOf(place);
            to.setFlushedLSN(number);
            to.setAppliedLSN(number);
            to.forceUpdateStatus();
            flushed = place;
        }
    }

    /** Reads what has come; returns how many messages that were. */
    private int read(PGReplicationStream from) throws SQLException {
        int count = 0;
        while (count < BATCH) {
            ByteBuffer message = from.readPending();
            if (message == null) {
                break;
            }
            take(PgOutput.decode(message));
            count++;
        }
        if (!isInTransaction) {
            log.received(from.getLastReceiveLSN().asLong());
        }
        return count;
    }

    private void take(PgOutput.Message message) {
        switch (message) {
            case PgOutput.Begin(int number) -> {
                isInTransaction = true;
                xid = number;
            }
            case PgOutput.Commit(long end) -> {
                isInTransaction = false;
                log.committed(xid, end, changes());
            }
            case PgOutput.Relation relation -> relation(relation);
            case PgOutput.Change change -> {
                PostgresTable table = relations.get(change.relation());
                if (table != null) {
                    table.add(change);
                    changed.add(table);
                }
            }
            case PgOutput.Truncate(List<Integer> emptied) -> {
                for (int relation : emptied) {
                    PostgresTable table = relations.get(relation);
                    if (table != null) {
                        table.addAll();
                        changed.add(table);
                    }
                }
            }
            case PgOutput.Other _ -> {}
        }
    }

    private void relation(PgOutput.Relation relation) {
        Table table = tables.get(List.of(relation.schema(), relation.name()));
        PostgresTable before = relations.get(relation.oid());
        if (before != null && before.isAs(relation)) {
            return;
        }
        if (table == null) {
            relations.remove(relation.oid());
            return;
        }
        PostgresTable next = PostgresTable.of(table, relation);
        relations.put(relation.oid(), next);
        if (before != null) {
            // The table itself was changed, and perhaps every row of it.
            changed.remove(before);
            next.addAll();
            changed.add(next);
        }
    }

    private Map<String, ChangedRows> changes() {
        Map<String, ChangedRows> rows = new LinkedHashMap<>();
        for (PostgresTable table : changed) {
            ChangedRows taken = table.taken();
            if (taken != null) {
                rows.merge(table.table().name(), taken, ChangedRows::and);
            }
        }
        changed.clear();
        return rows;
    }

    private void lost(Throwable e) {
        boolean wasRead = stream != null;
        disconnect();
        if (closed) {
            return;
        }
        int count = failures++;
        String reason =
                e instanceof QueryException || e instanceof SQLException
                        ? String.valueOf(e.getMessage())
                        : e.toString();
        Failure before = failure;
        failure = new Failure(reason, before == null ? System.nanoTime() : before.nanos);
        if (wasRead && isUnreadable(e) && ++unreadable == MOST_UNREADABLE) {
            unreadable = 0;
            restarts = true;
        }
        if (count == 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The changes of the database can't be read from its log for the moment: "
                            + reason);
        }
        long pause = FIRST_RETRY.toNanos() << Math.min(count, MOST_DOUBLINGS);
        long end = System.nanoTime() + pause;
        while (!closed && end - System.nanoTime() > 0) {
            LockSupport.parkNanos(this, end - System.nanoTime());
        }
    }

    /** Returns whether it is the log itself that can't be read, by this or by the server, and not the connection. */
    private static boolean isUnreadable(Throwable e) {
        if (!(e instanceof SQLException failed)) {
            return e instanceof IllegalArgumentException;
        }
        String state = failed.getSQLState();
        return state != null && !state.startsWith("08") && !state.startsWith("57");
    }

    /** Returns why the log can't be read, where that is so for a time; null else. */
    @Nullable String failure(Duration atLeast) {
        Failure now = failure;
        return now == null || System.nanoTime() - now.nanos < atLeast.toNanos() ? null : now.reason;
    }

    /** Says up to which place the log need not be told again. */
    void confirm(long place) {
        confirmed.accumulateAndGet(place, Math::max);
        LockSupport.unpark(thread);
    }

    /** Has the slot made anew. */
    void restart() {
        restarts = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(END);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
