package dev.penstock.query.sql;

import dev.penstock.databases.UnpooledDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/** Records what is done to connections, and knows what is still open: the leak checker of the tests. */
final class RecordingDataSource extends UnpooledDataSource {
    /** A fault that a test makes the driver have. */
    enum Fault {
        IGNORES_FETCH_SIZE,
        CAN_NOT_BE_UNWRAPPED,
        FAILS_TO_ROLL_BACK,
        FAILS_TO_TELL_ITS_ISOLATION,
        FAILS_TO_CLOSE
    }

    private static final Set<String> RECORDED =
            Set.of("close", "rollback", "abort", "cancel", "executeQuery");

    final List<String> calls = new CopyOnWriteArrayList<>();
    final Set<Object> open = ConcurrentHashMap.newKeySet();
    private final DataSource source;
    private final Set<Fault> faults;

    RecordingDataSource(DataSource source, Fault... faults) {
        this.source = source;
        this.faults = Set.of(faults);
    }

    @Override
    public Connection getConnection() throws SQLException {
        return wrap("connection", source.getConnection(), Connection.class);
    }

    private <T> T wrap(String name, T target, Class<T> type) {
        open.add(target);
        Object proxy =
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, arguments) -> {
                            String called = method.getName();
                            if (RECORDED.contains(called)) {
                                calls.add(name + "." + called);
                            }
                            if (called.equals("close")) {
                                open.remove(target);
                            }
                            if (called.equals("setFetchSize")
                                    && faults.contains(Fault.IGNORES_FETCH_SIZE)) {
                                return null;
                            }
                            if (called.equals("isWrapperFor")
                                    && faults.contains(Fault.CAN_NOT_BE_UNWRAPPED)) {
                                return false;
                            }
                            if (called.equals("rollback")
                                    && faults.contains(Fault.FAILS_TO_ROLL_BACK)) {
                                throw new SQLException("the rollback failed");
                            }
                            if (called.equals("getTransactionIsolation")
                                    && faults.contains(Fault.FAILS_TO_TELL_ITS_ISOLATION)) {
                                throw new SQLException("the isolation is not known");
                            }
                            if (called.equals("close")
                                    && target instanceof Connection connection
                                    && faults.contains(Fault.FAILS_TO_CLOSE)) {
                                connection.close();
                                throw new SQLException("the close failed");
                            }
                            try {
                                return wrapResult(method.invoke(target, arguments));
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
        return type.cast(proxy);
    }

    private Object wrapResult(Object result) {
        return switch (result) {
            case PreparedStatement statement ->
                    wrap("statement", statement, PreparedStatement.class);
            case Statement statement -> wrap("statement", statement, Statement.class);
            case ResultSet rows -> wrap("rows", rows, ResultSet.class);
            case null, default -> result;
        };
    }
}
