/**
 * HTTP/2 on Netty's frame codec. {@code Http2Handler} puts the codec and its guard into the pipeline and announces the
 * server's settings (windows, limits, extended CONNECT for WebSockets), {@code Http2Session} is one connection,
 * {@code Http2Requests} takes what a client sends on its streams, and each stream is an {@code Http2Request} with an
 * {@code Http2Body} and an {@code Http2Transport}, the transport of its response. Flow control is the back-pressure in
 * both directions: for uploads, {@code Http2Body} has the window of its stream and gives back what was read,
 * {@code Http2Session} passes that on and has the window of the connection, and {@code Http2Handler} sets when the
 * client is told. {@code FrameGuard} charges a client for frames that cost the server something and move nothing, and
 * ends a connection that floods it. What each error breaks is decided in {@code Http2Errors}.
 *
 * <p>Everything here runs on the connection's event loop, save the transport's side that faces the handler. Begin with
 * {@code Http2Session}.
 */
@NullMarked
package dev.penstock.http.http2;

import org.jspecify.annotations.NullMarked;
