/**
 * WebSockets (RFC 6455), from the handshake of a request until both sides have agreed on the end, over HTTP/1.1 and
 * over HTTP/2 (RFC 8441), with messages that may be compressed (RFC 7692).
 *
 * <p>{@link dev.penstock.http.websocket.WebSocket#open} checks the handshake ({@code WebSocketHandshake}) and chooses
 * among the client's offers of compression ({@code MessageDeflate}); when the request's handler has returned, a {@code
 * WebSocketConnection} takes over the {@code Tunnel} that is the connection, or a stream of it. It reads frames ({@code
 * WebSocketDecoder}: Netty's, told what to refuse, which stops while the listener is slow; the connection is closed
 * with the code of what was refused), makes messages of them ({@code WebSocketMessages}), and hands these to the
 * listener one at a time, on a virtual thread that is there only while there is something ({@code WebSocketInbox}).
 * What the application sends goes through {@code WebSocketSender}, which cuts messages into frames and waits while the
 * client is slow. {@code WebSocketTimer} pings, and ends a WebSocket whose client does not answer. A
 * {@code WebSocketGroup} is a set of those that hear the same messages.
 *
 * <p>Nothing of compression is kept between messages: {@code MessageDeflater} compresses each frame for itself, on the
 * sender's thread and on the heap; {@code MessageInflater} inflates on the listener's, and alone has native memory,
 * which it gives back when a message is done or the WebSocket ends. A few of each serve all connections.
 *
 * <p>Invariants: an idle WebSocket holds no thread, no buffer and no compressor; no message is held beyond the limit in
 * its options, and of a compressed one no more is inflated; reading stops while the listener is slower than the client;
 * nothing is sent after the end was announced, and the listener hears of the end exactly once, last. Begin with {@code
 * WebSocket}, then {@code WebSocketConnection}.
 */
@NullMarked
package dev.penstock.http.websocket;

import org.jspecify.annotations.NullMarked;
