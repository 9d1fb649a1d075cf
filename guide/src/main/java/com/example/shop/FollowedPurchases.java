package com.example.shop;

import dev.penstock.follow.PostgresFeed;
import dev.penstock.query.sql.Database;
import dev.penstock.snapshot.Snapshot;
import java.time.Duration;
import java.util.Properties;

/** Page 3 of the guide: tables in memory that follow a database of PostgreSQL. */
public final class FollowedPurchases {
    private FollowedPurchases() {}

    // region follow
    static Snapshot followed(Database database, String url, Properties login) {
        PostgresFeed feed = PostgresFeed.builder(url, login).slot("shop").dropOnClose(true).build();
        Snapshot snapshot =
                Snapshot.of(database)
                        .table(Purchase.TABLE)
                        .table(Customer.TABLE)
                        .memory(256L << 20)
                        .follow(feed)
                        .load();
        snapshot.refreshOnChanges(Duration.ofMillis(200));
        return snapshot;
    }
    // end
}
