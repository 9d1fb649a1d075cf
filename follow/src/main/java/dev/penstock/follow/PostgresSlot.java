package dev.penstock.follow;

import dev.penstock.query.QueryException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.postgresql.replication.LogSequenceNumber;

/**
 * A replication slot of PostgreSQL: a mark in the log, which the server keeps from there on. Used over one connection.
 */
final class PostgresSlot {
    private static final String NOT_ALLOWED = "42501";
    private static final String TOO_MANY = "53400";

    /** The time for which a slot that another process has is waited for: after a kill, the server may not know yet. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** The time for which transactions that run are waited for when a slot is made. */
    private static final int MOST_SECONDS = 60;

    private static final long PAUSE_MILLIS = 50;

    private static final String FIND =
            """
            SELECT plugin, database, database = current_database(), active_pid, confirmed_flush_lsn::text,
                   coalesce(wal_status, 'lost'), pg_current_wal_flush_lsn()::text
            FROM pg_replication_slots WHERE slot_name = ?
            """;

    private final Connection connection;
    private final String name;

    PostgresSlot(Connection connection, String name) {
        this.connection = connection;
        this.name = name;
    }

    /**
     * The state of the slot.
     *
     * @param user the process that uses it; 0 for none
     * @param confirmed the place from which on it can be read
     * @param isLost whether the server no longer has the log from there on
     * @param end how far the log goes
     */
    private record State(long user, long confirmed, boolean isLost, long end) {}

    private @Nullable State find() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(FIND)) {
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return null;
                }
                String plugin = row.getString(1);
                if (!"pgoutput".equals(plugin) || !row.getBoolean(3)) {
                    throw new QueryException(
                            QueryException.Kind.DATABASE,
                            "replication slot %s is of plugin %s and database %s: choose another name for this one"
                                    .formatted(name, plugin, row.getString(2)));
                }
                String confirmed = row.getString(5);
                return new State(
                        row.getLong(4),
                        confirmed == null ? 0 : LogSequenceNumber.valueOf(confirmed).asLong(),
                        row.getString(6).equals("lost"),
                        LogSequenceNumber.valueOf(row.getString(7)).asLong());
            }
        }
    }

    /** Returns the slot when nobody uses it; null where there is none. */
    private @Nullable State free() throws SQLException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        State state = find();
        while (state != null && state.user != 0) {
            if (System.nanoTime() > deadline) {
                throw new QueryException(
                        QueryException.Kind.DATABASE,
                        ("replication slot %s is in use by process %d of the server: give each follower a slot"
                                        + " of its own; where that process is of one that is gone, the server ends"
                                        + " it after wal_sender_timeout")
                                .formatted(name, state.user));
            }
            pause();
            state = find();
        }
        return state;
    }

    static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QueryException(
                    QueryException.Kind.CANCELLED, "the wait for the database was interrupted", e);
        }
    }

    /**
     * Returns whether the log can be read from a place on.
     *
     * @throws QueryException if another process uses it
     */
    boolean has(long place) throws SQLException {
        State state = free();
        // A place behind the end is one of another server, or of this one before it was restored.
        return state != null && !state.isLost && state.confirmed <= place && place <= state.end;
    }

    /**
     * Makes the slot, in the place of the one there is: it can be read from now on.
     *
     * @return the place from which on it can be read
     */
    long create() throws SQLException {
        if (free() != null) {
            drop();
        }
        try (PreparedStatement statement =
                connection.prepareStatement(
                        "SELECT lsn::text FROM pg_create_logical_replication_slot(?, 'pgoutput')")) {
            statement.setString(1, name);
            statement.setQueryTimeout(MOST_SECONDS);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return LogSequenceNumber.valueOf(row.getString(1)).asLong();
            }
        } catch (SQLException e) {
            throw refused(e);
        }
    }

    /** Drops the slot, once nobody uses it; the server may then drop its log. */
    void drop() throws SQLException {
        if (free() == null) {
            return;
        }
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT pg_drop_replication_slot(?)")) {
            statement.setString(1, name);
            statement.execute();
        } catch (SQLException e) {
            throw refused(e);
        }
    }

    private SQLException refused(SQLException e) throws SQLException {
        String user = connection.getMetaData().getUserName();
        QueryException refusal = refusal(e, user);
        if (refusal != null) {
            throw refusal;
        }
        return e;
    }

    /** Returns what to do about a failure of replication; null where that is not known. */
    static @Nullable QueryException refusal(SQLException e, String user) {
        String state = e.getSQLState();
        if (NOT_ALLOWED.equals(state)) {
            return new QueryException(
                    QueryException.Kind.DATABASE,
                    "user %s may not follow changes: run ALTER ROLE %s REPLICATION as a superuser"
                            .formatted(user, PostgresCatalog.name(user)),
                    e);
        }
        if ("57014".equals(state)) {
            return new QueryException(
                    QueryException.Kind.DATABASE,
                    "transactions that were begun before it keep a replication slot from being made: end those that are"
                            + " open for long (SELECT pid, xact_start, query FROM pg_stat_activity WHERE backend_xid"
                            + " IS NOT NULL ORDER BY xact_start)",
                    e);
        }
        if (TOO_MANY.equals(state)) {
            return new QueryException(
                    QueryException.Kind.DATABASE,
                    "all replication slots of the server are in use: drop one (SELECT slot_name, active FROM"
                            + " pg_replication_slots), or run ALTER SYSTEM SET max_replication_slots = 20 and restart"
                            + " it",
                    e);
        }
        if ("53300".equals(state)) {
            return new QueryException(
                    QueryException.Kind.DATABASE,
                    "the server takes no more connections: raise max_connections, or for replication run ALTER SYSTEM"
                            + " SET max_wal_senders = 20, and restart it",
                    e);
        }
        return null;
    }
}
