package dev.penstock.bench.export;

import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/**
 * A database with {@link Lineitems}: the table {@code lineitem}, and the view {@code lineitem_ten}, which has each of its rows ten
 * times. A large one is kept from run to run, a small one goes when it is closed.
 */
public final class LineitemDatabase implements AutoCloseable {
    static final String TABLE = "lineitem";
    static final String VIEW = "lineitem_ten";

    /** As many rows as make it worth keeping. H2 is kept always: only in a file can another JVM read it. */
    private static final long KEPT = 200_000;

    private final TestDatabase database;
    private final long rows;

    private LineitemDatabase(TestDatabase database, long rows) {
        this.database = database;
        this.rows = rows;
    }

    /** The database with so many rows, which are made if they are not there. */
    public static LineitemDatabase of(TestDatabase.Kind kind, long rows)
            throws SQLException, IOException {
        TestDatabase database =
                rows >= KEPT || kind == TestDatabase.Kind.H2
                        ? TestDatabase.kept(kind, "lineitem_" + rows)
                        : TestDatabase.create(kind);
        LineitemDatabase lineitems = new LineitemDatabase(database, rows);
        try (Connection connection = database.connect()) {
            if (!hasTable(connection, "lineitem_filled")) {
                fill(connection, kind, rows);
            }
        }
        return lineitems;
    }

    public TestDatabase database() {
        return database;
    }

    public long rows() {
        return rows;
    }

    /** Whether the connection's database has a table of that name, in lower case. */
    public static boolean hasTable(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(
                        "SELECT COUNT(*) FROM information_schema.tables"
                                + " WHERE LOWER(table_name) = ?"
                                + " AND LOWER(table_schema) NOT IN"
                                + " ('information_schema', 'pg_catalog')"
                                + inThisDatabase(connection))) {
            statement.setString(1, name);
            try (ResultSet found = statement.executeQuery()) {
                found.next();
                return found.getInt(1) > 0;
            }
        }
    }

    /** MariaDB's information schema shows the tables of all databases. */
    private static String inThisDatabase(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return product.equals("MariaDB") || product.equals("MySQL")
                ? " AND table_schema = DATABASE()"
                : "";
    }

    private static void fill(Connection connection, TestDatabase.Kind kind, long rows)
            throws SQLException, IOException {
        Path file = Files.createTempFile("lineitem", ".csv");
        try (Statement statement = connection.createStatement()) {
            Lineitems.write(rows, file);
            statement.execute("DROP VIEW IF EXISTS lineitem_ten");
            statement.execute("DROP TABLE IF EXISTS lineitem");
            statement.execute("DROP TABLE IF EXISTS ten");
            statement.execute(
                    "CREATE TABLE lineitem ("
                            + Lineitems.COLUMNS
                            + ", PRIMARY KEY (l_orderkey, l_linenumber))");
            load(connection, statement, kind, file);
            statement.execute("CREATE TABLE ten (n INTEGER PRIMARY KEY)");
            statement.execute(
                    "INSERT INTO ten VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)");
            statement.execute(
                    "CREATE VIEW lineitem_ten AS SELECT ten.n AS copy, lineitem.*"
                            + " FROM ten CROSS JOIN lineitem");
            if (kind == TestDatabase.Kind.POSTGRESQL) {
                statement.execute("VACUUM ANALYZE lineitem");
            }
            statement.execute("CREATE TABLE lineitem_filled (n INTEGER PRIMARY KEY)");
        } finally {
            Files.delete(file);
        }
    }

    private static void load(
            Connection connection, Statement statement, TestDatabase.Kind kind, Path file)
            throws SQLException, IOException {
        switch (kind) {
            case POSTGRESQL -> {
                try (Reader in = Files.newBufferedReader(file)) {
                    connection
                            .unwrap(PGConnection.class)
                            .getCopyAPI()
                            .copyIn("COPY lineitem FROM STDIN (FORMAT csv)", in);
                }
            }
            case MARIADB -> {
                try (InputStream in = Files.newInputStream(file)) {
                    statement
                            .unwrap(org.mariadb.jdbc.Statement.class)
                            .setLocalInfileInputStream(in);
                    statement.execute(
                            "LOAD DATA LOCAL INFILE 'lineitem' INTO TABLE lineitem FIELDS TERMINATED BY ','");
                }
            }
            case MYSQL ->
                    throw new IllegalArgumentException(
                            "lineitems are loaded by MariaDB's driver: choose mariadb");
            case H2 ->
                    statement.execute(
                            "INSERT INTO lineitem SELECT * FROM CSVREAD('"
                                    + file
                                    + "', '"
                                    + columnNames()
                                    + "')");
        }
    }

    private static String columnNames() {
        return java.util.Arrays.stream(Lineitems.COLUMNS.split(" NOT NULL,?\\s*", -1))
                .filter(column -> !column.isEmpty())
                .map(column -> column.substring(0, column.indexOf(' ')))
                .collect(java.util.stream.Collectors.joining(","));
    }

    @Override
    public void close() {
        database.close();
    }
}
