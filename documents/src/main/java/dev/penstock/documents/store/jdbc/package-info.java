/**
 * Documents in relational databases, through their own JSON functions and indexes.
 *
 * <p>{@link dev.penstock.documents.store.jdbc.JdbcDocumentStore} does what is the same in all of them: transactions,
 * versions, documents in pieces, the catalog. A {@code Dialect} for each database says how its tables are made, and
 * what a condition looks like in its SQL; {@code FilterSql} combines these, and binds all values. {@code TextIndex}
 * is the table of texts that serves as an index where a database has none on JSON.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.documents.store.jdbc;
