package dev.penstock.daytrader.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The keys of new rows, taken from the table {@code keygenejb} in blocks of 1,000 for the whole process. A block is
 * taken in a transaction of its own on the connection that the caller has, so that no second one is needed; therefore a
 * caller asks before it changes anything. Keys that nobody uses are lost. Thread-safe.
 */
final class KeyBlocks {
    static final int BLOCK = 1_000;

    private final Block accounts = new Block("account");
    private final Block holdings = new Block("holding");
    private final Block orders = new Block("order");

    private static final class Block {
        final String name;
        final ReentrantLock lock = new ReentrantLock();
        int next;
        int end;

        Block(String name) {
            this.name = name;
        }
    }

    int account(Connection connection) throws SQLException {
        return next(accounts, connection);
    }

    int holding(Connection connection) throws SQLException {
        return next(holdings, connection);
    }

    int order(Connection connection) throws SQLException {
        return next(orders, connection);
    }

    /** Forgets what was taken: the tables were made anew. */
    void forget() {
        for (Block block : new Block[] {accounts, holdings, orders}) {
            block.lock.lock();
            try {
                block.next = 0;
                block.end = 0;
            } finally {
                block.lock.unlock();
            }
        }
    }

    private static int next(Block block, Connection connection) throws SQLException {
        block.lock.lock();
        try {
            if (block.next == block.end) {
                int first = take(block.name, connection);
                block.next = first;
                block.end = first + BLOCK;
            }
            return block.next++;
        } finally {
            block.lock.unlock();
        }
    }

    private static int take(String name, Connection connection) throws SQLException {
        try (PreparedStatement update =
                        connection.prepareStatement(
                                "UPDATE keygenejb SET keyval = keyval + 1000 WHERE keyname = ?");
                PreparedStatement query =
                        connection.prepareStatement(
                                "SELECT keyval FROM keygenejb WHERE keyname = ?")) {
            update.setString(1, name);
            if (update.executeUpdate() != 1) {
                throw new SQLException(
                        "The table keygenejb has no row '%s': populate the database"
                                .formatted(name));
            }
            query.setString(1, name);
            int end;
            try (ResultSet row = query.executeQuery()) {
                row.next();
                end = row.getInt(1);
            }
            connection.commit();
            return end - BLOCK;
        }
    }
}
