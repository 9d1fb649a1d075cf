package dev.penstock.daytrader.store;

import dev.penstock.databases.UnpooledDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections of another source that fail at the n-th statement or commit, before or after it was done, or let
 * something else happen before it.
 */
final class FaultySource extends UnpooledDataSource {
    private static final Set<String> STEPS =
            Set.of("executeQuery", "executeUpdate", "execute", "executeBatch", "commit");

    private final DataSource source;
    private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
    private final AtomicReference<@Nullable Action> meanwhile = new AtomicReference<>();
    private volatile boolean after;

    /** An action between two steps. */
    interface Action {
        void run() throws SQLException;
    }

    FaultySource(DataSource source) {
        this.source = source;
    }

    /** Has the n-th step from now on fail, counted from 1. */
    void failAt(int step, boolean afterIt) {
        after = afterIt;
        left.set(step);
    }

    /** Has something happen once before the n-th step from now on, counted from 1. */
    void before(int step, Action action) {
        meanwhile.set(action);
        left.set(step);
    }

    void heal() {
        meanwhile.set(null);
        left.set(Integer.MAX_VALUE);
    }

    @Override
    public Connection getConnection() throws SQLException {
        return proxy(Connection.class, source.getConnection());
    }

    private <T> T proxy(Class<T> type, T object) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, arguments) -> {
                            boolean fails =
                                    STEPS.contains(method.getName()) && left.decrementAndGet() == 0;
                            Action action = fails ? meanwhile.getAndSet(null) : null;
                            if (action != null) {
                                action.run();
                                fails = false;
                            }
                            if (fails && !after) {
                                throw new SQLException(
                                        "injected before " + method.getName(), "08006");
                            }
                            Object result;
                            try {
                                result = method.invoke(object, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                            if (fails) {
                                throw new SQLException(
                                        "injected after " + method.getName(), "08006");
                            }
                            return switch (result) {
                                case PreparedStatement statement ->
                                        proxy(PreparedStatement.class, statement);
                                case Statement statement -> proxy(Statement.class, statement);
                                case null, default -> result;
                            };
                        }));
    }
}
