package dev.penstock.follow;

import static dev.penstock.follow.LoggedMariaDb.feedOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.follow.binlog.BinlogQueries;
import dev.penstock.follow.binlog.SavedPosition;
import dev.penstock.query.QueryException;
import dev.penstock.snapshot.ChangeFeed.ChangedRows;
import dev.penstock.snapshot.ChangeFeed.ChangedRows.Keys;
import dev.penstock.snapshot.ChangeFeed.Changes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class MariaDbLogIT extends MariaDbFeedTests {
    @Test
    void start_positionOfBefore_goesOnFromThere() {
        database.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        MariaDbFeed first = following("t");
        database.execute("INSERT INTO t VALUES (1)");
        String position = changes(first).position();
        database.execute("INSERT INTO t VALUES (2)");
        first.close();
        database.execute("FLUSH BINARY LOGS", "INSERT INTO t VALUES (3)");
        MariaDbFeed second = feed();
        assertThat(second.start(tables("t"), position)).isTrue();
        assertThat(changes(second).tables()).isEqualTo(Map.of("t", keys(2, 3)));
    }

    @Test
    void start_positionOfAnotherLog_false() {
        database.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        MariaDbFeed first = following("t");
        database.execute("INSERT INTO t VALUES (1)");
        String position = changes(first).position();
        for (String other :
                List.of(
                        "0/16B3748",
                        position.replaceAll("[0-9]+$", "1"),
                        position.replaceFirst(":[0-9]+:", ":5:"),
                        position.replaceFirst("[0-9]+:", "999999:"))) {
            MariaDbFeed second = feed();
            assertThat(second.start(tables("t"), other)).as(other).isFalse();
            database.execute("INSERT INTO t VALUES (2)");
            assertThat(changes(second).tables()).isEqualTo(Map.of("t", keys(2)));
            database.execute("DELETE FROM t WHERE id = 2");
            second.close();
        }
    }

    @Test
    void start_logPurged_false() throws SQLException {
        database.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        MariaDbFeed first = following("t");
        String position = changes(first).position();
        first.close();
        String file = position.substring(0, position.indexOf(':'));
        // The server notices only when it writes that nobody reads a file any more.
        while (logs().contains(file)) {
            database.execute(
                    "FLUSH BINARY LOGS", "PURGE BINARY LOGS BEFORE NOW() + INTERVAL 1 DAY");
        }
        MariaDbFeed second = feed();
        assertThat(second.start(tables("t"), position)).isFalse();
    }

    @Test
    void start_manyFilesBegunWithoutTransactions_followsFromTheLast() {
        database.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        String[] flushes = new String[60];
        Arrays.fill(flushes, "FLUSH BINARY LOGS");
        for (int i = 0; i < 3; i++) {
            database.execute("INSERT INTO t VALUES (" + i + ")");
            database.execute(flushes);
            MariaDbFeed feed = following("t");
            database.execute("INSERT INTO t VALUES (" + (i + 100) + ")");
            assertThat(changes(feed).tables()).isEqualTo(Map.of("t", keys(i + 100)));
        }
    }

    @Test
    void take_connectionKilled_goesOnFromWhereItWas() throws SQLException {
        database.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        MariaDbFeed feed = following("t");
        for (int i = 0; i < 5; i++) {
            database.execute("INSERT INTO t VALUES (" + i + ")");
            LoggedMariaDb.killDumps(database);
            database.execute("INSERT INTO t VALUES (" + (i + 100) + ")");
            assertThat(changes(feed).tables()).isEqualTo(Map.of("t", keys(i, i + 100)));
        }
    }

    private List<String> logs() throws SQLException {
        List<String> logs = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW BINARY LOGS")) {
            while (row.next()) {
                logs.add(row.getString(1));
            }
        }
        return logs;
    }

    /** Takes all that was committed, once the feed has connected again: the later it can, the longer it rests. */
    private static Changes changesOnceReached(MariaDbFeed feed) {
        while (true) {
            try {
                return changes(feed);
            } catch (QueryException e) {
                assertThat(e.kind()).isEqualTo(QueryException.Kind.UNAVAILABLE);
            }
        }
    }

    @Test
    void take_serverNotReached_unavailableAndThenNothingIsMissing() throws Exception {
        database.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        String port = database.url().replaceFirst(".*:([0-9]+)/.*", "$1");
        try (TcpProxy proxy = new TcpProxy(Integer.parseInt(port))) {
            String url = database.url().replace(":" + port + "/", ":" + proxy.port() + "/");
            MariaDbFeed feed = feedOf(url, database.user(), database.password());
            feeds.add(feed);
            assertThat(feed.start(tables("t"), null)).isTrue();
            database.execute("INSERT INTO t VALUES (1)");
            feed.peek();
            proxy.cut();
            database.execute("INSERT INTO t VALUES (2)");
            assertThatThrownBy(feed::take)
                    .isInstanceOfSatisfying(
                            QueryException.class,
                            e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.UNAVAILABLE))
                    .hasMessageStartingWith(
                            "asking MariaDB which transactions are visible failed: ");
            database.execute("INSERT INTO t VALUES (3)");
            proxy.restore();
            assertThat(changesOnceReached(feed).tables()).isEqualTo(Map.of("t", keys(1, 2, 3)));
            feed.close();
        }
    }

    /** Takes all that was committed; the feed fails once, unless it has seen by itself that the log is another one. */
    private static Changes changesOfALogBegunAnew(MariaDbFeed feed) {
        try {
            return changes(feed);
        } catch (QueryException e) {
            assertThat(e).hasMessageContaining("it was begun anew, and is read anew");
            return changesOnceReached(feed);
        }
    }

    @Test
    void take_logBegunAnew_allRowsOfAllTables() {
        database.execute(
                "CREATE TABLE t (id INT PRIMARY KEY)", "CREATE TABLE other (id INT PRIMARY KEY)");
        MariaDbFeed feed = following("t", "other");
        database.execute("FLUSH BINARY LOGS", "INSERT INTO t VALUES (1)");
        assertThat(changes(feed).tables()).isEqualTo(Map.of("t", keys(1)));
        database.execute("RESET MASTER", "INSERT INTO t VALUES (2)");
        assertThat(changesOfALogBegunAnew(feed).tables()).isEqualTo(Map.of("t", ALL, "other", ALL));
        database.execute("INSERT INTO t VALUES (3)");
        assertThat(changes(feed).tables()).isEqualTo(Map.of("t", keys(3)));
    }

    private static Set<List<Object>> keysOf(int file) {
        Set<List<Object>> keys = new HashSet<>();
        for (int row = 0; row <= file; row++) {
            keys.add(List.of(file * 10 + row));
        }
        return keys;
    }

    /** Waits until the server says that earlier files are done: said after a transaction, it has that told again. */
    private void awaitCheckpoint() throws SQLException {
        try (Connection connection = database.connect()) {
            SavedPosition _ = BinlogQueries.here(connection);
        }
    }

    @Test
    void take_filesRotated_keysOfEach() throws SQLException {
        database.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        MariaDbFeed feed = following("t");
        for (int i = 0; i < 3; i++) {
            database.execute("FLUSH BINARY LOGS");
            awaitCheckpoint();
            // Files of other lengths, so that no place in one is taken for one in another.
            for (int row = 0; row <= i; row++) {
                database.execute("INSERT INTO t VALUES (" + (i * 10 + row) + ")");
            }
            ChangedRows expected = new Keys(keysOf(i));
            assertThat(changes(feed).tables()).isEqualTo(Map.of("t", expected));
        }
    }

    @Test
    void take_writersAtOnce_everyKey() throws InterruptedException {
        database.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        MariaDbFeed feed = following("t");
        List<Thread> writers =
                IntStream.range(0, 4)
                        .mapToObj(writer ->
                                Thread.ofVirtual()
                                        .start(() -> {
                                            String[] inserts =
                                                    IntStream.range(0, 250)
                                                            .mapToObj(i ->
                                                                    "INSERT INTO t VALUES ("
                                                                            + (writer * 1000 + i)
                                                                            + ")")
                                                            .toArray(String[]::new);
                                            database.execute(inserts);
                                        }))
                        .toList();
        Set<List<Object>> all = new java.util.HashSet<>();
        while (writers.stream().anyMatch(Thread::isAlive)) {
            if (feed.await(Duration.ofMillis(10))) {
                gather(feed.take(), all);
            }
        }
        gather(changes(feed), all);
        assertThat(all).hasSize(1000);
    }

    private static void gather(Changes taken, Set<List<Object>> all) {
        if (taken.tables().get("t") instanceof Keys(Set<List<Object>> keys)) {
            all.addAll(keys);
        }
    }
}
