package dev.penstock.daytrader.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class IsolationTest {
    private final AtomicInteger asked = new AtomicInteger();

    /** As a pool hands it out: another object each time. */
    private Connection handedOut(Connection physical) {
        return (Connection)
                Proxy.newProxyInstance(
                        Connection.class.getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (_, method, arguments) -> {
                            if (method.getName().equals("getTransactionIsolation")) {
                                asked.incrementAndGet();
                            }
                            return method.getName().equals("unwrap")
                                    ? physical
                                    : method.invoke(physical, arguments);
                        });
    }

    @Test
    void ensure_connectionThatHasIt_asksOnce() throws SQLException {
        try (TradeDatabase database = TradeDatabase.create(TradeDatabase.Kind.H2);
                Connection one = database.source().getConnection();
                Connection other = database.source().getConnection()) {
            Isolation isolation = new Isolation();
            for (int i = 0; i < 3; i++) {
                isolation.ensure(handedOut(one));
                isolation.ensure(handedOut(other));
            }
            assertThat(asked).hasValue(2);
        }
    }

    @Test
    void ensure_connectionThatComesWithAnother_setsItEachTime() throws SQLException {
        try (TradeDatabase database = TradeDatabase.create(TradeDatabase.Kind.H2);
                Connection connection = database.source().getConnection()) {
            Isolation isolation = new Isolation();
            for (int i = 0; i < 3; i++) {
                connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                isolation.ensure(handedOut(connection));
                assertThat(connection.getTransactionIsolation())
                        .isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
            }
        }
    }
}
