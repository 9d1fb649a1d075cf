package dev.penstock.follow.binlog;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Statements about the log, on an ordinary connection. */
public final class BinlogQueries {
    private BinlogQueries() {}

    /**
     * Returns up to which place in the log transactions are visible to all that begin from now on. The server takes the
     * snapshot of a transaction and this place under one lock.
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

    /** Returns the place up to which transactions are visible now, with what identifies the log. */
    public static SavedPosition here(Connection connection) throws SQLException {
        BinlogPosition at = visible(connection);
        GtidPosition gtids =
                gtids(connection, at)
                        .orElseThrow(() ->
                                new SQLException("the server's binary log has no place " + at));
        return new SavedPosition(at, gtids);
    }

    /** Returns whether the log is still the one of which a place was saved, and is there from that place on. */
    public static boolean has(Connection connection, SavedPosition saved) throws SQLException {
        return saved.at().offset() <= 0xFFFFFFFFL
                && gtids(connection, saved.at()).filter(saved.gtids()::equals).isPresent();
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
