/**
 * Real databases for tests and experiments: PostgreSQL, MariaDB and H2, started on demand on this machine and ended
 * with the JVM.
 *
 * <p>A {@link dev.penstock.databases.TestDatabase} is one database on such a server: a fresh one with a random name,
 * which closing drops, or one that is kept from run to run. The first of a kind starts its {@code DatabaseServer}
 * ({@code PostgresServer}, {@code MariaDbServer}; {@code H2Server} is this JVM itself) on a {@code ServerDirectory},
 * which is locked for the JVM, so that runs beside each other never meet. A server's settings, such as its memory and
 * that durability is off, are in its class.
 *
 * <p>Nothing here is shipped: no module depends on this one outside of tests and {@code bench}.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.databases;
