package dev.penstock.follow;

import static dev.penstock.follow.LoggedMariaDb.feedOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MariaDbSettingsIT extends MariaDbFeedTests {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    SET GLOBAL binlog_format = MIXED | SET GLOBAL binlog_format = ROW | binlog_format is MIXED, and the log has statements in place of rows: SET GLOBAL binlog_format = ROW,
                    SET GLOBAL gtid_slave_pos = '77-1-1' | SET GLOBAL gtid_slave_pos = '' | the server is, or was, a replica that does not log what it replicates: follow its primary;
                    SET GLOBAL log_bin_compress = ON | SET GLOBAL log_bin_compress = OFF | log_bin_compress is on, and rows that are compressed are not read: SET GLOBAL log_bin_compress = OFF
                    """)
    void start_settings_refusedWithTheCure(String bad, String good, String message) {
        database.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        MariaDbFeed feed = feed();
        List<Table> tables = tables("t");
        try {
            database.execute(bad);
            assertThatThrownBy(() -> feed.start(tables, null))
                    .isInstanceOf(QueryException.class)
                    .hasMessageStartingWith("MariaDB's changes can't be followed: " + message);
        } finally {
            database.execute(good);
        }
        assertThat(feed.start(tables, null)).isTrue();
    }

    @Test
    void start_serverWithoutLog_refusedWithTheCure() {
        try (TestDatabase other = TestDatabase.create(Kind.MARIADB)) {
            MariaDbFeed feed = feedOf(other);
            feeds.add(feed);
            assertThatThrownBy(() -> feed.start(List.of(), null))
                    .isInstanceOf(QueryException.class)
                    .hasMessage(
                            "MariaDB's changes can't be followed: the server writes no binary log: start it with"
                                    + " --log-bin, or write log_bin into the section [mariadb] of its configuration,"
                                    + " and start it anew");
            feed.close();
        }
    }

    @Test
    void start_privileges_refusedUntilGranted() {
        database.execute(
                "CREATE TABLE t (id INT PRIMARY KEY)",
                "CREATE OR REPLACE USER \"it's\"@'%' IDENTIFIED BY 'secret'",
                "GRANT SELECT ON *.* TO \"it's\"@'%'");
        MariaDbFeed feed = feedOf(database.url(), "it's", "secret");
        feeds.add(feed);
        List<Table> tables = tables("t");
        String cure = "GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO 'it''s'@'%'";
        for (String grant : List.of("BINLOG MONITOR", "REPLICATION SLAVE")) {
            assertThatThrownBy(() -> feed.start(tables, null))
                    .isInstanceOf(QueryException.class)
                    .hasMessage(
                            "MariaDB's changes can't be followed: the user lacks a privilege: "
                                    + cure);
            database.execute("GRANT " + grant + " ON *.* TO \"it's\"@'%'");
        }
        MariaDbFeed other = feedOf(database.url(), "it's", "secret");
        feeds.add(other);
        assertThat(other.start(tables, null)).isTrue();
        other.close();
        database.execute("DROP USER \"it's\"@'%'");
    }

    @Test
    void start_view_refused() {
        database.execute("CREATE TABLE t (id INT PRIMARY KEY)", "CREATE VIEW v AS SELECT * FROM t");
        MariaDbFeed feed = feed();
        assertThatThrownBy(() -> feed.start(tables("v"), null))
                .isInstanceOf(QueryException.class)
                .hasMessage(
                        "v is a view, whose changes are in no log: follow the tables that it shows");
    }

    @Test
    void start_twiceOrClosed_refused() {
        database.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        MariaDbFeed feed = following("t");
        assertThatThrownBy(() -> feed.start(List.of(table("t")), null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the feed was started before");
        feed.close();
        feed.close();
        assertThatThrownBy(() -> feed().take()).hasMessage("the feed was not started");
        assertThatThrownBy(() -> feed.start(List.of(), null)).hasMessage("the feed is closed");
    }

    @Test
    void take_throughMySqlsDriver_same() {
        try (TestDatabase other = TestDatabase.createLogged(Kind.MYSQL)) {
            other.execute("CREATE TABLE t (id INT PRIMARY KEY)");
            MariaDbFeed feed = feedOf(other);
            feeds.add(feed);
            Table table = Database.connect(other.dataSource()).table("t");
            assertThat(feed.start(List.of(table), null)).isTrue();
            other.execute("INSERT INTO t VALUES (1)");
            assertThat(changes(feed).tables()).isEqualTo(Map.of("t", keys(1)));
            feed.close();
        }
    }
}
