package dev.penstock.follow;

import dev.penstock.databases.TestDatabase;
import java.util.Properties;

/** Feeds of databases on the server that writes a binary log. */
final class LoggedMariaDb {
    private LoggedMariaDb() {}

    static MariaDbFeed feedOf(TestDatabase database) {
        return feedOf(database.url(), database.user(), database.password());
    }

    static MariaDbFeed feedOf(String url, String user, String password) {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        return MariaDbFeed.of(url, properties);
    }
}
