package dev.penstock.presidents;

import dev.penstock.databases.UnpooledDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A database that keeps whoever wants a connection waiting while its gate is shut; it counts those that are out. */
final class GatedDataSource extends UnpooledDataSource {
    private final DataSource source;
    private final AtomicInteger open = new AtomicInteger();
    private final CountDownLatch arrived = new CountDownLatch(1);
    private volatile CountDownLatch gate = new CountDownLatch(0);

    GatedDataSource(DataSource source) {
        this.source = source;
    }

    void shut() {
        gate = new CountDownLatch(1);
    }

    void release() {
        gate.countDown();
    }

    /** How many connections have not been closed. */
    int open() {
        return open.get();
    }

    /** Waits until somebody stands at the gate. */
    boolean waited() throws InterruptedException {
        return arrived.await(60, TimeUnit.SECONDS) && gate.getCount() > 0;
    }

    @Override
    public Connection getConnection() throws SQLException {
        try {
            if (gate.getCount() > 0) {
                arrived.countDown();
            }
            if (!gate.await(120, TimeUnit.SECONDS)) {
                throw new SQLException("the gate stayed shut");
            }
        } catch (InterruptedException e) {
            throw new SQLException("interrupted at the gate", e);
        }
        Connection connection = source.getConnection();
        open.incrementAndGet();
        AtomicBoolean closed = new AtomicBoolean();
        return (Connection)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (_, method, arguments) -> {
                            if (method.getName().equals("close")
                                    && closed.compareAndSet(false, true)) {
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
