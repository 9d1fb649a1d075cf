/**
 * WebSockets (RFC 6455). {@link dev.penstock.http.websocket.WebSocket#open} checks the handshake of a request; when its
 * handler has returned, the connection is taken over from HTTP/1.1 by a {@code WebSocketConnection}, which reads frames
 * ({@code WebSocketDecoder}), makes messages of them, and hands these to the listener one at a time, on a virtual
 * thread ({@code WebSocketInbox}). No message is held beyond the limit in its options, and reading stops while the
 * listener is slower than the client. Begin with {@code WebSocket}.
 */
@NullMarked
package dev.penstock.http.websocket;

import org.jspecify.annotations.NullMarked;
