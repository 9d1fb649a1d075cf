package dev.penstock.bench.waits;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

/** Helidon as a {@link WaitServer}: a virtual thread for each connection. */
final class HelidonWaits {
    private HelidonWaits() {}

    static int start() {
        return WebServer.builder()
                .host("127.0.0.1")
                .port(0)
                .backlog(WaitServer.BACKLOG)
                .routing(routing ->
                        routing.get("/hi", HelidonWaits::hi)
                                .get("/plain", (_, response) -> response.send(WaitServer.PLAIN)))
                .build()
                .start()
                .port();
    }

    private static void hi(ServerRequest request, ServerResponse response)
            throws InterruptedException {
        long wait = Long.parseLong(request.query().get("wait"));
        Thread.sleep(wait);
        response.send(WaitServer.waited(wait));
    }
}
