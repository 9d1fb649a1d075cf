package dev.penstock.follow;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.snapshot.ChangeFeed;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.replication.LogSequenceNumber;

/**
 * A feed of the changes of a PostgreSQL database, by logical decoding: its output plugin {@code pgoutput}, which every
 * server from PostgreSQL 13 on has. Thread-safe.
 *
 * <p>The server needs {@code wal_level = logical}, the user the attribute {@code REPLICATION}. The feed has a
 * publication, which it makes and adds tables to where the user may, and a replication slot. <b>A slot keeps the
 * server's log</b> until what it tells is confirmed, also while nobody reads it: {@code max_slot_wal_keep_size} bounds
 * that, and {@link Builder#dropOnClose} ends it. Where the slot or its log is gone, a new one is made and all tables
 * are loaded again.
 *
 * <p>Tables are followed by their primary keys. Those without one need {@code REPLICA IDENTITY FULL} and are loaded as
 * a whole whenever they change, as are those whose keys have a type of binary floating point, bytes, or one that only
 * the database knows. Views, partitioned, inherited, foreign and unlogged tables are refused.
 *
 * <p>It takes two connections of its own, and one of {@code max_wal_senders}.
 */
public final class PostgresFeed implements ChangeFeed {
    private static final System.Logger LOG = System.getLogger("dev.penstock.follow");

    private static final String UNDEFINED = "42704";

    /** The time within which the log has to come up to a place. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The time for which transactions that ran when the slot was made are waited for. */
    private static final Duration RUNNING = Duration.ofSeconds(5);

    private final String url;
    private final Properties properties;
    private final String slot;
    private final String publication;
    private final boolean isDroppedOnClose;
    private final PostgresStatements statements;

    private List<Table> tables = List.of();

    /** The tables by their numbers in the database; others where the feed starts anew. */
    private volatile Map<Long, Table> numbered = Map.of();

    /** The state of the database at the last take. */
    private volatile @Nullable PostgresLook last;

    /** Whether the slot was made by this feed, and nothing that it told lasts yet: it is of no use to another. */
    private volatile boolean isNew;

    private @Nullable CollectedLog log;
    private @Nullable LogReader reader;
    private boolean closed;

    private PostgresFeed(Builder builder) {
        url = builder.url;
        properties = builder.properties;
        slot = builder.slot;
        publication = builder.publication;
        isDroppedOnClose = builder.isDroppedOnClose;
        statements = new PostgresStatements(url, properties);
    }

    /**
     * Returns a feed with the settings' defaults: slot and publication are called {@code penstock}, and the slot is
     * kept when the feed is closed.
     *
     * @param url a JDBC URL of PostgreSQL's driver
     * @param properties those of the driver, such as {@code user} and {@code password}
     */
    public static PostgresFeed of(String url, Properties properties) {
        return builder(url, properties).build();
    }

    /** Returns settings of a feed. */
    public static Builder builder(String url, Properties properties) {
        return new Builder(url, properties);
    }

    /** A builder of a feed from its settings; see {@link PostgresFeed#of} for the defaults. Not thread-safe. */
    public static final class Builder {
        private static final String NAME = "[a-z_][a-z0-9_]{0,62}";

        private final String url;
        private final Properties properties = new Properties();
        private String slot = "penstock";
        private String publication = "penstock";
        private boolean isDroppedOnClose;

        private Builder(String url, Properties properties) {
            this.url = requireNonNull(url);
            this.properties.putAll(properties);
        }

        /**
         * Sets the name of the replication slot: one for each snapshot that follows.
         *
         * @param name at most 63 lower-case letters, digits and underscores, not beginning with a digit
         */
        public Builder slot(String name) {
            slot = checked("slot", name);
            return this;
        }

        /** Sets the name of the publication, which several feeds may share; see {@link #slot}. */
        public Builder publication(String name) {
            publication = checked("publication", name);
            return this;
        }

        private static String checked(String what, String name) {
            if (!name.matches(NAME)) {
                throw new IllegalArgumentException(
                        ("\"%s\" is no name of a %s: take at most 63 lower-case letters, digits and underscores, and"
                                        + " no digit first")
                                .formatted(name, what));
            }
            return name;
        }

        /**
         * Sets whether closing drops the slot, so that the server keeps no log for it. The next start then loads all
         * tables.
         */
        public Builder dropOnClose(boolean drops) {
            isDroppedOnClose = drops;
            return this;
        }

        /** Returns the feed, which connects when it is started. */
        public PostgresFeed build() {
            return new PostgresFeed(this);
        }
    }

