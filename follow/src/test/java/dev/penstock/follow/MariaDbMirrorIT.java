package dev.penstock.follow;

import static dev.penstock.follow.LoggedMariaDb.feedOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.snapshot.ChangeFeed.ChangedRows;
import dev.penstock.snapshot.ChangeFeed.ChangedRows.Keys;
import dev.penstock.snapshot.ChangeFeed.Changes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies of tables that are kept by what a feed says, while several writers change the tables at random. */
class MariaDbMirrorIT {
    private static final List<String> NAMES = List.of("one", "two");
    private static final int ACCOUNTS = 40;
    private static final int TRANSACTIONS = 150;

    private final TestDatabase database = TestDatabase.createLogged(Kind.MARIADB);
    private final long seed = System.nanoTime();
    private final Map<String, Map<String, Long>> copies = new HashMap<>();
    private List<Table> tables = List.of();

    @BeforeEach
    void fill() {
        for (String name : NAMES) {
            database.execute(
                    "CREATE TABLE %s (id VARCHAR(20) COLLATE utf8mb4_bin PRIMARY KEY, amount BIGINT)"
                            .formatted(name),
                    "INSERT INTO %s SELECT CONCAT('\uD83D\uDE00''', seq), 1000 FROM seq_1_to_%d"
                            .formatted(name, ACCOUNTS));
            copies.put(name, new TreeMap<>());
        }
        Database known = Database.connect(database.dataSource());
        tables = NAMES.stream().map(known::table).toList();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private MariaDbFeed feed() {
        return feedOf(database);
    }

    @Test
    void take_writersAtOnce_everyCopyIsOfOneMoment() throws Exception {
        try (MariaDbFeed feed = feed();
                ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            feed.start(tables, null);
            readAll();
            List<Future<?>> writers = writers(executor);
            while (writers.stream().anyMatch(each -> !each.isDone())) {
                if (feed.await(Duration.ofMillis(20))) {
                    refresh(feed);
                }
            }
            join(writers);
            refresh(feed);
            assertSame();
        }
    }

    @Test
    void take_filesBegunAllTheTime_everyCopyIsOfOneMoment() throws Exception {
        database.execute("SET GLOBAL max_binlog_size = 4096");
        try (MariaDbFeed feed = feed();
                ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            feed.start(tables, null);
            readAll();
            List<Future<?>> writers = writers(executor);
            while (writers.stream().anyMatch(each -> !each.isDone())) {
                database.execute("FLUSH BINARY LOGS");
                refresh(feed);
            }
            join(writers);
            refresh(feed);
            assertSame();
            while (!feed.take().tables().isEmpty()) {
                feed.await(Duration.ofSeconds(1));
            }
        } finally {
            database.execute("SET GLOBAL max_binlog_size = " + (64 << 20));
        }
    }

    @Test
    void start_againAndAgainWhileWritersChange_nothingIsMissing() throws Exception {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            MariaDbFeed feed = feed();
            feed.start(tables, null);
            readAll();
            String position = refresh(feed);
            List<Future<?>> writers = writers(executor);
            while (writers.stream().anyMatch(each -> !each.isDone())) {
                position = refresh(feed);
                refresh(feed);
                feed.close();
                feed = feed();
                assertThat(feed.start(tables, position)).isTrue();
            }
            join(writers);
            refresh(feed);
            assertSame();
            feed.close();
        }
    }

    private static void join(List<Future<?>> writers)
            throws ExecutionException, InterruptedException {
        for (Future<?> writer : writers) {
            writer.get();
        }
    }

    private List<Future<?>> writers(ExecutorService executor) {
        return IntStream.range(0, 4)
                .<Future<?>>mapToObj(i -> executor.submit(() -> write(new Random(seed + i))))
                .toList();
    }

