/**
 * WebSockets (RFC 6455), from the handshake of a request until both sides have agreed on the end.
 *
 * <p>{@link dev.penstock.http.websocket.WebSocket#open} checks the handshake ({@code WebSocketHandshake}); when the
 * request's handler has returned, the connection is taken over from HTTP/1.1 by a {@code WebSocketConnection}. That
 * reads frames ({@code WebSocketDecoder}: Netty's, told what to refuse, which stops while the listener is slow; {@code
 * WebSocketConnection.exceptionCaught} closes with the code of what was refused), makes messages of them ({@code
 * WebSocketMessages}), and hands these to the listener one at a time, on a virtual thread that is there only while
 * there is something ({@code WebSocketInbox}). What the application sends goes through {@code WebSocketSender}, which
 * cuts messages into frames and waits while the client is slow.
 *
 * <p>Invariants: an idle WebSocket holds no thread and no buffer; no message is held beyond the limit in its options;
 * reading stops while the listener is slower than the client; nothing is sent after the end was announced, and the
 * listener hears of the end exactly once, last. Begin with {@code WebSocket}, then {@code WebSocketConnection}.
 */
@NullMarked
package dev.penstock.http.websocket;

import org.jspecify.annotations.NullMarked;
