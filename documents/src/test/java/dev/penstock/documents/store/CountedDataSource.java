package dev.penstock.documents.store;

import dev.penstock.databases.UnpooledDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A DataSource that counts the connections that are open. */
final class CountedDataSource extends UnpooledDataSource {
    private final DataSource counted;
    private final AtomicInteger open = new AtomicInteger();

    CountedDataSource(DataSource counted) {
        this.counted = counted;
    }

    int open() {
        return open.get();
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = counted.getConnection();
        open.incrementAndGet();
        var closed = new AtomicBoolean();
        return (Connection)
                Proxy.newProxyInstance(
                        Connection.class.getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (_, method, arguments) -> {
                            if (method.getName().equals("close") && !closed.getAndSet(true)) {
                                open.decrementAndGet();
                            }
                            try {
                                return method.invoke(connection, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }
}
