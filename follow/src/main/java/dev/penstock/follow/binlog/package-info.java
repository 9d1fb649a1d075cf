/**
 * Reading MariaDB's binary log, for {@code MariaDbFeed}.
 *
 * <p>A {@link dev.penstock.follow.binlog.BinlogReader} connects as a replica would. Its {@code BinlogDeserializer} cuts
 * the stream into events, and the {@code TransactionCollector} gathers the keys that each transaction changes, by the
 * {@code Catalog}: the tables that are followed, and those from which foreign keys hand changes down to them, which
 * InnoDB does without the log. At a transaction's end they go to {@link dev.penstock.follow.binlog.CollectedChanges},
 * which the feed takes them from, up to the place that {@link dev.penstock.follow.binlog.BinlogQueries} says is
 * visible.
 *
 * <p>Nothing is ever missing: whatever can't be read exactly ({@code KeyColumn}, {@code MappedTable}, {@code
 * StatementEffect}) makes all rows of the tables that it may concern count as changed.
 */
@NullMarked
package dev.penstock.follow.binlog;

import org.jspecify.annotations.NullMarked;
