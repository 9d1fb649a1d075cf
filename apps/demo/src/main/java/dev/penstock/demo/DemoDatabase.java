package dev.penstock.demo;

import dev.penstock.films.store.FilmStore;
import dev.penstock.presidents.Presidents;
import dev.penstock.server.config.JdbcTarget;
import dev.penstock.server.config.StartupException;
import dev.penstock.server.log.FirstSentence;
import dev.penstock.server.log.ProgressBar;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The demo's H2: a file with sample data and a small cache. It is filled under another name, and gets its own when it
 * is complete; so a file of that name is whole, and the next start finds it.
 */
final class DemoDatabase {
    static final String USER = "sa";
    static final int LINE_ITEMS = 100_000;
    static final long READINGS = 10_000_000;

    /** Numbered, and raised with each change of the data, so that no data of an earlier version is shown. */
    private static final String NAME = "sample-2";

    /** A cache of 8 MB, and no file that errors are traced to. */
    private static final String SETTINGS = ";CACHE_SIZE=8192;TRACE_LEVEL_FILE=0";

    private static final String SUFFIX = ".mv.db";
    private static final int BATCH = 10_000;
    private static final int H2_IN_USE = 90020;

    private static final String LINE_ITEM =
            """
            CREATE TABLE line_item (
                id INT PRIMARY KEY,
                order_id INT NOT NULL,
                product VARCHAR(40) NOT NULL,
                quantity INT NOT NULL,
                price DECIMAL(12, 2) NOT NULL,
                discount DECIMAL(4, 2),
                gift BOOLEAN NOT NULL,
                ordered DATE NOT NULL,
                shipped TIMESTAMP,
                note VARCHAR(80))
            """;

    private static final String LINE_ITEM_ROWS =
            """
            INSERT INTO line_item SELECT x, x / 4 + 1,
                DECODE(MOD(x * 31, 7), 0, 'Turbine blade', 1, 'Sluice gate', 2, 'Trash rack',
                    3, 'Surge tank', 4, 'Spear valve', 5, 'Draft tube', 'Anchor block'),
                MOD(x * 31, 50) + 1,
                CAST(MOD(x * 104729, 100000) AS DECIMAL(12, 2)) / 100,
                CASE MOD(x, 3) WHEN 0 THEN CAST(MOD(x, 40) AS DECIMAL(4, 2)) / 100 END,
                MOD(x, 11) = 0,
                DATE '2021-01-01' + MOD(x * 13, 2000),
                CASE WHEN MOD(x, 17) > 0 THEN
                    TIMESTAMP '2021-01-02 06:00:00' + MOD(x * 13, 2000) + MOD(x, 9) END,
                CASE MOD(x, 5) WHEN 1 THEN 'deliver to the upper gate' WHEN 2 THEN 'express'
                    WHEN 3 THEN 'says: "handle with care", twice' END
            FROM SYSTEM_RANGE(?, ?)
            """;

