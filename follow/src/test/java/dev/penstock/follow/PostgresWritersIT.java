package dev.penstock.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.snapshot.PinnedVersion;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several writers of random transactions, and a snapshot that follows them: each version is a state that was committed,
 * and the last one is what the database has. Other transactions each time with {@code -Dpenstock.soak=true}.
 */
@Timeout(600)
class PostgresWritersIT {
    private static final boolean SOAK = Boolean.getBoolean("penstock.soak");
    private static final int WRITERS = 3;
    private static final int TRANSACTIONS = SOAK ? 5_000 : 150;
    private static final int ACCOUNTS = 40;
    private static final long TOTAL = 2L * ACCOUNTS * 1000;

    /** The failures of refreshes where a table is emptied again and again, or a slot is dropped. */
    private static final String[] DISTURBED = {"lock timeout", "written anew", "slot"};

    private static final String[] TABLES = {
        "CREATE TABLE accounts (id int PRIMARY KEY, balance bigint NOT NULL, note text)",
        "CREATE TABLE vaults (region text, id int, amount bigint NOT NULL, PRIMARY KEY (region, id))",
        "CREATE TABLE words (word text PRIMARY KEY, n int)",
        "CREATE TABLE scratch (id bigint PRIMARY KEY, n int)",
        "INSERT INTO accounts SELECT x, 1000, NULL FROM generate_series(1, " + ACCOUNTS + ") x",
        "INSERT INTO vaults SELECT 'r' || x % 3, x, 1000 FROM generate_series(1, "
                + ACCOUNTS
                + ") x",
    };

    private final long seed = Long.getLong("penstock.seed", SOAK ? System.nanoTime() : 1);

    @TempDir Path directory;

    /** A writer of transactions. */
    private final class Writer {
        private final FollowedPostgres database;
        private final Random random;
        private final int number;

        Writer(FollowedPostgres database, int number) {
            this.database = database;
            this.number = number;
            random = new Random(seed * 31 + number);
        }

        Void write() throws SQLException {
            try (Connection connection = database.server().connect();
                    Statement statement = connection.createStatement()) {
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
                // Two writers waited for each other, or a key was there already.
                assertThat(e.getSQLState()).isIn("40P01", "23505", "21000");
                connection.rollback();
            }
        }

        private void step(Statement statement) throws SQLException {
            int amount = random.nextInt(50);
            int one = 1 + random.nextInt(ACCOUNTS);
            int other = 1 + random.nextInt(ACCOUNTS);
            switch (random.nextInt(9)) {
                case 0, 1, 2 -> {
                    statement.execute(
                            "UPDATE accounts SET balance = balance - "
                                    + amount
                                    + " WHERE id = "
                                    + one);
                    statement.execute(
                            "UPDATE vaults SET amount = amount + "
                                    + amount
                                    + " WHERE id = "
                                    + other);
                }
                case 3 -> {
                    statement.execute(
                            "UPDATE accounts SET balance = balance - %d, note = '%s' WHERE id = %d"
                                    .formatted(amount, "x".repeat(random.nextInt(3000)), one));
                    statement.execute(
                            "UPDATE accounts SET balance = balance + %d WHERE id = %d"
                                    .formatted(amount, other));
                }
                case 4 ->
                        statement.execute(
                                "UPDATE vaults SET region = 'r%d' WHERE id = %d"
                                        .formatted(random.nextInt(5), one));
                case 5 ->
                        statement.execute(
                                "INSERT INTO words SELECT '%s' || x, x FROM generate_series(1, %d) x"
                                                .formatted(word(), 1 + random.nextInt(4))
                                        + " ON CONFLICT (word) DO UPDATE SET n = words.n + 1");
                case 6 ->
                        statement.execute("DELETE FROM words WHERE n = " + (1 + random.nextInt(6)));
                case 7 ->
                        statement.execute(
                                "INSERT INTO scratch SELECT x, x FROM generate_series(%1$d, %1$d + %2$d) x"
                                                .formatted(
                                                        number * 1_000_000L + random.nextInt(9999),
                                                        random.nextInt(900))
                                        + " ON CONFLICT (id) DO UPDATE SET id = -scratch.id");
                default -> {
                    if (random.nextInt(12) == 0) {
                        statement.execute("TRUNCATE scratch");
                    } else {
                        statement.execute("DELETE FROM scratch WHERE n % 3 = " + random.nextInt(3));
                    }
                }
            }
        }

