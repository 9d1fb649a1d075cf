package dev.penstock.server.memory;

import dev.penstock.follow.PostgresFeed;
import dev.penstock.server.config.FollowSettings;
import dev.penstock.server.config.JdbcTarget;
import dev.penstock.server.config.StartupException;
import dev.penstock.snapshot.ChangeFeed;

/**
 * A source of feeds of the changes of one database, one after the other.
 *
 * @param target the database
 * @param settings how it is followed
 */
public record FeedSource(JdbcTarget target, FollowSettings settings) {
    /**
     * Returns a new feed, which is not started.
     *
     * @throws StartupException if the log of such a database can't be read
     */
    ChangeFeed feed() {
        if (!target.url().startsWith("jdbc:postgresql:")) {
            throw new StartupException(
                    "--follow reads the log of PostgreSQL alone, and %s is another database: take --refresh"
                            .formatted(target));
        }
        return PostgresFeed.builder(target.url(), target.properties())
                .slot(settings.slot())
                .dropOnClose(settings.isDroppedAtTheEnd())
                .build();
    }
}
