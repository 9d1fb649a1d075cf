package dev.penstock.follow;

import static dev.penstock.follow.LoggedMariaDb.feedOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.snapshot.ChangeFeed.ChangedRows.Keys;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(600)
class MariaDbFeedIT extends MariaDbFeedTests {
    @Test
    void take_changesOfOneTransaction_keysOfTheirRows() {
        database.execute(
                "CREATE TABLE t (id INT PRIMARY KEY, a INT)",
                "CREATE TABLE other (id INT PRIMARY KEY, a INT)",
                "INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)");
        MariaDbFeed feed = following("t", "other");
        assertThat(changes(feed).tables()).isEmpty();
        database.execute(
                "START TRANSACTION",
                "INSERT INTO t VALUES (4, 4), (5, 5)",
                "UPDATE t SET a = 7 WHERE id = 1",
                "UPDATE t SET id = 20 WHERE id = 2",
                "DELETE FROM t WHERE id = 3",
                "INSERT INTO other VALUES (9, 9)",
                "COMMIT");
        assertThat(changes(feed).tables())
                .isEqualTo(Map.of("t", keys(1, 2, 20, 3, 4, 5), "other", keys(9)));
        assertThat(changes(feed).tables()).isEmpty();
    }

    @Test
    void take_rolledBack_nothing() {
        database.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        MariaDbFeed feed = following("t");
        database.execute(
                "START TRANSACTION",
                "INSERT INTO t VALUES (1)",
                "ROLLBACK",
                "START TRANSACTION",
                "INSERT INTO t VALUES (2)",
                "SAVEPOINT s",
                "INSERT INTO t VALUES (3)",
                "ROLLBACK TO s",
                "INSERT INTO t VALUES (4)",
                "COMMIT");
        assertThat(changes(feed).tables()).isEqualTo(Map.of("t", keys(2, 4)));
    }

