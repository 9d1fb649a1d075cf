package dev.penstock.follow;

import static dev.penstock.follow.LoggedMariaDb.feedOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.snapshot.Snapshot;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several writers of random transactions, and a snapshot that follows them: each version is a state that was committed,
 * and the last one is what the database has. Other transactions each time with {@code -Dpenstock.soak=true}.
 */
@Timeout(600)
class MariaDbWritersIT {
    private static final boolean SOAK = Boolean.getBoolean("penstock.soak");
    private static final int WRITERS = 3;
    private static final int TRANSACTIONS = SOAK ? 5_000 : 150;
    private static final int ACCOUNTS = 40;
    private static final long TOTAL = 2L * ACCOUNTS * 1000;

    private static final String[] TABLES = {
        "CREATE TABLE accounts (id INT PRIMARY KEY, balance BIGINT NOT NULL, note TEXT)",
        "CREATE TABLE vaults (region VARCHAR(20), id INT UNSIGNED, amount BIGINT NOT NULL, PRIMARY KEY (region, id))",
        "CREATE TABLE words (word VARCHAR(50) COLLATE utf8mb4_nopad_bin PRIMARY KEY, n INT)",
        "CREATE TABLE scratch (id BIGINT PRIMARY KEY, n INT)",
        """
        CREATE TABLE events (at DATETIME(6), kind ENUM('one','two''s','\u00e9'), id UUID, cost DECIMAL(12,3),
            stamp TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3), PRIMARY KEY (kind, at, id, cost))
        """,
        "INSERT INTO accounts SELECT seq, 1000, NULL FROM seq_1_to_" + ACCOUNTS,
        "INSERT INTO vaults SELECT CONCAT('r', seq % 3), seq, 1000 FROM seq_1_to_" + ACCOUNTS,
    };

    private final long seed = Long.getLong("penstock.seed", SOAK ? System.nanoTime() : 1);
    private final TestDatabase server = TestDatabase.createLogged(Kind.MARIADB);

    @TempDir Path directory;

