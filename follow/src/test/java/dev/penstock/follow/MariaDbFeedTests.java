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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;

/** A database on the server that writes a binary log, and feeds of it. */
abstract class MariaDbFeedTests {
    static final ChangedRows ALL = new ChangedRows.All();

    final TestDatabase database = TestDatabase.createLogged(Kind.MARIADB);
    final List<MariaDbFeed> feeds = new ArrayList<>();

    @AfterEach
    void close() {
        feeds.forEach(MariaDbFeed::close);
        database.close();
    }

    MariaDbFeed feed() {
        MariaDbFeed feed = feedOf(database);
        feeds.add(feed);
        return feed;
    }

    Table table(String name) {
        return Database.connect(database.dataSource()).table(name);
    }

    MariaDbFeed following(String... tables) {
        MariaDbFeed feed = feed();
        assertThat(feed.start(tables(tables), null)).isTrue();
        return feed;
    }

    List<Table> tables(String... names) {
        Database known = Database.connect(database.dataSource());
        return java.util.Arrays.stream(names).map(known::table).toList();
    }

    /** Takes all that was committed so far. */
    static Changes changes(MariaDbFeed feed) {
        feed.peek();
        return feed.take();
    }

    static ChangedRows keys(Object... single) {
        return new Keys(java.util.Arrays.stream(single).map(List::of).collect(Collectors.toSet()));
    }

    long count(String sql) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