    @Override
    public synchronized boolean start(List<Table> followed, @Nullable String position) {
        if (closed || reader != null) {
            throw new IllegalStateException(
                    closed ? "the feed is closed" : "the feed was started before");
        }
        if (followed.isEmpty()) {
            throw new IllegalArgumentException("no table is to be followed: name one at least");
        }
        requireOneServer();
        tables = List.copyOf(followed);
        LogPosition from = position == null ? null : LogPosition.parse(position);
        Beginning beginning =
                statements.run("following the changes", connection -> begin(connection, from));
        CollectedLog collected =
                new CollectedLog(
                        tables.stream().map(Table::name).toList(),
                        beginning.place,
                        beginning.visible,
                        beginning.running);
        LogReader started =
                new LogReader(url, properties, slot, publication, tables, collected, this::resume);
        try {
            started.start();
        } catch (SQLException e) {
            String user =
                    statements.run(
                            "asking for the user",
                            connection -> connection.getMetaData().getUserName());
            QueryException refusal = PostgresSlot.refusal(e, user);
            throw refusal != null
                    ? refusal
                    : new QueryException(
                            QueryException.Kind.DATABASE,
                            "following the changes failed: " + e.getMessage(),
                            e);
        }
        log = collected;
        reader = started;
        return beginning.goesOn;
    }

    /**
     * The beginning of reading.
     *
     * @param running the transactions that may have committed before the place, and were not to be seen
     */
    private record Beginning(
            boolean goesOn, long place, VisibleTransactions visible, Set<Long> running) {}

    private Beginning begin(Connection connection, @Nullable LogPosition from) throws SQLException {
        PostgresCatalog.Published published =
                new PostgresCatalog(connection, publication).publish(tables);
        Map<Long, Table> byNumber = new HashMap<>();
        for (int i = 0; i < tables.size(); i++) {
            byNumber.put(published.oids().get(i), tables.get(i));
        }
        numbered = byNumber;
        PostgresSlot own = new PostgresSlot(connection, slot);
        PostgresLook look = look(connection);
        last = look;
        if (from != null
                && published.wasComplete()
                && from.fingerprint().equals(look.fingerprint())
                && own.has(from.place())) {
            return new Beginning(true, from.place(), look.visible(), Set.of());
        }
        long place = own.create();
        isNew = true;
        VisibleTransactions visible = look(connection).visible();
        return new Beginning(false, place, visible, running(connection, visible));
    }

    /** A standby server may not have yet what the log of the primary one tells. */
    private void requireOneServer() {
        boolean hasSeveral = url.replaceFirst("\\?.*", "").contains(",");
        if (hasSeveral && !url.matches("(?i).*[?&]targetServerType=(primary|master)(&.*)?")) {
            throw new QueryException(
                    QueryException.Kind.DATABASE,
                    "the URL has several servers, and changes are followed on the primary one alone: add"
                            + " targetServerType=primary");
        }
    }

    /** Returns the transactions that still run, after a while. */
    private Set<Long> running(Connection connection, VisibleTransactions then) throws SQLException {
        long deadline = System.nanoTime() + RUNNING.toNanos();
        Set<Long> left = new HashSet<>(then.running());
        while (!left.isEmpty() && System.nanoTime() < deadline) {
            PostgresSlot.pause();
            left.retainAll(look(connection).visible().running());
        }
        return left;
    }

    /** Returns where to go on reading; where that can't be, all tables have changed. */
    private long resume(long received, boolean anew) throws SQLException {
        CollectedLog collected = log();
        return statements.run(
                "following the changes",
                connection -> {
                    PostgresLook before = last;
                    LogPosition from =
                            anew || before == null
                                    ? null
                                    : new LogPosition(received, before.fingerprint());
                    Beginning beginning = begin(connection, from);
                    if (!beginning.goesOn) {
                        LOG.log(
                                System.Logger.Level.WARNING,
                                "The database's log can't be gone on with from where it was read: all tables are"
                                        + " loaded again.");
                        collected.restart(beginning.place, beginning.visible, beginning.running);
                    }
                    return beginning.place;
                });
    }

    private PostgresLook look(Connection connection) throws SQLException {
        return PostgresLook.at(connection, publication, numbered);
    }

    private synchronized CollectedLog log() {
        CollectedLog collected = log;
        if (collected == null || closed) {
            throw new IllegalStateException(
                    closed ? "the feed is closed" : "the feed was not started");
        }
        return collected;
    }

    private LogReader reader() {
        return requireNonNull(reader);
    }

    @Override
    public boolean await(Duration most) throws InterruptedException {
        boolean has = log().awaitChanges(most);
        requireRead();
        return has;
    }

    /** A log that can't be read for long would look like one in which nothing happens. */
    private void requireRead() {
        String failure = reader().failure(PATIENCE);
        if (failure != null) {
            throw late(failure);
        }
    }

