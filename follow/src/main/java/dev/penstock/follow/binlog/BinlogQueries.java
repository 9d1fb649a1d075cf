package dev.penstock.follow.binlog;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** Statements about the log, on an ordinary connection. */
public final class BinlogQueries {
    private static final Duration CHECKPOINT_LIMIT = Duration.ofSeconds(60);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);
    private static final int MOST_CHECKPOINTS = 1_000;

    private BinlogQueries() {}

    /**
     * Returns the place in the log up to which transactions are visible to all that begin from now on, as the server
     * says it. It takes the snapshot of a transaction and this place under one lock; but see {@link
     * CollectedChanges} about files that were just begun.
     */
    public static BinlogPosition visible(Connection connection) throws SQLException {
        String file = "";
        long offset = 0;
        try (Statement statement = connection.createStatement()) {
            statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
            try (ResultSet row = statement.executeQuery("SHOW STATUS LIKE 'binlog_snapshot_%'")) {
                while (row.next()) {
                    switch (row.getString(1).toLowerCase(Locale.ROOT)) {
                        case "binlog_snapshot_file" -> file = row.getString(2);
                        case "binlog_snapshot_position" -> offset = row.getLong(2);
                        default -> {}
                    }
                }
            } finally {
                statement.execute("ROLLBACK");
            }
        }
        if (file.isEmpty()) {
            throw new SQLException(
                    "the server does not say which transactions of its binary log are visible (binlog_snapshot_file)");
        }
        return new BinlogPosition(file, offset);
    }

    /** Returns the place where the log ends. */
    public static BinlogPosition end(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW MASTER STATUS")) {
            if (!row.next()) {
                throw new SQLException("the server writes no binary log any more");
            }
            return new BinlogPosition(row.getString(1), row.getLong(2));
        }
    }

    /** Returns the last transactions before a place; nothing if the log has no such place (any more). */
    static Optional<GtidPosition> gtids(Connection connection, BinlogPosition at)
            throws SQLException {
        try (var statement = connection.prepareStatement("SELECT BINLOG_GTID_POS(?, ?)")) {
            statement.setString(1, at.file());
            statement.setLong(2, at.offset());
            try (ResultSet row = statement.executeQuery()) {
                String text = row.next() ? row.getString(1) : null;
                return Optional.ofNullable(text).map(GtidPosition::of);
            }
        }
    }

    /**
     * Returns a place up to which all transactions are visible to those that begin from now on, with what identifies
     * the log. Of a file that was just begun, it is known only when the server has written that those before are done:
     * see {@link CollectedChanges}.
     */
    public static SavedPosition here(Connection connection) throws SQLException {
        long deadline = System.nanoTime() + CHECKPOINT_LIMIT.toNanos();
        while (true) {
            BinlogPosition at = visible(connection);
            BinlogPosition start = new BinlogPosition(at.file(), BinlogPosition.FIRST_OFFSET);
            Optional<GtidPosition> before = gtids(connection, start);
            Optional<GtidPosition> now = gtids(connection, at);
            if (now.isPresent() && !now.equals(before)) {
                return new SavedPosition(at, now.get());
            }
            if (before.isPresent() && isCheckpoint(connection, at.file())) {
                return new SavedPosition(start, before.get());
            }
            if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
                throw new SQLException(
                        "the server did not say for %d seconds that the transactions before its file %s are done"
                                .formatted(CHECKPOINT_LIMIT.toSeconds(), at.file()));
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
    }

    /**
     * Returns whether a file, in which there was no transaction a moment ago, says that the files before it are done.
     * The server writes one such event for each earlier file, so there are many where many files were begun at once.
     */
    private static boolean isCheckpoint(Connection connection, String file) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery(
                                "SHOW BINLOG EVENTS IN '"
                                        + file.replace("'", "''")
                                        + "' LIMIT "
                                        + MOST_CHECKPOINTS)) {
            while (row.next()) {
                if (row.getString(3).equals("Binlog_checkpoint") && row.getString(6).equals(file)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Returns whether the log is still the one of which a place was saved, and is there from that place on. */
    public static boolean has(Connection connection, SavedPosition saved) throws SQLException {
        return saved.at().offset() <= 0xFFFFFFFFL
                && gtids(connection, saved.at()).filter(saved.gtids()::equals).isPresent();
    }

    /** Returns the number of the server. */
    public static long server(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@global.server_id")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Returns the distributed transactions that are prepared, and neither committed nor rolled back. */
    public static Set<Xid> prepared(Connection connection) throws SQLException {
        Set<Xid> prepared = new HashSet<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("XA RECOVER")) {
            while (row.next()) {
                prepared.add(Xid.of(row.getBytes(4), row.getLong(1)));
            }
        }
        return prepared;
    }
}
