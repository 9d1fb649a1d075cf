package dev.penstock.bench.waits;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;

/** Vert.x as a {@link WaitServer}. One event loop, as ours on two cores. */
final class VertxWaits {
    private VertxWaits() {}

    static int start() {
        Vertx vertx = Vertx.vertx();
        HttpServer server =
                vertx.createHttpServer(
                                new HttpServerOptions()
                                        .setHost("127.0.0.1")
                                        .setPort(0)
                                        .setAcceptBacklog(WaitServer.BACKLOG))
                        .requestHandler(request -> answer(vertx, request));
        return server.listen().toCompletionStage().toCompletableFuture().join().actualPort();
    }

    private static void answer(Vertx vertx, HttpServerRequest request) {
        if ("/plain".equals(request.path())) {
            send(request, WaitServer.PLAIN);
            return;
        }
        long wait = Long.parseLong(request.getParam("wait"));
        vertx.setTimer(wait, _ -> send(request, WaitServer.waited(wait)));
    }

    private static void send(HttpServerRequest request, String text) {
        var _ = request.response().putHeader("Content-Type", "text/plain").end(text);
    }
}
