package dev.penstock.daytrader.store;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.UnpooledDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/** A fresh database of one of the four kinds. Closing drops it. */
public final class TradeDatabase implements AutoCloseable {
    /** As patient as the other databases: in two seconds, H2's default, a busy machine may not come to the end. */
    private static final int H2_LOCK_MILLIS = 60_000;

    /** The databases that the application runs on. */
    public enum Kind {
        H2,
        DERBY,
        MARIADB,
        POSTGRESQL
    }

    private final DataSource source;
    private final Closing closing;

    private interface Closing {
        void close();
    }

    private TradeDatabase(DataSource source, Closing closing) {
        this.source = source;
        this.closing = closing;
    }

    public static TradeDatabase create(Kind kind) {
        if (kind == Kind.DERBY) {
            return derby();
        }
        TestDatabase database = TestDatabase.create(TestDatabase.Kind.valueOf(kind.name()));
        if (kind == Kind.H2) {
            waitForLocks(database.dataSource());
        }
        return new TradeDatabase(database.dataSource(), database::close);
    }

    private static void waitForLocks(DataSource h2) {
        try (Connection connection = h2.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SET DEFAULT_LOCK_TIMEOUT " + H2_LOCK_MILLIS);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Creates one of H2 in a file, for more rows than the heap holds. */
    static TradeDatabase createInFile(Path directory) {
        String url = "jdbc:h2:file:" + directory.resolve("trade").toAbsolutePath();
        DataSource source = connecting(url + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=" + H2_LOCK_MILLIS);
        return new TradeDatabase(
                source,
                () -> {
                    try (Connection connection = source.getConnection();
                            Statement statement = connection.createStatement()) {
                        statement.execute("SHUTDOWN IMMEDIATELY");
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                });
    }

    private static DataSource connecting(String url) {
        return new UnpooledDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                return DriverManager.getConnection(url);
            }
        };
    }

    private static TradeDatabase derby() {
        System.setProperty("derby.stream.error.file", "target/derby.log");
        // It looks for a deadlock when somebody has waited for a second, not for 20.
        System.setProperty("derby.locks.deadlockTimeout", "1");
        String url =
                "jdbc:derby:memory:fresh"
                        + Long.toString(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE), 36);
        return new TradeDatabase(
                connecting(url + ";create=true"),
                () -> {
                    try {
                        DriverManager.getConnection(url + ";drop=true").close();
                    } catch (SQLException _) {
                        // Derby says by an exception that it has done so.
                    }
                });
    }

    public DataSource source() {
        return source;
    }

    @Override
    public void close() {
        closing.close();
    }
}
