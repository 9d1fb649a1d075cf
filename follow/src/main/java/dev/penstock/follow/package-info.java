/**
 * Feeds of the keys of rows that committed transactions have changed, from a database's own log: {@code PostgresFeed}
 * by logical decoding, {@link dev.penstock.follow.MariaDbFeed} by reading the binary log as a replica does.
 */
@NullMarked
package dev.penstock.follow;

import org.jspecify.annotations.NullMarked;
