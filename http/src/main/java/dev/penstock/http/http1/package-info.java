/**
 * HTTP/1.1 and 1.0 on a connection of its own. {@code Http1Connection} reads what comes, one request at a time: {@code
 * HeadReader} and {@code StrictDecoder} turn bytes into a {@code RequestHead} and pieces of a body to the letter of RFC
 * 9112, and refuse what others may read differently ({@code ErrorReply}; why not by Netty's decoder:
 * docs/decisions/http1-reader.md). {@code Http1Request} is one request as its exchange sees it, {@code
 * Http1Transport} the transport of its response. A connection that begins with the preface of HTTP/2 is handed to
 * {@code http2}; one that becomes a WebSocket is handed to that.
 *
 * <p>Life of a connection: idle, reading a head, busy with a request, draining the rest of its body, and idle again or
 * closing. How long each of these may take is in {@code Http1Timeouts}. Everything here runs on the connection's event
 * loop, save the transport's side that faces the handler. Begin with {@code Http1Connection}.
 */
@NullMarked
package dev.penstock.http.http1;

import org.jspecify.annotations.NullMarked;
