/**
 * The making of a film store: {@link dev.penstock.films.store.FilmStore} creates sixteen tables and five views on
 * PostgreSQL, MariaDB, MySQL or H2 and fills them with made-up rows.
 *
 * <p>Every value follows from the scale, the seed and its place ({@code Dice}), so that the same store is the same
 * everywhere, and only one batch of rows is in memory. The classes whose names end in {@code Tables} say what the rows
 * are; a {@code RowSink} writes them, by batches of inserts or by PostgreSQL's COPY; {@code Dialect} is what differs
 * between databases.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.films.store;
