/**
 * TLS: the certificate and key, read from PEM files, and the context that serves them to new connections.
 *
 * <p>{@link dev.penstock.http.tls.TlsContext} is made when a server starts, from two files that {@code PemFiles} reads:
 * keys in every form that tools write, and an error for each that could not work, which says what to do. The server
 * has it look at the files every five seconds; a pair that has changed and is in order serves new connections, any
 * other is logged, and the one before stays in use. Connections that are open keep what they began with. {@link
 * dev.penstock.http.tls.Tls} ends connections, with TLS and without: gently, or so that nobody takes what came for the
 * whole.
 *
 * <p>Invariants: reading files blocks, so it never happens on an event loop; the context in use is always one whose key
 * and certificate belong together. Why the files are read here: docs/decisions/pem-files.md. Begin with {@code
 * TlsContext}.
 */
@NullMarked
package dev.penstock.http.tls;

import org.jspecify.annotations.NullMarked;
