package dev.penstock.bench.waits;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import java.time.Duration;

/**
 * Penstock as a {@link WaitServer}: requests are suspended by handlers on the event loop, or held by virtual threads.
 */
final class PenstockWaits {
    private static final String TEXT = "text/plain";

    private PenstockWaits() {}

    static int start(boolean suspends) {
        Handler plain = exchange -> exchange.respond(200, TEXT, WaitServer.PLAIN);
        ServerBuilder server =
                Server.builder()
                        .port(0)
                        .accessLog(false)
                        .maxConnections(WaitServer.CONNECTIONS)
                        .maxSuspended(128 * 1024, Duration.ofMinutes(1))
                        .admission(
                                new Admission(
                                        WaitServer.CONNECTIONS,
                                        WaitServer.CONNECTIONS,
                                        Duration.ofMinutes(1)));
        if (suspends) {
            server.get("/hi", Handler.nonBlocking(PenstockWaits::suspend))
                    .get("/plain", Handler.nonBlocking(plain));
        } else {
            server.get("/hi", PenstockWaits::block).get("/plain", plain);
        }
        return server.start().port();
    }

    private static long milliseconds(Exchange exchange) {
        return Long.parseLong(exchange.parameter("wait").orElse("0"));
    }

    private static void suspend(Exchange exchange) {
        long wait = milliseconds(exchange);
        exchange.suspend(Duration.ofMinutes(1))
                .resumeAfter(
                        Duration.ofMillis(wait),
                        Handler.nonBlocking(
                                later -> later.respond(200, TEXT, WaitServer.waited(wait))));
    }

    private static void block(Exchange exchange) throws InterruptedException {
        long wait = milliseconds(exchange);
        Thread.sleep(wait);
        exchange.respond(200, TEXT, WaitServer.waited(wait));
    }
}
