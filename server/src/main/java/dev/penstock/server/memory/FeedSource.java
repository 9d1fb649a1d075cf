package dev.penstock.server.memory;

import dev.penstock.follow.MariaDbFeed;
import dev.penstock.follow.PostgresFeed;
import dev.penstock.server.config.JdbcTarget;
import dev.penstock.server.config.MemorySettings;
import dev.penstock.server.config.StartupException;
import dev.penstock.snapshot.ChangeFeed;
import java.util.Properties;

/**
 * A source of feeds of the changes of one database, one after the other.
 *
 * @param target the database
 * @param settings how it is followed
 */
public record FeedSource(JdbcTarget target, MemorySettings.Follow settings) {
    private static final String DEFAULT_SLOT = "penstock";

    /**
     * Returns a new feed, which is not started.
     *
     * @throws StartupException if the log of such a database can't be read
     */
    ChangeFeed feed() {
        String url = target.url();
        if (url.startsWith("jdbc:postgresql:")) {
            String slot = settings.slot();
            return PostgresFeed.builder(url, target.properties())
                    .slot(slot == null ? DEFAULT_SLOT : slot)
                    .dropOnClose(settings.isSlotDropped())
                    .build();
        }
        if (url.startsWith("jdbc:mariadb:") || url.startsWith("jdbc:mysql:")) {
            return ofMariaDb(url);
        }
        throw new StartupException(
                "--follow reads the log of PostgreSQL or MariaDB, and %s is another database: take --refresh"
                        .formatted(target));
    }

    private ChangeFeed ofMariaDb(String url) {
        if (settings.slot() != null || settings.isSlotDropped()) {
            throw new StartupException(
                    "%s is for the slots of PostgreSQL, and MariaDB has none: leave it out"
                            .formatted(
                                    settings.slot() != null ? "--follow-slot" : "--follow-drop"));
        }
        Properties properties = target.properties();
        // It bounds buffers for many connections; this is one, and its library makes its own.
        properties.remove("socketFactory");
        try {
            return MariaDbFeed.of(url, properties);
        } catch (IllegalArgumentException e) {
            throw new StartupException(
                    "--follow can't read the log of %s: %s".formatted(target, e.getMessage()), e);
        }
    }
}
