/**
 * The server that pages and exports are asked of: Penstock's gateway in a child, on a test database.
 *
 * <p>Begin with {@link dev.penstock.bench.server.ServerUnderTest.Plan}: what servers of an experiment have in common.
 * Its {@code forEach} makes each database in turn, and hands the experiment a {@link
 * dev.penstock.bench.server.ServerUnderTest} on it, the parent's side: it starts the JVM, puts load on it, and reads
 * its memory. {@link dev.penstock.bench.server.GatewayServer} is the child's side, to which an experiment adds pages
 * of its own. {@link dev.penstock.bench.server.DatabaseAddress} is how any child gets to a database, {@link
 * dev.penstock.bench.server.TestTables} how large tables are kept from run to run.
 *
 * <p>{@link dev.penstock.bench.server.Nginx} is the server of files that Penstock's are compared with.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.server;