    @BeforeEach
    void makeTables() {
        server.execute(TABLES);
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** A writer of transactions. */
    private final class Writer {
        private final Random random;
        private final int number;

        Writer(int number) {
            this.number = number;
            random = new Random(seed * 31 + number);
        }

        Void write() throws SQLException {
            try (Connection connection = server.connect();
                    Statement statement = connection.createStatement()) {
                // A definition waits for those who read the table, and who reads it next waits for
                // the definition.
                statement.execute("SET SESSION lock_wait_timeout = 1");
                connection.setAutoCommit(false);
                for (int i = 0; i < TRANSACTIONS; i++) {
                    transaction(connection, statement);
                }
            }
            return null;
        }

        private void transaction(Connection connection, Statement statement) throws SQLException {
            try {
                int steps = 1 + random.nextInt(3);
                for (int step = 0; step < steps; step++) {
                    if (random.nextInt(6) == 0) {
                        Savepoint savepoint = connection.setSavepoint();
                        step(statement);
                        connection.rollback(savepoint);
                    }
                    step(statement);
                }
                if (random.nextInt(8) == 0) {
                    connection.rollback();
                } else {
                    connection.commit();
                }
            } catch (SQLException e) {
                // Two writers waited for each other, a key was there, or a definition ended it.
                assertThat(e.getErrorCode()).as(e.getMessage()).isIn(1213, 1205, 1020, 1062, 1305);
                connection.rollback();
            }
        }

        private void step(Statement statement) throws SQLException {
            int amount = random.nextInt(50);
            int one = 1 + random.nextInt(ACCOUNTS);
            int other = 1 + random.nextInt(ACCOUNTS);
            switch (random.nextInt(9)) {
                case 0, 1 -> {
                    move(statement, "accounts SET balance = balance", -amount, one);
                    move(statement, "vaults SET amount = amount", amount, other);
                }
                case 2 -> {
                    statement.execute(
                            "UPDATE accounts SET balance = balance - %d, note = '%s' WHERE id = %d"
                                    .formatted(amount, "x".repeat(random.nextInt(3000)), one));
                    move(statement, "accounts SET balance = balance", amount, other);
                }
                case 3 ->
                        statement.execute(
                                "UPDATE vaults SET region = 'r%d' WHERE id = %d"
                                        .formatted(random.nextInt(5), one));
                case 4 ->
                        statement.execute(
                                "INSERT INTO words SELECT CONCAT('%s', seq), seq FROM seq_1_to_%d"
                                                .formatted(word(), 1 + random.nextInt(4))
                                        + " ON DUPLICATE KEY UPDATE n = words.n + 1");
                case 5 ->
                        statement.execute("DELETE FROM words WHERE n = " + (1 + random.nextInt(6)));
                case 6 ->
                        statement.execute(
                                "INSERT INTO scratch SELECT seq, seq FROM seq_%d_to_%d"
                                                .formatted(
                                                        number * 100_000,
                                                        number * 100_000 + one * 20)
                                        + " ON DUPLICATE KEY UPDATE id = -scratch.id");
                case 7 -> events(statement);
                default -> scratch(statement);
            }
        }

        private static void move(Statement statement, String set, int amount, int id)
                throws SQLException {
            statement.execute("UPDATE %s + (%d) WHERE id = %d".formatted(set, amount, id));
        }

        private void events(Statement statement) throws SQLException {
            statement.execute(
                    """
                    INSERT INTO events (at, kind, id, cost)
                    SELECT '1969-12-31 23:59:59.999999' + INTERVAL %d MICROSECOND, 1 + seq %% 3, UUID(), seq / 7 - 1
                    FROM seq_1_to_5
                    """
                            .formatted(random.nextInt(1_000_000)));
            statement.execute("UPDATE events SET kind = 'one' WHERE kind = '\u00e9' LIMIT 2");
            statement.execute("DELETE FROM events ORDER BY id LIMIT 1");
        }

        private void scratch(Statement statement) throws SQLException {
            switch (random.nextInt(15)) {
                case 0 -> statement.execute("TRUNCATE scratch");
                case 1 -> statement.execute("ALTER TABLE scratch ADD INDEX IF NOT EXISTS i (n)");
                default ->
                        statement.execute("DELETE FROM scratch WHERE n % 3 = " + random.nextInt(3));
            }
        }

        private String word() {
            String[] words = {
                "a", "A", "it''s ", "\"", "\\\\", "\uD83D\uDE00", "\u00e9", "e\u0301", " "
            };
            return words[random.nextInt(words.length)] + words[random.nextInt(words.length)];
        }
    }

    private List<Future<Void>> begin(ExecutorService threads) {
        List<Future<Void>> writers = new ArrayList<>();
        for (int i = 1; i <= WRITERS; i++) {
            Writer writer = new Writer(i);
            writers.add(threads.submit(writer::write));
        }
        return writers;
    }

    private static boolean isDone(List<Future<Void>> writers) throws Exception {
        for (Future<Void> writer : writers) {
            if (!writer.isDone()) {
                return false;
            }
            writer.get();
        }
        return true;
    }

    private Snapshot.Builder settings() {
        Database database = Database.connect(server.dataSource());
        Snapshot.Builder builder = Snapshot.of(database).follow(feedOf(server));
        database.schema().tables().forEach(builder::table);
        return builder;
    }

    /** Requires that no version is torn: what one table has lost, another has got. */
    private void requireWhole(Snapshot snapshot) {
        Engine engine = snapshot.pin().engine();
        long sum = sum(engine, "accounts", "balance") + sum(engine, "vaults", "amount");
        assertThat(sum).as("-Dpenstock.seed=%d", seed).isEqualTo(TOTAL);
    }

    private static long sum(Engine engine, String table, String column) {
        Table known = engine.schema().table(table).orElseThrow();
        Plan plan = Plan.of(known).select(List.of(new Plan.Item(column, column)));
        long sum = 0;
        try (Cursor cursor = engine.open(plan)) {
            while (cursor.next()) {
                sum += cursor.getLong(0);
            }
        }
        return sum;
    }

    /** Requires that memory has what the database has, once nobody writes. */
    private void requireSame(Snapshot snapshot) {
        Database database = Database.connect(server.dataSource());
        for (Table table : database.schema().tables()) {
            assertThat(FollowedPostgres.rows(snapshot.pin().engine(), table))
                    .as("%s, -Dpenstock.seed=%d", table.name(), seed)
                    .isEqualTo(FollowedPostgres.rows(database, table));
        }
    }

    private static void refresh(Snapshot snapshot) {
        while (true) {
            try {
                snapshot.refresh();
                return;
            } catch (QueryException e) {
                requireExpected(e);
                // The feed says so at once until it is connected again, for which it needs a
                // processor.
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    /** A table was truncated after the transaction began that reads it, or the log was being connected to again. */
    private static void requireExpected(QueryException e) {
        assertThat(e.getMessage()).containsAnyOf("definition has changed", "binary log");
    }

    @Test
    void versions_whileOthersWrite_areCommittedStates() throws Exception {
        try (Snapshot snapshot = settings().load();
                ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
            List<Future<Void>> writers = begin(threads);
            while (!isDone(writers)) {
                refresh(snapshot);
                requireWhole(snapshot);
            }
            refresh(snapshot);
            requireWhole(snapshot);
            requireSame(snapshot);
        }
    }

    @Test
    void versions_whileTheFeedIsDisturbed_areCommittedStates() throws Exception {
        Random random = new Random(seed);
        try (Snapshot snapshot = settings().load();
                ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
            List<Future<Void>> writers = begin(threads);
            while (!isDone(writers)) {
                switch (random.nextInt(8)) {
                    case 0 -> LoggedMariaDb.killDumps(server);
                    case 1, 2 -> server.execute("FLUSH BINARY LOGS");
                    case 3 -> server.execute("RESET MASTER");
                    default -> {}
                }
                refresh(snapshot);
                requireWhole(snapshot);
            }
            refresh(snapshot);
            requireWhole(snapshot);
            requireSame(snapshot);
        }
    }

    private Snapshot load(Path file) {
        while (true) {
            try {
                return settings().file(file).load();
            } catch (QueryException e) {
                requireExpected(e);
            }
        }
    }

    @Test
    void versions_ofSnapshotsThatStartAgain_missNothing() throws Exception {
        Path file = directory.resolve("bank.penstock");
        try (ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
            List<Future<Void>> writers = begin(threads);
            Random random = new Random(seed);
            boolean isFirst = true;
            boolean isLast = false;
            while (!isLast) {
                isLast = isDone(writers);
                try (Snapshot snapshot = load(file)) {
                    assertThat(snapshot.isFromFile()).isEqualTo(!isFirst);
                    requireWhole(snapshot);
                    for (int i = random.nextInt(4); i >= 0; i--) {
                        refresh(snapshot);
                        requireWhole(snapshot);
                        if (isFirst || random.nextBoolean()) {
                            snapshot.save();
                            isFirst = false;
                        }
                    }
                    if (isLast) {
                        requireSame(snapshot);
                    }
                }
            }
        }
    }
}