    @Test
    void take_notCommitted_nothingBeforeTheCommit() throws SQLException {
        database.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        MariaDbFeed feed = following("t");
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("INSERT INTO t VALUES (1)");
            assertThat(changes(feed).tables()).isEmpty();
            connection.commit();
        }
        assertThat(changes(feed).tables()).isEqualTo(Map.of("t", keys(1)));
    }

    @Test
    void await_commit_trueSoon() throws InterruptedException {
        database.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        MariaDbFeed feed = following("t");
        assertThat(feed.await(Duration.ofMillis(1))).isFalse();
        database.execute("INSERT INTO t VALUES (1)");
        assertThat(feed.await(Duration.ofSeconds(60))).isTrue();
        feed.close();
        assertThat(feed.await(Duration.ofSeconds(60))).isFalse();
    }

    @Test
    void take_moreKeysThanMayWait_allRows() {
        database.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        MariaDbFeed feed = following("t");
        database.execute("INSERT INTO t SELECT seq FROM seq_1_to_100000");
        assertThat(feed.peek().get("t")).isInstanceOf(Keys.class);
        database.execute("INSERT INTO t VALUES (0)");
        assertThat(changes(feed).tables()).isEqualTo(Map.of("t", ALL));
        database.execute("INSERT INTO t VALUES (-1)");
        assertThat(changes(feed).tables()).isEqualTo(Map.of("t", keys(-1)));
        database.execute("INSERT INTO t SELECT seq FROM seq_100001_to_200001");
        assertThat(changes(feed).tables()).isEqualTo(Map.of("t", ALL));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TRUNCATE t",
                "ALTER TABLE t ADD COLUMN b INT FIRST",
                "ALTER TABLE t DROP COLUMN a",
                "ALTER TABLE t MODIFY COLUMN a BIGINT AFTER id",
                "/* a comment */ CREATE INDEX i ON `t` (a)",
                "RENAME TABLE t TO u, u TO t"
            })
    void take_definitionChanged_allRowsAndKeysAgain(String statement) {
        database.execute(
                "CREATE TABLE t (a INT, id INT PRIMARY KEY)",
                "CREATE TABLE tt (id INT PRIMARY KEY)",
                "INSERT INTO t (id) VALUES (1)");
        MariaDbFeed feed = following("t", "tt");
        database.execute(statement);
        assertThat(changes(feed).tables()).isEqualTo(Map.of("t", ALL));
        database.execute("INSERT INTO t (id) VALUES (2)", "INSERT INTO tt VALUES (7)");
        assertThat(changes(feed).tables()).isEqualTo(Map.of("t", keys(2), "tt", keys(7)));
    }

    @Test
    void take_otherTablesDefined_nothing() {
        database.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        MariaDbFeed feed = following("t");
        database.execute(
                "CREATE TABLE t2 (id INT PRIMARY KEY, t_ INT, tt GEOMETRY, z INET6, k TEXT COMPRESSED)",
                "INSERT INTO t2 VALUES (1, 1, POINT(1, 1), '::1', REPEAT('x', 300))",
                "ANALYZE TABLE t",
                "DROP TABLE t2",
                "GRANT SELECT ON *.* TO '" + database.user() + "'@'%'");
        assertThat(changes(feed).tables()).isEmpty();
    }

    @Test
    void take_cascades_allRowsOfTablesThatTheLogLeavesOut() {
        database.execute(
                "CREATE TABLE grand (id INT PRIMARY KEY, other INT)",
                "CREATE TABLE parent (id INT PRIMARY KEY, grand INT, CONSTRAINT FOREIGN KEY (grand)"
                        + " REFERENCES grand (id) ON DELETE CASCADE ON UPDATE CASCADE)",
                "CREATE TABLE child (id INT PRIMARY KEY, parent INT, CONSTRAINT FOREIGN KEY (parent)"
                        + " REFERENCES parent (id) ON DELETE SET NULL)",
                "CREATE TABLE apart (id INT PRIMARY KEY, grand INT, CONSTRAINT FOREIGN KEY (grand)"
                        + " REFERENCES grand (id))",
                "INSERT INTO grand VALUES (1, 1), (2, 2), (3, 3)",
                "INSERT INTO parent VALUES (10, 1), (20, 2)",
                "INSERT INTO child VALUES (100, 10), (200, 20)",
                "INSERT INTO apart VALUES (1000, 3)");
        MariaDbFeed feed = following("child", "apart", "parent");
        database.execute("UPDATE grand SET other = 9", "INSERT INTO grand VALUES (4, 4)");
        assertThat(changes(feed).tables()).isEmpty();
        database.execute("UPDATE grand SET id = 11 WHERE id = 1");
        assertThat(changes(feed).tables()).isEqualTo(Map.of("parent", ALL, "child", ALL));
        database.execute("UPDATE parent SET grand = 4 WHERE id = 10");
        assertThat(changes(feed).tables()).isEqualTo(Map.of("parent", keys(10)));
        database.execute("DELETE FROM grand WHERE id = 2");
        assertThat(changes(feed).tables()).isEqualTo(Map.of("parent", ALL, "child", ALL));
        assertThat(count("SELECT COUNT(*) FROM child WHERE parent IS NULL")).isEqualTo(1);
        database.execute(
                "ALTER TABLE apart ADD CONSTRAINT FOREIGN KEY (grand) REFERENCES grand (id) ON DELETE CASCADE");
        assertThat(changes(feed).tables()).containsEntry("apart", ALL);
        database.execute("INSERT INTO grand VALUES (5, 5)", "DELETE FROM grand WHERE id = 5");
        assertThat(changes(feed).tables()).containsEntry("apart", ALL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"FULL", "MINIMAL"})
    void take_cascadesOfRowImages_allRowsWhereTheyHandDown(String image) {
        database.execute(
                "CREATE TABLE parent (a INT, code VARCHAR(10) UNIQUE, id INT PRIMARY KEY)",
                "CREATE TABLE child (id INT PRIMARY KEY, code VARCHAR(10), CONSTRAINT FOREIGN KEY (code)"
                        + " REFERENCES parent (code) ON UPDATE CASCADE ON DELETE CASCADE)",
                "INSERT INTO parent VALUES (1, 'x', 1), (2, 'y', 2)",
                "INSERT INTO child VALUES (10, 'x'), (20, 'y')");
        MariaDbFeed feed = following("child");
        String images = "SET SESSION binlog_row_image = " + image;
        database.execute(images, "UPDATE parent SET a = a + 1");
        assertThat(changes(feed).tables()).isEmpty();
        database.execute(images, "UPDATE parent SET code = '' WHERE id = 1");
        assertThat(changes(feed).tables()).isEqualTo(Map.of("child", ALL));
        database.execute(images, "REPLACE INTO parent VALUES (5, 'y', 2)");
        assertThat(count("SELECT COUNT(*) FROM child")).isEqualTo(1);
        assertThat(changes(feed).tables()).isEqualTo(Map.of("child", ALL));
    }

    @Test
    void take_sessionLogsStatements_allRowsOfAllTables() {
        database.execute(
                "CREATE TABLE t (id INT PRIMARY KEY)", "CREATE TABLE other (id INT PRIMARY KEY)");
        MariaDbFeed feed = following("t", "other");
        database.execute(
                "SET SESSION binlog_format = STATEMENT",
                "INSERT INTO t VALUES (1)",
                "SET SESSION binlog_format = ROW",
                "INSERT INTO t VALUES (2)");
        assertThat(changes(feed).tables()).isEqualTo(Map.of("t", ALL, "other", ALL));
        database.execute("INSERT INTO t VALUES (3)");
        assertThat(changes(feed).tables()).isEqualTo(Map.of("t", keys(3)));
    }

    @Test
    void start_engineWithoutTransactions_refused() {
        database.execute("CREATE TABLE t (id INT PRIMARY KEY, a INT) ENGINE = MyISAM");
        MariaDbFeed feed = feed();
        assertThatThrownBy(() -> feed.start(tables("t"), null))
                .hasMessage(
                        "MariaDB's changes can't be followed: table t is of the engine MyISAM, which has no"
                                + " transactions, so that its rows are not of one moment: ALTER TABLE `t` ENGINE = InnoDB");
    }

    @Test
    void take_cascadesFromWhatTheUserCantSee_allRows() {
        database.execute(
                "CREATE TABLE grand (id INT PRIMARY KEY, a INT)",
                "CREATE TABLE parent (id INT PRIMARY KEY, CONSTRAINT FOREIGN KEY (id)"
                        + " REFERENCES grand (id) ON DELETE CASCADE)",
                "CREATE TABLE child (id INT PRIMARY KEY, CONSTRAINT FOREIGN KEY (id)"
                        + " REFERENCES parent (id) ON DELETE CASCADE)",
                "INSERT INTO grand VALUES (1, 1), (2, 2)",
                "INSERT INTO parent VALUES (1), (2)",
                "INSERT INTO child VALUES (1), (2)",
                "CREATE OR REPLACE USER reader@'%' IDENTIFIED BY 'secret'",
                "GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO reader@'%'",
                "GRANT SELECT ON child TO reader@'%'",
                "GRANT SELECT ON parent TO reader@'%'");
        MariaDbFeed feed = feedOf(database.url(), "reader", "secret");
        feeds.add(feed);
        assertThat(feed.start(tables("child"), null)).isTrue();
        database.execute(
                "INSERT INTO child SELECT 3 WHERE FALSE", "UPDATE child SET id = 1 WHERE id = 1");
        assertThat(changes(feed).tables()).isEmpty();
        database.execute("DELETE FROM parent WHERE id = 1");
        assertThat(changes(feed).tables()).isEqualTo(Map.of("child", ALL));
        database.execute("DELETE FROM grand WHERE id = 2");
        assertThat(count("SELECT COUNT(*) FROM child")).isZero();
        assertThat(changes(feed).tables()).isEqualTo(Map.of("child", ALL));
        feed.close();
        database.execute("DROP USER reader@'%'");
    }

    @Test
    void take_rowsGoneFromVersionedParent_allRowsBelow() {
        database.execute(
                "CREATE TABLE parent (id INT PRIMARY KEY, a INT) WITH SYSTEM VERSIONING",
                "CREATE TABLE child (id INT PRIMARY KEY, CONSTRAINT FOREIGN KEY (id)"
                        + " REFERENCES parent (id) ON DELETE CASCADE)",
                "INSERT INTO parent VALUES (1, 1), (2, 2)",
                "INSERT INTO child VALUES (1), (2)");
        MariaDbFeed feed = following("child");
        database.execute("DELETE FROM parent WHERE id = 1");
        assertThat(changes(feed).tables()).isEqualTo(Map.of("child", ALL));
    }

    /** Ends a distributed transaction, once the server knows that the connection is gone which prepared it. */
    private void end(String statement) {
        while (true) {
            try {
                database.execute(statement);
                return;
            } catch (IllegalStateException e) {
                boolean isHeld = e.getCause() instanceof SQLException s && s.getErrorCode() == 1397;
                if (!isHeld) {
                    throw e;
                }
            }
        }
    }

    @Test
    void take_distributedTransactions_keysAtTheCommit() {
        database.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        MariaDbFeed feed = following("t");
        String xid = "'" + database.url().hashCode() + "'";
        database.execute(
                "XA START " + xid,
                "INSERT INTO t VALUES (1)",
                "XA END " + xid,
                "XA PREPARE " + xid);
        assertThat(changes(feed).tables()).isEmpty();
        end("XA COMMIT " + xid);
        assertThat(changes(feed).tables()).isEqualTo(Map.of("t", keys(1)));
        database.execute(
                "XA START " + xid,
                "INSERT INTO t VALUES (2)",
                "XA END " + xid,
                "XA PREPARE " + xid);
        end("XA ROLLBACK " + xid);
        database.execute(
                "XA START " + xid,
                "INSERT INTO t VALUES (3)",
                "XA END " + xid,
                "XA COMMIT " + xid + " ONE PHASE");
        assertThat(changes(feed).tables()).isEqualTo(Map.of("t", keys(3)));
    }

    @Test
    void take_distributedTransactionPreparedBefore_allRows() {
        database.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        String xid = "'" + database.url().hashCode() + "','b',7";
        database.execute(
                "XA START " + xid,
                "INSERT INTO t VALUES (1)",
                "XA END " + xid,
                "XA PREPARE " + xid);
        MariaDbFeed feed = following("t");
        end("XA COMMIT " + xid);
        assertThat(changes(feed).tables()).isEqualTo(Map.of("t", ALL));
    }
}