    private static final List<String> OTHERS =
            List.of(
                    "CREATE INDEX line_item_order ON line_item (order_id)",
                    """
                    CREATE VIEW late_item AS SELECT id, order_id, product, ordered, shipped
                    FROM line_item WHERE shipped > ordered + 7
                    """,
                    // Computed, not stored: its rows exist only on their way to a client.
                    """
                    CREATE VIEW reading AS SELECT x AS id,
                        TIMESTAMP '2024-01-01 00:00:00' + x * INTERVAL '1' SECOND AS taken,
                        CAST(MOD(x * 7919, 64) AS INT) AS sensor,
                        CAST(MOD(x * 104729, 100000) / 100.0 AS DECIMAL(7, 2)) AS pressure,
                        CAST(MOD(x * 15485863, 10007) AS DOUBLE PRECISION) / 250 AS flow,
                        CASE MOD(x, 1000) WHEN 0 THEN 'gate moved' END AS event
                    FROM SYSTEM_RANGE(1, %d)
                    """
                            .formatted(READINGS),
                    """
                    CREATE TABLE every_type (
                        "name" VARCHAR(30) PRIMARY KEY, a_boolean BOOLEAN, an_integer INT, a_long BIGINT,
                        a_decimal DECIMAL(38, 10), a_float REAL, a_double DOUBLE PRECISION,
                        a_date DATE, a_time TIME(6), a_timestamp TIMESTAMP(6),
                        an_instant TIMESTAMP(6) WITH TIME ZONE, a_text VARCHAR(200),
                        some_bytes VARBINARY(64), a_uuid UUID, some_json JSON)
                    """,
                    """
                    INSERT INTO every_type VALUES
                    ('least', FALSE, -2147483648, -9223372036854775808,
                        -9999999999999999999999999999.9999999999, CAST('-Infinity' AS REAL),
                        CAST('-Infinity' AS DOUBLE PRECISION), DATE '0001-01-01', TIME '00:00:00',
                        TIMESTAMP '0001-01-01 00:00:00', TIMESTAMP WITH TIME ZONE
                        '0001-01-01 00:00:00+00:00', '', X'', UUID
                        '00000000-0000-0000-0000-000000000000', JSON 'null'),
                    ('most', TRUE, 2147483647, 9223372036854775807,
                        9999999999999999999999999999.9999999999, CAST('NaN' AS REAL),
                        CAST('NaN' AS DOUBLE PRECISION), DATE '9999-12-31', TIME '23:59:59.999999',
                        TIMESTAMP '9999-12-31 23:59:59.999999', TIMESTAMP WITH TIME ZONE
                        '9999-12-31 23:59:59.999999+00:00', U&'a "quote", <tag> & \\+01F30A', X'00FF',
                        UUID 'ffffffff-ffff-ffff-ffff-ffffffffffff', JSON '{"a":[1,2.50,"x"]}')
                    """,
                    "INSERT INTO every_type (\"name\") VALUES ('nothing')",
                    """
                    CREATE TABLE "select" ("order" INT PRIMARY KEY, "with space" VARCHAR(40),
                        "quote""d" VARCHAR(40), "dot.ted" INT, "Größe" DECIMAL(6, 2), "MixedCase" BOOLEAN)
                    """,
                    """
                    INSERT INTO "select" VALUES (1, 'a name may hold anything', '"', 1, 1.85, TRUE),
                    (2, 'it is quoted for the database', '''', 2, 1.62, FALSE),
                    (3, 'and encoded in the URL', NULL, 3, NULL, NULL)
                    """);

    private DemoDatabase() {}

    /**
     * The database, and the directory that it lies in.
     *
     * @param directory for the demo's other data, too; nobody else uses it while the database is open
     */
    record Opened(JdbcTarget target, Path directory) {}

    /**
     * Returns the database in a directory, filled if need be. It stays open until this JVM ends.
     *
     * @param asked the directory; null for the user's own, or a temporary one if another demo is running there
     * @param progress shows the filling; asked only if there is anything to fill
     */
    static Opened open(@Nullable Path asked, Supplier<ProgressBar> progress) {
        Path directory = asked != null ? asked : ownDirectory();
        try {
            return new Opened(openIn(directory, progress), directory);
        } catch (SQLException e) {
            if (e.getErrorCode() != H2_IN_USE) {
                throw failure(directory, e);
            }
            if (asked != null) {
                throw new StartupException(
                        "another demo uses the data in "
                                + directory
                                + ": stop it, or name another directory with --data",
                        e);
            }
            Path temporary = temporaryDirectory();
            try {
                return new Opened(openIn(temporary, progress), temporary);
            } catch (SQLException again) {
                throw failure(temporary, again);
            }
        }
    }

    private static StartupException failure(Path directory, SQLException e) {
        return new StartupException(
                "can't prepare the sample data in "
                        + directory
                        + " ("
                        + FirstSentence.one(e.getMessage())
                        + "): name another directory with --data",
                e);
    }

