/**
 * The running server: {@link dev.penstock.http.server.Server} is built with its routes and settings ({@link
 * dev.penstock.http.server.ServerBuilder}; the defaults stand in {@code Settings} of {@code exchange}), opens its
 * listeners, and ends with {@code close}. A {@link
 * dev.penstock.http.server.Listener} is a place to listen as the application describes it, a {@code ListenerSocket} the
 * socket of one that runs, and a {@code SocketFile} the file of a Unix domain socket. This is the one place that knows
 * all packages: it gives each accepted connection to {@code http1}, or after a TLS handshake to {@code http1} or {@code
 * http2} as the client chose ({@code TlsConnection}), and hands them the {@code ServerContext} of {@code exchange},
 * which is all that they see of it.
 *
 * <p>The way of a request is in one direction: event loop ({@code loop}), connection ({@code http1}, {@code http2} or
 * {@code container}), dispatcher and exchange ({@code exchange}), handler, response ({@code response}), and the
 * connection's transport back to the socket. Stopping goes the same way: no new connection, no new request, what waits
 * is refused, what runs has time to finish.
 */
@NullMarked
package dev.penstock.http.server;

import org.jspecify.annotations.NullMarked;
