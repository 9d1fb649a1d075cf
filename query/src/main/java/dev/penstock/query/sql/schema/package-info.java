/**
 * The readers of schemas: which tables and columns a database has, and by which expressions each column is read,
 * compared and sorted, so that it means the same as in Java.
 *
 * <p>{@link dev.penstock.query.sql.schema.PostgreSqlSchema} and {@link dev.penstock.query.sql.schema.MariaDbSchema} ask
 * the database's own catalogue; {@link dev.penstock.query.sql.schema.MetadataSchema} asks JDBC, for H2 and databases
 * that are not known. Foreign keys are read by {@link dev.penstock.query.sql.schema.ReferenceReader} with a query of
 * the dialect. What a column is compared by is decided here, once, when the schema is read; the statements that are
 * written later only put it together. Where a column's own collation is not exact, it is compared twice, by a wider
 * comparison that its index serves and by the exact one: {@code MariaDbSchema.text} and its like decide that, {@code
 * MariaDbExactText} spells the exact one for MariaDB, and {@code PredicateSql} writes both.
 *
 * <p>Which of our types a database's type is read as is decided by {@code MariaDbSchema}, {@code PostgreSqlSchema},
 * {@code H2Type} (with {@code H2Schema}) and {@code MetadataSchema}; engines and tables in memory follow.
 */
@NullMarked
package dev.penstock.query.sql.schema;

import org.jspecify.annotations.NullMarked;