    private static JdbcTarget openIn(Path directory, Supplier<ProgressBar> progress)
            throws SQLException {
        try {
            Files.createDirectories(directory);
            Path whole = directory.resolve(NAME + SUFFIX);
            if (Files.exists(whole)) {
                JdbcTarget target = target(directory.resolve(NAME));
                try {
                    connect(target.url()).close();
                    return target;
                } catch (SQLException e) {
                    if (e.getErrorCode() == H2_IN_USE) {
                        throw e;
                    }
                    // Not a database, or another version's: it is only sample data.
                    Files.delete(whole);
                }
            }
            fill(directory, whole, progress.get());
            JdbcTarget target = target(directory.resolve(NAME));
            connect(target.url()).close();
            return target;
        } catch (IOException e) {
            throw new StartupException(
                    "can't keep the sample data in "
                            + directory
                            + " ("
                            + e
                            + "): name a directory that can be written to with --data",
                    e);
        }
    }

    /** Returns a database that stays open between connections. */
    private static JdbcTarget target(Path file) {
        String url = "jdbc:h2:file:" + file.toAbsolutePath() + SETTINGS + ";DB_CLOSE_DELAY=-1";
        return new JdbcTarget(url, USER, "", List.of());
    }

    private static Connection connect(String url) throws SQLException {
        return DriverManager.getConnection(url, USER, "");
    }

    private static void fill(Path directory, Path whole, ProgressBar progress)
            throws SQLException, IOException {
        Path name = directory.resolve(NAME + "-filling");
        Path file = directory.resolve(NAME + "-filling" + SUFFIX);
        // Whoever interrupts this need not wait until H2 has put in order what is not going to be
        // used.
        String url = "jdbc:h2:file:" + name.toAbsolutePath() + SETTINGS + ";DB_CLOSE_ON_EXIT=FALSE";
        // Opened before it is emptied: whoever else fills it holds its lock.
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute("DROP ALL OBJECTS");
            progress.show("filling the presidents", 0);
            Presidents.create(connection);
            FilmStore.of(1)
                    .create(
                            connection,
                            (_, rows, of) ->
                                    progress.show(
                                            "filling the film store", (int) (20 + 30 * rows / of)));
            statement.execute(LINE_ITEM);
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement(LINE_ITEM_ROWS)) {
                for (int done = 0; done < LINE_ITEMS; done += BATCH) {
                    progress.show("filling tables", 50 + 45 * done / LINE_ITEMS);
                    insert.setInt(1, done + 1);
                    insert.setInt(2, Math.min(done + BATCH, LINE_ITEMS));
                    insert.executeUpdate();
                    connection.commit();
                }
            }
            progress.show("filling tables", 95);
            for (String sql : OTHERS) {
                statement.execute(sql);
            }
            connection.commit();
        }
        Files.move(file, whole, StandardCopyOption.ATOMIC_MOVE);
        progress.end();
    }

    /** Returns the user's cache directory, or a temporary one for users who have none. */
    private static Path ownDirectory() {
        String cache = System.getenv("XDG_CACHE_HOME");
        Path base =
                cache != null && Path.of(cache).isAbsolute()
                        ? Path.of(cache)
                        : Path.of(System.getProperty("user.home", ""), ".cache");
        Path own = base.resolve("penstock").resolve("demo");
        try {
            Files.createDirectories(own);
            return Files.isWritable(own) ? own : temporaryDirectory();
        } catch (IOException _) {
            return temporaryDirectory();
        }
    }

    private static Path temporaryDirectory() {
        try {
            Path directory = Files.createTempDirectory("penstock-demo-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> deleteIn(directory)));
            return directory;
        } catch (IOException e) {
            throw new StartupException(
                    "can't make a temporary directory for the sample data ("
                            + e
                            + "): name one with --data",
                    e);
        }
    }

    private static void deleteIn(Path directory) {
        try (var files = Files.walk(directory)) {
            // What is in a directory goes before it.
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
