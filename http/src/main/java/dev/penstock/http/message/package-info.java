/**
 * The parts of HTTP messages that are the same in every version of the protocol: the grammar of tokens and the spelling
 * of texts for logs ({@link dev.penstock.http.message.Syntax}), the headers of requests and responses, dates, and which
 * statuses have no body.
 *
 * <p>Nothing here knows of connections, threads or handlers; all of it may be used on any thread, save that the headers
 * of a response belong to whoever makes the response. This is the ground floor: it uses no other package of the server.
 */
@NullMarked
package dev.penstock.http.message;

import org.jspecify.annotations.NullMarked;
