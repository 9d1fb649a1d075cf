/**
 * Feeds of the keys of rows that committed transactions have changed, from a database's own log: {@code PostgresFeed}
 * by logical decoding.
 */
@NullMarked
package dev.penstock.follow;

import org.jspecify.annotations.NullMarked;
