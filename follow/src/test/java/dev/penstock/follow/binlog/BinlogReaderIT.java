package dev.penstock.follow.binlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.sql.Database;
import dev.penstock.snapshot.ChangeFeed.ChangedRows.Keys;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BinlogReaderIT {
    private final TestDatabase database = TestDatabase.createLogged(Kind.MARIADB);
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicReference<Runnable> interference = new AtomicReference<>();

    @AfterEach
    void close() {
        database.close();
    }

    /** Opens a connection with which the interference comes, once, before a method is called. */
    private Connection open(String method) throws SQLException {
        opened.incrementAndGet();
        Connection connection = database.connect();
        return (Connection)
                Proxy.newProxyInstance(
                        Connection.class.getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (_, called, arguments) -> {
                            Runnable now =
                                    called.getName().equals(method)
                                            ? interference.getAndSet(null)
                                            : null;
                            if (now != null) {
                                now.run();
                            }
                            try {
                                return called.invoke(connection, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    private BinlogReader begun(CollectedChanges changes, SavedPosition from, String method)
            throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", database.user());
        properties.setProperty("password", database.password());
        return BinlogReader.start(
                ServerAddress.of(database.url(), properties),
                () -> open(method),
                List.of(Database.connect(database.dataSource()).table("t")),
                changes,
                from,
                1);
    }

    /** The log is asked for where it was by a prepared statement; closing is the last before it is read on. */
    @ParameterizedTest
    @ValueSource(strings = {"prepareStatement", "close"})
    void reconnect_onceMoreWhileItResumes_resumesOnceMore(String method) throws Exception {
        database.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        try (Connection connection = database.connect()) {
            SavedPosition here = BinlogQueries.here(connection);
            CollectedChanges changes = new CollectedChanges(here);
            try (BinlogReader reader = begun(changes, here, method)) {
                CountDownLatch interfered = new CountDownLatch(1);
                interference.set(() -> {
                    reader.reconnect();
                    interfered.countDown();
                });
                int before = opened.get();
                reader.reconnect();
                assertThat(interfered.await(60, TimeUnit.SECONDS)).isTrue();
                CollectedChanges.KnownLog known = changes.awaitKnown();
                assertThat(opened).hasValueGreaterThanOrEqualTo(before + 2);
                database.execute("INSERT INTO t VALUES (7)");
                changes.awaitReceived(BinlogQueries.end(connection), known.restarts());
                assertThat(changes.peek()).isEqualTo(Map.of("t", new Keys(Set.of(List.of(7)))));
            }
        }
    }
}
