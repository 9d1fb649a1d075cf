package dev.penstock.follow;

import static java.util.Objects.requireNonNull;

import dev.penstock.follow.binlog.BinlogPosition;
import dev.penstock.follow.binlog.BinlogQueries;
import dev.penstock.follow.binlog.BinlogReader;
import dev.penstock.follow.binlog.CollectedChanges;
import dev.penstock.follow.binlog.SavedPosition;
import dev.penstock.follow.binlog.ServerAddress;
import dev.penstock.follow.binlog.ServerSettings;
import dev.penstock.follow.binlog.Xid;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.snapshot.ChangeFeed;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A feed of the keys of rows that were changed in MariaDB, from its binary log. It reads the log as a replica does, and
 * holds one ordinary connection beside that.
 *
 * <p>The server must write the log ({@code log_bin}) with {@code binlog_format = ROW} and without {@code
 * log_bin_compress}, and the user needs {@code REPLICATION SLAVE} and {@code BINLOG MONITOR} (from MariaDB 10.5 on;
 * before, {@code REPLICATION CLIENT}). {@code binlog_row_image} may be any. The server keeps its log as long as it is
 * configured to ({@code binlog_expire_logs_seconds}), whoever reads it: where it was purged further than a feed had
 * read, all tables are loaded. Only MariaDB is followed, and MySQL refused.
 *
 * <p>Rows are told by their primary key if that is of whole numbers, decimals, dates, times, texts of type {@code
 * CHAR}, {@code VARCHAR} or {@code ENUM}, UUIDs, or booleans. All rows of a table count as changed
 *
 * <ul>
 *   <li>after each change, where its key is of other types, is of the beginning of a text, or there is none
 *   <li>when a value of the key is none of Java's, as {@code 0000-00-00} or a time of 25 hours
 *   <li>when its definition is changed, it is truncated, or a statement that may do so names it
 *   <li>when a foreign key of it changes rows by itself ({@code CASCADE}, {@code SET NULL}), which is not in the log:
 *       with every row that goes in the table that it refers to, and with every one whose columns are changed that it
 *       refers to
 * </ul>
 *
 * <p>Tables must be of an engine with transactions, such as InnoDB. The URL must lead to one server, not by a proxy to
 * several.
 *
 * <p>All rows of all tables count as changed when a session logs statements in place of rows, and when the server ended
 * without an end of its log. What a session changes with {@code
 * sql_log_bin = 0}, and what a storage engine changes elsewhere, is not in the log and not seen.
 *
 * <p>Its memory is bounded by what {@link ChangeFeed} says, texts of a table's keys by 16 million characters, and by
 * the widest row, which is held for the moment in which it is read.
 */
public final class MariaDbFeed implements ChangeFeed {
    /** So long the server may take to answer. */
    private static final Duration NETWORK_LIMIT = Duration.ofSeconds(30);

    private final String url;
    private final Properties properties = new Properties();
    private final ServerAddress address;

    /** Guards the connection and what is asked on it. */
    private final ReentrantLock asking = new ReentrantLock();

    private volatile @Nullable Connection connection;

    private final ReentrantLock state = new ReentrantLock();
    private volatile @Nullable CollectedChanges pending;
    private volatile @Nullable BinlogReader reader;
    private volatile boolean closed;

    private MariaDbFeed(String url, Properties properties) {
        this.url = requireNonNull(url);
        this.properties.putAll(properties);
        address = ServerAddress.of(url, this.properties);
    }

    /**
     * Returns a feed of a server, which it connects to when it is started.
     *
     * @param url a JDBC URL of MariaDB's driver, or of MySQL's, with one host. Encryption is as {@code sslMode} says;
     *     certificates are those that the JVM trusts
     * @param properties those of the driver, such as {@code user} and {@code password}
     * @throws IllegalArgumentException if the URL is of another form, or has settings that can't be kept to
     */
    public static MariaDbFeed of(String url, Properties properties) {
        return new MariaDbFeed(url, properties);
    }

    @Override
    public boolean start(List<Table> tables, @Nullable String position) {
        state.lock();
        try {
            if (closed || pending != null) {
                throw new IllegalStateException(
                        closed ? "the feed is closed" : "the feed was started before");
            }
            for (Table table : tables) {
                if (table.view()) {
                    throw new QueryException(
                            QueryException.Kind.INVALID_PLAN,
                            "%s is a view, whose changes are in no log: follow the tables that it shows"
                                    .formatted(table.name()));
                }
            }
            return asked(
                    "reading where MariaDB's binary log is", open -> begin(open, tables, position));
        } finally {
            if (pending == null) {
                // Privileges that are granted now are those of new connections.
                forgetConnection();
            }
            state.unlock();
        }
    }

