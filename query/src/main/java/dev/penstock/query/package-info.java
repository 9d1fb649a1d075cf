/**
 * Queries and their answers, whichever engine gives them.
 *
 * <p>A {@link dev.penstock.query.Plan} says what is asked: a {@link dev.penstock.query.Predicate} that rows pass, an
 * order, slices, and the columns, groups or counts that are given of them. It is a value without SQL, over the tables
 * and columns of a {@link dev.penstock.query.Schema}. An {@link dev.penstock.query.Engine} opens it as a {@link
 * dev.penstock.query.Cursor}, which reads the answer row by row and is closed by its user; or it refuses the plan, and
 * its {@link dev.penstock.query.Explanation} says why.
 *
 * <p>Invariants: plans and all that they consist of are immutable and compare by value; {@link
 * dev.penstock.query.Evaluation} defines what a condition, an expression and an order mean on one row, and every engine
 * gives the same; failures are {@link dev.penstock.query.QueryException}s of a kind. Nothing here knows a database or a
 * typed field.
 *
 * <p>Begin with {@link dev.penstock.query.Plan} and {@link dev.penstock.query.Cursor}. Databases are in {@code sql},
 * streams over records in {@code typed}.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.query;
