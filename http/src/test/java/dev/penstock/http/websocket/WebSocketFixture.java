package dev.penstock.http.websocket;

import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;

/** A server whose only route is a WebSocket. */
abstract class WebSocketFixture extends ServerFixture {
    static final WebSocket.Options DEFAULT = WebSocket.Options.DEFAULT;

    final Server serve(WebSocket.Options options, WebSocket.Listener listener) {
        return start(b -> b.get("/", x -> WebSocket.open(x, options, listener)));
    }
}
