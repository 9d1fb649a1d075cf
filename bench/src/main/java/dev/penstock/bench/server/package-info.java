/**
 * The server that pages and exports are asked of: Penstock's gateway in a child, on a test database.
 *
 * <p>{@link dev.penstock.bench.server.ServerUnderTest} is the parent's side, {@link
 * dev.penstock.bench.server.GatewayServer} the child's, to which an experiment adds pages of its own. {@link
 * dev.penstock.bench.server.DatabaseAddress} is how any child gets to a database.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.bench.server;
