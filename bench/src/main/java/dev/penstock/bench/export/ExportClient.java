package dev.penstock.bench.export;

import dev.penstock.bench.child.Answer;
import dev.penstock.bench.child.HeapWatch;
import dev.penstock.bench.child.Orders;
import dev.penstock.bench.pages.ServerChild;
import dev.penstock.format.RowFormat;
import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.sql.Database;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/**
 * Reads the whole lineitem table once, in one of several ways, into nothing; in a JVM of its own. Arguments: {@code url},
 * {@code user}, {@code password}. The order {@code export} takes {@code way} ({@link Way}) and {@code format}.
 */
final class ExportClient {
    /** How the table is read. */
    enum Way {
        /** By PostgreSQL's driver's COPY; the format is {@code csv} or {@code text}. */
        COPY,
        /** By a loop over JDBC with typed getters. */
        JDBC,
        /** The same with a condition. */
        JDBC_WHERE,
        /** By a cursor and a row format. */
        CURSOR,
        /** The same with a condition. */
        CURSOR_WHERE
    }

    /** The condition of those that have one. */
    static final int LEAST_QUANTITY = 5;

    private static final int FETCH_SIZE = 1000;

    private final String url;
    private final String user;
    private final String password;
    private final DataSource source;

    private ExportClient(Answer settings) {
        url = settings.text("url");
        user = settings.text("user");
        password = settings.text("password");
        source = ServerChild.pool(settings, 2);
    }

    public static void main(String[] arguments) throws IOException {
        ExportClient client = new ExportClient(Answer.parse(arguments[0]));
        Database database = Database.connect(client.source);
        Orders orders =
                new Orders()
                        .on(
                                "export",
                                order ->
                                        client.export(
                                                Way.valueOf(order.text("way")),
                                                order.text("format"),
                                                database));
        new HeapWatch().answerTo(orders);
        orders.serve(new Answer(Map.of()));
    }

    private Answer export(Way way, String format, Database database)
            throws SQLException, IOException {
        NullChannel channel = new NullChannel();
        long start = System.nanoTime();
        long rows =
                switch (way) {
                    case COPY -> copy(format, channel);
                    case JDBC -> jdbc("", channel);
                    case JDBC_WHERE -> jdbc(" WHERE l_quantity >= ?", channel);
                    case CURSOR ->
                            cursor(Plan.of(database.table("lineitem")), format, database, channel);
                    case CURSOR_WHERE -> cursor(where(database), format, database, channel);
                };
        long nanos = System.nanoTime() - start;
        return new Answer(
                Map.of(
                        "nanos", Long.toString(nanos),
                        "rows", Long.toString(rows),
                        "bytes", Long.toString(channel.bytes())));
    }

    private static Plan where(Database database) {
        return Plan.of(database.table("lineitem"))
                .where(
                        new Predicate.Comparison(
                                "l_quantity",
                                Predicate.Comparator.GREATER_OR_EQUAL,
                                BigDecimal.valueOf(LEAST_QUANTITY)));
    }

    private static long cursor(Plan plan, String format, Database database, NullChannel out)
            throws IOException {
        RowFormat chosen =
                RowFormat.named(format)
                        .orElseThrow(() -> new IllegalArgumentException("no format " + format));
        try (Cursor rows = database.open(plan)) {
            chosen.write(rows, out);
        }
        // Counting is the channel's: a wrapped cursor would be slower.
        return -1;
    }

    private long copy(String format, NullChannel out) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, user, password)) {
            CopyOut copy =
                    connection
                            .unwrap(PGConnection.class)
                            .getCopyAPI()
                            .copyOut("COPY lineitem TO STDOUT (FORMAT " + format + ")");
            long rows = 0;
            for (byte[] row = copy.readFromCopy(); row != null; row = copy.readFromCopy()) {
                rows++;
                out.add(row.length);
            }
            return rows;
        }
    }

    private long jdbc(String condition, NullChannel out) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, user, password)) {
            connection.setAutoCommit(false);
            try (PreparedStatement statement =
                    connection.prepareStatement("SELECT * FROM lineitem" + condition)) {
                statement.setFetchSize(FETCH_SIZE);
                if (!condition.isEmpty()) {
                    statement.setBigDecimal(1, BigDecimal.valueOf(LEAST_QUANTITY));
                }
                try (ResultSet row = statement.executeQuery()) {
                    long rows = 0;
                    while (row.next()) {
                        rows++;
                        out.add(read(row));
                    }
                    return rows;
                }
            } finally {
                connection.rollback();
            }
        }
    }

    /** Reads each column as what it is, and uses each value, so that nothing is optimised away. */
    private static long read(ResultSet row) throws SQLException {
        long used = row.getLong(1) + row.getInt(2) + row.getInt(3) + row.getInt(4);
        for (int column = 5; column <= 8; column++) {
            used += row.getBigDecimal(column).scale();
        }
        used += row.getString(9).length() + row.getString(10).length();
        for (int column = 11; column <= 13; column++) {
            used += row.getObject(column, java.time.LocalDate.class).getDayOfMonth();
        }
        for (int column = 14; column <= Lineitems.COLUMN_COUNT; column++) {
            used += row.getString(column).length();
        }
        return used;
    }
}