    /** Moves amounts between accounts of both tables, opens and closes accounts, and gives them other names. */
    private Void write(Random random) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < TRANSACTIONS; i++) {
                try {
                    change(statement, random);
                    if (random.nextInt(6) == 0) {
                        connection.rollback();
                    } else {
                        connection.commit();
                    }
                } catch (SQLException e) {
                    // A deadlock, or an account that another writer has opened or closed.
                    connection.rollback();
                }
            }
        }
        return null;
    }

    private static void change(Statement statement, Random random) throws SQLException {
        String from = NAMES.get(random.nextInt(2));
        String to = NAMES.get(random.nextInt(2));
        long amount = random.nextInt(100);
        switch (random.nextInt(5)) {
            case 0, 1 -> {
                move(statement, from, id(random), -amount);
                statement.execute("SAVEPOINT s");
                move(statement, to, id(random), amount + 1);
                statement.execute("ROLLBACK TO SAVEPOINT s");
                move(statement, to, id(random), amount);
            }
            case 2 -> {
                String other = "'new" + random.nextInt(1_000_000) + "'";
                statement.execute("INSERT INTO " + to + " VALUES (" + other + ", 0)");
                move(statement, to, other, amount);
                move(statement, from, id(random), -amount);
            }
            case 3 ->
                    statement.execute(
                            "UPDATE %s SET id = CONCAT(id, 'x') WHERE id LIKE 'new%%' AND LENGTH(id) < 19 LIMIT 3"
                                    .formatted(from));
            default -> statement.execute("DELETE FROM %s WHERE amount = 0".formatted(from));
        }
    }

    private static String id(Random random) {
        return "'\uD83D\uDE00''" + (1 + random.nextInt(ACCOUNTS)) + "'";
    }

    private static void move(Statement statement, String table, String id, long amount)
            throws SQLException {
        int changed =
                statement.executeUpdate(
                        "UPDATE %s SET amount = amount + %d WHERE id = %s"
                                .formatted(table, amount, id));
        if (changed != 1) {
            throw new SQLException("no account " + id);
        }
    }

    private void readAll() throws SQLException {
        try (Connection connection = begun()) {
            for (String name : NAMES) {
                readAll(connection, name);
            }
        }
    }

    private Connection begun() throws SQLException {
        Connection connection = database.connect();
        try (Statement statement = connection.createStatement()) {
            statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
        }
        return connection;
    }

    private void readAll(Connection connection, String name) throws SQLException {
        Map<String, Long> copy = copies.get(name);
        copy.clear();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT id, amount FROM " + name)) {
            while (row.next()) {
                copy.put(row.getString(1), row.getLong(2));
            }
        }
    }

    /** Reads what has changed, as it is at one moment. Returns the position of what was taken. */
    private String refresh(MariaDbFeed feed) throws SQLException {
        Changes taken = feed.take();
        try (Connection connection = begun()) {
            Map<String, ChangedRows> peeked = feed.peek();
            for (String name : NAMES) {
                ChangedRows rows = joined(taken.tables().get(name), peeked.get(name));
                if (rows instanceof Keys(Set<List<Object>> keys)) {
                    for (List<Object> key : keys) {
                        read(connection, name, (String) key.getFirst());
                    }
                } else if (rows != null) {
                    readAll(connection, name);
                }
            }
        }
        assertThat(
                        copies.values().stream()
                                .flatMap(copy -> copy.values().stream())
                                .mapToLong(Long::longValue)
                                .sum())
                .as("the sum of all accounts; seed %d", seed)
                .isEqualTo(2L * ACCOUNTS * 1000);
        return taken.position();
    }

    private static ChangedRows joined(ChangedRows one, ChangedRows other) {
        return one == null ? other : other == null ? one : one.and(other);
    }

    private void read(Connection connection, String name, String key) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT amount FROM " + name + " WHERE id = ?")) {
            statement.setString(1, key);
            try (ResultSet row = statement.executeQuery()) {
                if (row.next()) {
                    copies.get(name).put(key, row.getLong(1));
                } else {
                    copies.get(name).remove(key);
                }
            }
        }
    }

    private void assertSame() throws SQLException {
        Map<String, Map<String, Long>> kept = new HashMap<>();
        copies.forEach((name, copy) -> kept.put(name, new TreeMap<>(copy)));
        readAll();
        assertThat(kept).as("seed %d", seed).isEqualTo(copies);
    }
}
