/**
 * Connecting to a database, and asking it by plans.
 *
 * <p>Begin with {@link dev.penstock.query.sql.Database}: it recognises the dialect, reads the schema, checks that the
 * driver streams, and is then an {@link dev.penstock.query.Engine}. Opening a plan goes one way through the packages
 * behind it: {@code render} makes a query of the plan, and {@code read} reads the query's rows; both ask {@code
 * dialect} through the {@code Dialect} of {@code statement} what is said and read otherwise there. {@code schema} is
 * only needed when connecting. {@link dev.penstock.query.sql.ConsistentView} is a database as it was at one moment, for
 * several queries that must agree.
 *
 * <p>Invariants: a connection is taken at a cursor's first row and given back exactly once; values are always bound;
 * what a database does not do exactly as the plan says is refused, never approximated.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.query.sql;