    private boolean begin(Connection open, List<Table> tables, @Nullable String position)
            throws SQLException {
        ServerSettings.check(open);
        SavedPosition here = BinlogQueries.here(open);
        Optional<SavedPosition> saved = Optional.ofNullable(position).flatMap(SavedPosition::of);
        boolean known = saved.isPresent() && isThere(open, saved.get(), here);
        SavedPosition from = known ? saved.get() : here;
        CollectedChanges changes = new CollectedChanges(from);
        BinlogReader begun =
                BinlogReader.start(
                        address,
                        this::connect,
                        List.copyOf(tables),
                        changes,
                        from,
                        BinlogQueries.server(open));
        reader = begun;
        pending = changes;
        if (closed) {
            begun.close();
            throw new IllegalStateException("the feed is closed");
        }
        return known || position == null;
    }

    private static boolean isThere(Connection open, SavedPosition saved, SavedPosition here)
            throws SQLException {
        return saved.at().compareTo(here.at()) <= 0 && BinlogQueries.has(open, saved);
    }

    private Connection connect() throws SQLException {
        Connection made = DriverManager.getConnection(url, properties);
        made.setNetworkTimeout(Runnable::run, (int) NETWORK_LIMIT.toMillis());
        return made;
    }

    /** A question to the database. */
    private interface Question<T> {
        T ask(Connection open) throws SQLException;
    }

    /** Asks on the feed's connection, and once more on a new one if that is lost. */
    private <T> T asked(String what, Question<T> question) {
        asking.lock();
        try {
            Connection held = connection;
            if (held != null) {
                try {
                    return question.ask(held);
                } catch (SQLException e) {
                    forget();
                }
            }
            if (closed) {
                throw new QueryException(QueryException.Kind.CANCELLED, "the feed is closed");
            }
            Connection open = connect();
            connection = open;
            return question.ask(open);
        } catch (SQLException e) {
            forget();
            throw new QueryException(
                    QueryException.Kind.UNAVAILABLE, what + " failed: " + e.getMessage(), e);
        } finally {
            asking.unlock();
        }
    }

    private void forgetConnection() {
        asking.lock();
        try {
            forget();
        } finally {
            asking.unlock();
        }
    }

    private void forget() {
        Connection old = connection;
        connection = null;
        if (old != null) {
            try {
                old.close();
            } catch (SQLException e) {
                // It is lost: nothing of it is used again.
            }
        }
    }

    private CollectedChanges started() {
        CollectedChanges started = pending;
        if (started == null) {
            throw new IllegalStateException("the feed was not started");
        }
        return started;
    }

    @Override
    public boolean await(Duration most) throws InterruptedException {
        return started().await(most);
    }

    /**
     * A place up to which transactions are visible.
     *
     * @param settled distributed transactions that were committed in the log before it was asked for, and are visible
     */
    private record Visible(BinlogPosition at, Set<Xid> settled) {}

    private Visible visible(Set<Xid> distributed) {
        return asked(
                "asking MariaDB which transactions are visible",
                open -> {
                    Set<Xid> settled = new HashSet<>(distributed);
                    if (!settled.isEmpty()) {
                        settled.removeAll(BinlogQueries.prepared(open));
                    }
                    return new Visible(BinlogQueries.visible(open), settled);
                });
    }

    /** Checks that the log does not end before a place that it had: then it has been begun anew. */
    private void requireSameLog(BinlogPosition before, BinlogPosition at) {
        BinlogReader reading = reader;
        if (reading != null && before.compareTo(at) > 0) {
            reading.reconnect();
            throw new QueryException(
                    QueryException.Kind.UNAVAILABLE,
                    "MariaDB's binary log was at %s and is at %s: it was begun anew, and is read anew"
                            .formatted(before, at));
        }
    }

    @Override
    public Changes take() {
        CollectedChanges started = started();
        BinlogPosition settled = started.settled();
        Visible visible = visible(started.distributed());
        requireSameLog(settled, visible.at());
        return started.take(visible.at(), visible.settled());
    }

    @Override
    public Map<String, ChangedRows> peek() {
        CollectedChanges started = started();
        CollectedChanges.KnownLog known = started.awaitKnown();
        // The place up to which transactions are visible may be one that the log does not have.
        BinlogPosition end = asked("asking MariaDB where its binary log ends", BinlogQueries::end);
        requireSameLog(known.received(), end);
        started.awaitReceived(end, known.restarts());
        return started.peek();
    }

    /** Does nothing: the server does not keep its log for those who read it. */
    @Override
    public void confirm(String position) {
        requireNonNull(position);
    }

    @Override
    public void close() {
        closed = true;
        CollectedChanges started = pending;
        if (started != null) {
            started.close();
        }
        BinlogReader reading = reader;
        if (reading != null) {
            reading.close();
        }
        Connection held = connection;
        if (held != null) {
            try {
                held.abort(Runnable::run);
            } catch (SQLException e) {
                // It is closed by who uses it.
            }
        }
    }
}
