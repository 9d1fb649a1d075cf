package dev.penstock.bench.export;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.bench.server.DatabaseAddress;
import dev.penstock.format.RowFormat;
import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.sql.Database;
import java.io.IOException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/** The reading of the whole lineitem table in one of several ways, in a child process; what is read is dropped. */
final class DirectExport {
    /** The least quantity of a row, where rows are read by a condition. */
    static final int LEAST_QUANTITY = 5;

    private static final int FETCH_SIZE = 1000;

    private final DatabaseAddress address;
    private final Database database;

    /** A sum over the values that were read: it keeps their reading from being optimised away. */
    @SuppressWarnings("UnusedVariable")
    private volatile long consumed;

    DirectExport(DatabaseAddress address) {
        this.address = address;
        HikariDataSource pool = address.pool(2);
        database = Database.connect(pool);
    }

    /**
     * An amount of data that was read, and the time that took.
     *
     * @param rows the number of rows; 0 where they are not counted, since a wrapped cursor would be slower
     * @param bytes the number of bytes; 0 where values are read, and not bytes
     */
    record Amount(long rows, long bytes, double seconds) implements Serializable {
        static Amount since(long start, long rows, long bytes) {
            return new Amount(rows, bytes, (System.nanoTime() - start) / 1e9);
        }
    }

    /** Reads by a cursor and a row format. */
    Amount cursor(String format, boolean condition) throws IOException {
        RowFormat chosen = RowFormat.named(format).orElseThrow();
        Plan all = Plan.of(database.table("lineitem"));
        Predicate enough =
                new Predicate.Comparison(
                        "l_quantity",
                        Predicate.Comparator.GREATER_OR_EQUAL,
                        BigDecimal.valueOf(LEAST_QUANTITY));
        NullChannel channel = new NullChannel();
        long start = System.nanoTime();
        try (Cursor rows = database.open(condition ? all.where(enough) : all)) {
            chosen.write(rows, channel);
        }
        return Amount.since(start, 0, channel.bytes());
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(address.url(), address.user(), address.password());
    }

    /** Reads by the COPY of PostgreSQL's driver; the format is {@code csv} or {@code text}. */
    Amount copy(String format) throws SQLException {
        long start = System.nanoTime();
        try (Connection connection = connect()) {
            CopyOut copy =
                    connection
                            .unwrap(PGConnection.class)
                            .getCopyAPI()
                            .copyOut("COPY lineitem TO STDOUT (FORMAT " + format + ")");
            long rows = 0;
            long bytes = 0;
            for (byte[] row = copy.readFromCopy(); row != null; row = copy.readFromCopy()) {
                rows++;
                bytes += row.length;
            }
            return Amount.since(start, rows, bytes);
        }
    }

    /** Reads by a loop over JDBC with typed getters. */
    Amount jdbc(boolean condition) throws SQLException {
        long start = System.nanoTime();
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            String where = condition ? " WHERE l_quantity >= ?" : "";
            try (PreparedStatement statement =
                    connection.prepareStatement("SELECT * FROM lineitem" + where)) {
                statement.setFetchSize(FETCH_SIZE);
                if (condition) {
                    statement.setBigDecimal(1, BigDecimal.valueOf(LEAST_QUANTITY));
                }
                try (ResultSet row = statement.executeQuery()) {
                    long rows = 0;
                    long used = 0;
                    while (row.next()) {
                        rows++;
                        used += read(row);
                    }
                    consumed = used;
                    return Amount.since(start, rows, 0);
                }
            } finally {
                connection.rollback();
            }
        }
    }

    /** Reads each column by the getter of its type, and uses each value, so that nothing is optimised away. */
    private static long read(ResultSet row) throws SQLException {
        long used = row.getLong(1) + row.getInt(2) + row.getInt(3) + row.getInt(4);
        for (int column = 5; column <= 8; column++) {
            used += row.getBigDecimal(column).scale();
        }
        used += row.getString(9).length() + row.getString(10).length();
        for (int column = 11; column <= 13; column++) {
            used += row.getObject(column, LocalDate.class).getDayOfMonth();
        }
        for (int column = 14; column <= Lineitems.COLUMN_COUNT; column++) {
            used += row.getString(column).length();
        }
        return used;
    }
}
