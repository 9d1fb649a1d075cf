/**
 * TLS: the certificate and key, read from PEM files, and the context that serves them to new connections.
 */
@NullMarked
package dev.penstock.http.tls;

import org.jspecify.annotations.NullMarked;
