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
import java.util.stream.Collectors;
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

    /** The names of the tables, by their numbers in the database. Both change where the feed starts anew. */
    private volatile Map<Long, String> names = Map.of();

    private volatile String files = "";
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
        tables = List.copyOf(followed);
        LogPosition from = position == null ? null : LogPosition.parse(position);
        Beginning beginning =
                statements.run("following the changes", connection -> begin(connection, from));
        CollectedLog collected =
                new CollectedLog(
                        names.values(), beginning.place, beginning.visible, beginning.running);
        LogReader started =
                new LogReader(url, properties, slot, publication, tables, collected, this::resume);
        try {
            started.start();
        } catch (SQLException e) {
            if (!beginning.goesOn) {
                drop();
            }
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
        Map<Long, String> numbered = new HashMap<>();
        for (int i = 0; i < tables.size(); i++) {
            numbered.put(published.oids().get(i), tables.get(i).name());
        }
        names = numbered;
        PostgresSlot own = new PostgresSlot(connection, slot);
        Look look = look(connection);
        files = look.files;
        if (from != null
                && published.wasComplete()
                && from.files().equals(look.files)
                && own.has(from.place())) {
            return new Beginning(true, from.place(), look.visible, Set.of());
        }
        long place = own.create();
        VisibleTransactions visible = look(connection).visible;
        return new Beginning(false, place, visible, running(connection, visible));
    }

    /** Returns the transactions that still run, after a while. */
    private Set<Long> running(Connection connection, VisibleTransactions then) throws SQLException {
        long deadline = System.nanoTime() + RUNNING.toNanos();
        Set<Long> left = new HashSet<>(then.running());
        while (!left.isEmpty() && System.nanoTime() < deadline) {
            PostgresSlot.pause();
            left.retainAll(look(connection).visible.running());
        }
        return left;
    }

    /** Returns where to go on reading; where that can't be, all tables have changed. */
    private long resume(long received, boolean anew) throws SQLException {
        CollectedLog collected = log();
        return statements.run(
                "following the changes",
                connection -> {
                    LogPosition from = anew ? null : new LogPosition(received, files);
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

    /**
     * A look at the database.
     *
     * @param files the numbers of the tables that are there and published, each with that of its file
     */
    private record Look(VisibleTransactions visible, String files) {}

    private Look look(Connection connection) throws SQLException {
        String numbers =
                names.keySet().stream().map(String::valueOf).collect(Collectors.joining(", "));
        String sql =
                """
                SELECT pg_current_snapshot()::text,
                       (SELECT string_agg(c.oid::text || ':' || coalesce(pg_relation_filenode(c.oid), 0), ' '
                                          ORDER BY c.oid)
                        FROM pg_class c
                        WHERE c.oid IN (%s)
                          AND c.oid IN (SELECT p.relid FROM pg_get_publication_tables('%s') p))
                """
                        .formatted(numbers, publication);
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            String found = row.getString(2);
            return new Look(
                    VisibleTransactions.parse(row.getString(1)), found == null ? "" : found);
        }
    }

    private synchronized CollectedLog log() {
        CollectedLog collected = log;
        if (collected == null || closed) {
            throw new IllegalStateException(
                    closed ? "the feed is closed" : "the feed was not started");
        }
        return collected;
    }

    @Override
    public boolean await(Duration most) throws InterruptedException {
        return log().awaitChanges(most);
    }

    @Override
    public Changes take() {
        CollectedLog collected = log();
        Look look = statements.run("asking which changes are visible", this::look);
        List<String> rewritten = rewritten(look.files);
        if (!rewritten.isEmpty()) {
            collected.addWhole(rewritten);
        }
        files = look.files;
        CollectedLog.Taken taken = collected.take(look.visible);
        return new Changes(new LogPosition(taken.place(), files).toString(), taken.tables());
    }

    /** Returns the tables that are in other files than before. */
    private List<String> rewritten(String now) {
        Map<Long, String> before = byTable(files);
        Map<Long, String> after = byTable(now);
        if (!after.keySet().equals(names.keySet())) {
            requireNonNull(reader).restart();
            throw new QueryException(
                    QueryException.Kind.DATABASE,
                    "a table that is followed was made anew, or publication %s has it no more: following begins again"
                            .formatted(publication));
        }
        List<String> others = new ArrayList<>();
        after.forEach((table, file) -> {
            if (!file.equals(before.get(table))) {
                others.add(requireNonNull(names.get(table)));
            }
        });
        return others;
    }

    private static Map<Long, String> byTable(String files) {
        Map<Long, String> all = new HashMap<>();
        for (String each : files.split(" ", -1)) {
            int colon = each.indexOf(':');
            if (colon > 0) {
                all.put(Long.valueOf(each.substring(0, colon)), each.substring(colon + 1));
            }
        }
        return all;
    }

    @Override
    public Map<String, ChangedRows> peek() {
        CollectedLog collected = log();
        List<String> rewritten = new ArrayList<>();
        long place =
                statements.run(
                        "asking how long the log is",
                        connection -> {
                            rewritten.addAll(rewritten(look(connection).files));
                            return written(connection);
                        });
        try {
            Map<String, ChangedRows> changes = new HashMap<>(collected.peek(place, PATIENCE));
            rewritten.forEach(table -> changes.put(table, new ChangedRows.All()));
            return changes;
        } catch (InterruptedException e) {
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
        if (started != null) {
            started.confirm(LogPosition.parse(position).place());
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
            if (isDroppedOnClose) {
                drop();
            }
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
