/**
 * What lies between HTTP and another protocol that takes over a connection, or a stream of one. An {@link
 * dev.penstock.http.upgrade.Upgrade} is the protocol, such as a WebSocket; a handler gives it to its exchange, and when
 * the handler has returned, the exchange has its connection answer the request and open the protocol with a {@link
 * dev.penstock.http.upgrade.Tunnel}: the connection of HTTP/1.1, or the stream of HTTP/2 for which the client has sent
 * an extended CONNECT. From then on the tunnel tells the protocol what comes, and carries what it sends.
 *
 * <p>Invariants: nothing comes that was not asked for by {@code read}, save a window of HTTP/2; what the tunnel's
 * transport is given keeps its order with what is written beside it; {@code closed} is the last call, once. Begin with
 * {@code Upgrade}.
 */
@NullMarked
package dev.penstock.http.upgrade;

import org.jspecify.annotations.NullMarked;
