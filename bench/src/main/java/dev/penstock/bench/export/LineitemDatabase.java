package dev.penstock.bench.export;

import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.server.TestTables;
import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.postgresql.PGConnection;

/**
 * A database with {@link Lineitems}: the table {@code lineitem}, and the view {@code lineitem_ten}, which has each of its rows ten
 * times. A large one is kept from run to run, a small one goes when it is closed.
 */
final class LineitemDatabase implements AutoCloseable {
    static final String VIEW = "lineitem_ten";

    /** As many rows as make it worth keeping. H2 is kept always: only in a file can another JVM read it. */
    private static final long KEPT = 200_000;

    private final TestDatabase database;
    private final long rows;

    private LineitemDatabase(TestDatabase database, long rows) {
        this.database = database;
        this.rows = rows;
    }

    /** The measurement of one database. */
    interface Measurement {
        void measure(LineitemDatabase lineitems, LoadDriver driver) throws Exception;
    }

    /** Measures databases of so many rows one after the other, with one load client. */
    static void forEach(
            Trial trial, List<TestDatabase.Kind> kinds, long rows, Measurement measurement)
            throws Exception {
        try (LoadDriver driver = trial.loadDriver()) {
            for (TestDatabase.Kind kind : kinds) {
                trial.doing("loading " + Trial.label(kind));
                try (LineitemDatabase lineitems = of(kind, rows)) {
                    measurement.measure(lineitems, driver);
                }
            }
        }
    }

    /** Returns the database with so many rows, which are made if they are not there. */
    private static LineitemDatabase of(TestDatabase.Kind kind, long rows)
            throws SQLException, IOException {
        TestDatabase database =
                rows >= KEPT || kind == TestDatabase.Kind.H2
                        ? TestDatabase.kept(kind, "lineitem_" + rows)
                        : TestDatabase.create(kind);
        LineitemDatabase lineitems = new LineitemDatabase(database, rows);
        try (Connection connection = database.connect()) {
            if (!TestTables.exists(connection, "lineitem_filled")) {
                fill(connection, kind, rows);
            }
        }
        return lineitems;
    }

    TestDatabase database() {
        return database;
    }

    long rows() {
        return rows;
    }

    TestDatabase.Kind kind() {
        return database.kind();
    }

    /** Returns the database's name for people. */
    String label() {
        return Trial.label(kind());
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
