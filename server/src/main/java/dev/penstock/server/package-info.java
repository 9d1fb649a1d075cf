/**
 * A server over one database, running: connection pools, routes, pages, operations.
 *
 * <p>Begin with {@link dev.penstock.server.Application}: {@code start} connects once, derives the limits from the heap
 * and from what the database allows, opens the pools, loads the tables that are to be in memory, mounts every route and
 * binds the ports. {@code awaitStop} returns at the first signal; {@code close} lets responses finish and then closes
 * everything in the opposite order. {@link dev.penstock.server.SchemaReload} replaces the schema while the server runs.
 *
 * <p>The packages below, from the ground up, each using only those before it: {@code log}, {@code config}, {@code
 * database}, {@code memory}, {@code page}, {@code operations}, {@code transfer}; then this one; then {@code command},
 * which is where the process starts.
 */
@org.jspecify.annotations.NullMarked
package dev.penstock.server;
