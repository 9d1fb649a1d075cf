/**
 * SQL statements as values, and what a dialect says about them: the ground that the other packages of {@code sql} stand
 * on.
 *
 * <p>A statement is written once for all plans of one shape. {@link dev.penstock.query.sql.statement.SqlBuilder} is the
 * SQL while it is written; {@link dev.penstock.query.sql.statement.SqlTemplate} is what it becomes: the text, the
 * columns of its answer, and how each bound value is made of the plan's values. A plan's values come as {@link
 * dev.penstock.query.sql.statement.Literals}; each is made to fit the column that it is compared with, within the
 * database's {@link dev.penstock.query.sql.statement.ValueLimits}. With them a template becomes a {@link
 * dev.penstock.query.sql.statement.SqlQuery}, which a cursor runs.
 *
 * <p>{@link dev.penstock.query.sql.statement.SqlTable} and {@link dev.penstock.query.sql.statement.SqlColumn} are a
 * schema's tables and columns with the expressions by which they are read and compared. {@link
 * dev.penstock.query.sql.statement.Dialect} is what differs between databases; to support another one, begin there. It
 * knows neither plans nor cursors.
 *
 * <p>Invariants: all values here are immutable but for {@code ResultSizePredictor}, which only guesses; identifiers
 * come from the schema that was read, and values are bound, never part of the text.
 */
@NullMarked
package dev.penstock.query.sql.statement;

import org.jspecify.annotations.NullMarked;
