package dev.penstock.daytrader.store;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.UnpooledDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

/** A fresh database of one of the four kinds. Closing drops it. */
public final class TradeDatabase implements AutoCloseable {
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
        return new TradeDatabase(database.dataSource(), database::close);
    }

    private static TradeDatabase derby() {
        System.setProperty("derby.stream.error.file", "target/derby.log");
        String url =
                "jdbc:derby:memory:fresh"
                        + Long.toString(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE), 36);
        DataSource source =
                new UnpooledDataSource() {
                    @Override
                    public Connection getConnection() throws SQLException {
                        return DriverManager.getConnection(url + ";create=true");
                    }
                };
        return new TradeDatabase(
                source,
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
