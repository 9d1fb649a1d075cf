/**
 * The connections to the database.
 *
 * <p>{@link dev.penstock.server.database.ConnectionProbe} connects once, so that a wrong URL or password is explained
 * at the start. {@link dev.penstock.server.database.ConnectionPools} then opens a pool for each use, so that none waits
 * for another's; how many connections there are is decided in {@code config}. Requests do not wait here: there are as
 * many permits as connections, and {@code FairQueue} of the HTTP module says who is next. All of them connect through
 * one {@link dev.penstock.server.database.CircuitBreaker}: when the database can't be reached, requests are refused at
 * once instead of after a timeout, until a background probe succeeds.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.server.database;
