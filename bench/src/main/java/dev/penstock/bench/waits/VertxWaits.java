package dev.penstock.bench.waits;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;

/** Vert.x as a {@link WaitServer} of {@code /plain} alone. One event loop, as ours on two cores. */
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
                        .requestHandler(VertxWaits::answer);
        return server.listen().toCompletionStage().toCompletableFuture().join().actualPort();
    }

    private static void answer(HttpServerRequest request) {
        var _ = request.response().putHeader("Content-Type", "text/plain").end(WaitServer.PLAIN);
    }
}
