package dev.penstock.bench.export;

import dev.penstock.bench.server.TestTables;
import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/**
 * Databases with {@link Lineitems}: the table {@code lineitem}, and the view {@code lineitem_ten}, which has each of
 * its rows ten times. A large one is kept from run to run, a small one goes when it is closed.
 */
final class LineitemDatabase {
    static final String VIEW = "lineitem_ten";

    /** As many rows as make it worth keeping. H2 is kept always: only in a file can another JVM read it. */
    private static final long KEPT = 200_000;

    private LineitemDatabase() {}

    /** Returns the database with so many rows, which are made if they are not there. */
    static TestDatabase of(TestDatabase.Kind kind, long rows) throws SQLException, IOException {
        boolean kept = rows >= KEPT || kind == TestDatabase.Kind.H2;
        return TestTables.in(kind, "lineitem_" + rows, kept, database -> fill(database, rows));
    }

    private static void fill(TestDatabase database, long rows) throws SQLException, IOException {
        Path file = Files.createTempFile("lineitem", ".csv");
        try {
            Lineitems.write(rows, file);
            database.execute(
                    "DROP VIEW IF EXISTS lineitem_ten",
                    "DROP TABLE IF EXISTS lineitem",
                    "DROP TABLE IF EXISTS ten",
                    "CREATE TABLE ten (n INTEGER PRIMARY KEY)",
                    "INSERT INTO ten VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)",
                    "CREATE TABLE lineitem (%s, PRIMARY KEY (l_orderkey, l_linenumber))"
                            .formatted(Lineitems.COLUMNS),
                    "CREATE VIEW lineitem_ten AS"
                            + " SELECT ten.n AS copy, lineitem.* FROM ten CROSS JOIN lineitem");
            load(database, file);
            if (database.kind() == TestDatabase.Kind.POSTGRESQL) {
                database.execute("VACUUM ANALYZE lineitem");
            }
        } finally {
            Files.delete(file);
        }
    }

    private static void load(TestDatabase database, Path file) throws SQLException, IOException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                InputStream rows = Files.newInputStream(file)) {
            switch (database.kind()) {
                case POSTGRESQL ->
                        connection
                                .unwrap(PGConnection.class)
                                .getCopyAPI()
                                .copyIn("COPY lineitem FROM STDIN (FORMAT csv)", rows);
                case MARIADB -> {
                    statement
                            .unwrap(org.mariadb.jdbc.Statement.class)
                            .setLocalInfileInputStream(rows);
                    statement.execute(
                            "LOAD DATA LOCAL INFILE 'lineitem' INTO TABLE lineitem FIELDS TERMINATED BY ','");
                }
                case MYSQL ->
                        throw new IllegalArgumentException(
                                "lineitems are loaded by MariaDB's driver: choose mariadb");
                case H2 ->
                        statement.execute(
                                "INSERT INTO lineitem SELECT * FROM CSVREAD('%s', '%s')"
                                        .formatted(file, Lineitems.columnNames()));
            }
        }
    }
}
