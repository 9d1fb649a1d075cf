/**
 * TLS: certificates by server name, from where they are read to the choice among them in a handshake.
 *
 * <p>{@link dev.penstock.http.tls.TlsContext} is made for a listener when its server starts, from {@link
 * dev.penstock.http.tls.TlsSettings}. {@code LoadedCertificates} reads its {@link
 * dev.penstock.http.tls.CertificateSource sources} (a pair of PEM files, a directory of pairs, a key store), each
 * entry of which becomes an {@code Identity}; {@code PemFiles} reads keys in every form that tools write, and has an
 * error for each that could not work, which says what to do. {@code Identities} is the JDK's key manager that chooses
 * one by the name and the kinds of keys that the client takes. The server has the context look at its files every five
 * seconds: what has changed and is in order serves new connections, all else is logged, and what was there before stays
 * in use. Connections that are open keep what they began with. {@link dev.penstock.http.tls.Tls} ends connections, with
 * TLS and without: gently, or so that nobody takes what came for the whole.
 *
 * <p>Invariants: reading files blocks, so it never happens on an event loop; the identities in use are always ones
 * whose key and certificate belong together. Why the files are read here: docs/decisions/pem-files.md; why by the JDK:
 * docs/decisions/tls-by-the-jdk.md. Begin with {@code TlsContext}, then {@code Identities}.
 */
@NullMarked
package dev.penstock.http.tls;

import org.jspecify.annotations.NullMarked;