        private String word() {
            String[] words = {
                "a", "A", "it''s ", "\"", "\\", "\uD83D\uDE00", "\u00e9", "e\u0301", " "
            };
            return words[random.nextInt(words.length)] + words[random.nextInt(words.length)];
        }
    }

    private List<Future<Void>> begin(FollowedPostgres database, ExecutorService threads) {
        List<Future<Void>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            Writer writer = new Writer(database, i);
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

    /** Requires that no version is torn: what one table has lost, another has got. */
    private void requireWhole(Snapshot snapshot) {
        try (PinnedVersion pinned = snapshot.pin()) {
            Engine engine = pinned.engine();
            long sum = sum(engine, "accounts", "balance") + sum(engine, "vaults", "amount");
            assertThat(sum)
                    .as("-Dpenstock.seed=%d, version %s", seed, pinned.version())
                    .isEqualTo(TOTAL);
        }
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

    @Test
    void versions_whileOthersWrite_areCommittedStates() throws Exception {
        try (FollowedPostgres database = new FollowedPostgres(TABLES);
                Snapshot snapshot = database.follow();
                ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
            List<Future<Void>> writers = begin(database, threads);
            while (!isDone(writers)) {
                refresh(snapshot);
                requireWhole(snapshot);
            }
            refresh(snapshot);
            requireWhole(snapshot);
            database.requireSame(snapshot);
        }
    }

    @Test
    void versions_whileTheFeedIsDisturbed_areCommittedStates() throws Exception {
        Random random = new Random(seed);
        try (FollowedPostgres database = new FollowedPostgres(TABLES);
                Snapshot snapshot = database.follow();
                ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
            List<Future<Void>> writers = begin(database, threads);
            int slots = SOAK ? 20 : 2;
            while (!isDone(writers)) {
                int what = random.nextInt(10);
                if (what == 0 && slots-- > 0) {
                    database.dropSlot();
                } else if (what < 3) {
                    database.breakOff();
                }
                refresh(snapshot);
                requireWhole(snapshot);
            }
            refresh(snapshot);
            requireWhole(snapshot);
            database.requireSame(snapshot);
        }
    }

    private static Snapshot follow(FollowedPostgres database, Path file) throws SQLException {
        while (true) {
            try {
                return database.follow(file);
            } catch (QueryException e) {
                // A TRUNCATE came between.
                assertThat(e.getMessage()).containsAnyOf(DISTURBED);
            }
        }
    }

    private static void refresh(Snapshot snapshot) {
        while (true) {
            try {
                snapshot.refresh();
                return;
            } catch (QueryException e) {
                // A TRUNCATE and the refresh waited for each other, or the slot was dropped before
                // it was read.
                assertThat(e.getMessage()).containsAnyOf(DISTURBED);
            }
        }
    }

    @Test
    void versions_ofSnapshotsThatStartAgain_missNothing() throws Exception {
        Path file = directory.resolve("bank.penstock");
        try (FollowedPostgres database = new FollowedPostgres(TABLES);
                ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
            List<Future<Void>> writers = begin(database, threads);
            Random random = new Random(seed);
            boolean isFirst = true;
            boolean isLast = false;
            while (!isLast) {
                isLast = isDone(writers);
                try (Snapshot snapshot = follow(database, file)) {
                    // Where a table was emptied since it was saved, the file is no beginning.
                    assertThat(isFirst && snapshot.isFromFile()).isFalse();
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
                        database.requireSame(snapshot);
                        snapshot.save();
                    }
                }
            }
            try (Snapshot snapshot = follow(database, file)) {
                assertThat(snapshot.isFromFile()).isTrue();
                database.requireSame(snapshot);
            }
        }
    }
}