    private static QueryException late(@Nullable String failure) {
        return new QueryException(
                QueryException.Kind.UNAVAILABLE,
                "the database's log did not come within %d seconds%s"
                        .formatted(PATIENCE.toSeconds(), failure == null ? "" : ": " + failure));
    }

    @Override
    public Changes take() {
        CollectedLog collected = log();
        requireRead();
        PostgresLook before = requireNonNull(last);
        PostgresLook now = asked("asking which changes are visible", this::look);
        List<String> rewritten = rewritten(before, now);
        if (!rewritten.isEmpty()) {
            collected.addWhole(rewritten);
        }
        last = now;
        CollectedLog.Taken taken = collected.take(now.visible());
        // What is not known for sure is no position to go on from.
        String fingerprint = now.fingerprint() + (collected.isSure() ? "" : " unsure");
        return new Changes(new LogPosition(taken.place(), fingerprint).toString(), taken.tables());
    }

    private <T> T asked(String what, PostgresStatements.Work<T> work) {
        try {
            return statements.run(what, work);
        } catch (QueryException e) {
            if (e.getCause() instanceof SQLException cause
                    && UNDEFINED.equals(cause.getSQLState())) {
                // The publication is gone.
                reader().restart();
            }
            throw e;
        }
    }

    /** Returns the tables that are not what they were. */
    private List<String> rewritten(PostgresLook before, PostgresLook now) {
        Map<Long, Table> known = numbered;
        if (!now.tables().keySet().equals(known.keySet())
                || !now.server().equals(before.server())) {
            reader().restart();
            throw new QueryException(
                    QueryException.Kind.DATABASE,
                    ("a table that is followed was made anew, publication %s was changed, or another server took"
                                    + " over: following begins again")
                            .formatted(publication));
        }
        return now.changedSince(before).stream()
                .map(number -> requireNonNull(known.get(number)).name())
                .toList();
    }

    @Override
    public boolean isCurrent() {
        PostgresLook before = requireNonNull(last);
        PostgresLook now = asked("asking whether tables were written anew", this::look);
        return now.fingerprint().equals(before.fingerprint());
    }

    @Override
    public Map<String, ChangedRows> peek() {
        CollectedLog collected = log();
        PostgresLook before = requireNonNull(last);
        List<String> rewritten = new ArrayList<>();
        long place =
                asked(
                        "asking how long the log is",
                        connection -> {
                            rewritten.addAll(rewritten(before, look(connection)));
                            return written(connection);
                        });
        try {
            Map<String, ChangedRows> changes = collected.peek(place, PATIENCE);
            if (changes == null) {
                throw late(reader().failure(Duration.ZERO));
            }
            Map<String, ChangedRows> all = new HashMap<>(changes);
            rewritten.forEach(table -> all.put(table, new ChangedRows.All()));
            return all;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QueryException(
                    QueryException.Kind.CANCELLED, "the wait for the log was interrupted", e);
        }
    }

    /** Returns a place behind the commits of all transactions that are to be seen; all up to it is on the disk. */
    private static long written(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            long inserted;
            long flushed;
            try (ResultSet row =
                    statement.executeQuery(
                            "SELECT pg_current_wal_insert_lsn()::text, pg_current_wal_flush_lsn()::text")) {
                row.next();
                inserted = LogSequenceNumber.valueOf(row.getString(1)).asLong();
                flushed = LogSequenceNumber.valueOf(row.getString(2)).asLong();
            }
            if (inserted > flushed) {
                // Commits are seen before they are on the disk where synchronous_commit is off, and
                // only what is on the disk is sent. A commit that waits for the disk takes them
                // along.
                statement.execute("SELECT pg_logical_emit_message(true, 'penstock', '')");
            }
            return inserted;
        }
    }

    @Override
    public synchronized void confirm(String position) {
        LogReader started = reader;
        PostgresLook look = last;
        LogPosition lasting = LogPosition.parse(position);
        // One of the server before this one is no place here.
        if (started != null && look != null && lasting.fingerprint().startsWith(look.server())) {
            started.confirm(lasting.place());
            isNew = false;
        }
    }

    @Override
    public void close() {
        LogReader started;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            started = reader;
            if (log != null) {
                log.close();
            }
        }
        if (started != null) {
            started.close();
        }
        if (isNew || (started != null && isDroppedOnClose)) {
            drop();
        }
        statements.close();
    }

    private void drop() {
        try {
            boolean _ =
                    statements.run(
                            "dropping the replication slot",
                            connection -> {
                                new PostgresSlot(connection, slot).drop();
                                return true;
                            });
        } catch (QueryException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Replication slot {0} could not be dropped, and the server keeps its log: {1}",
                    slot,
                    e.getMessage());
        }
    }
}
