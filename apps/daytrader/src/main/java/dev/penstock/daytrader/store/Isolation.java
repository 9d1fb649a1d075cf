package dev.penstock.daytrader.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The isolation of transactions, READ COMMITTED. Drivers may ask the database which one a connection has, so that each
 * physical connection is asked once where it has that one from the beginning. Where it has not, it is set each time, as
 * a pool sets it back when the connection is returned. Of a pool that does not unwrap to the driver's connection, each
 * is asked. Thread-safe.
 */
final class Isolation {
    private final Set<Connection> known =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    void ensure(Connection connection) throws SQLException {
        Connection physical = connection.unwrap(Connection.class);
        if (known.contains(physical)) {
            return;
        }
        if (connection.getTransactionIsolation() == Connection.TRANSACTION_READ_COMMITTED) {
            known.add(physical);
        } else {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
    }
}
