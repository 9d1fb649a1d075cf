package dev.penstock.http.http2;

import dev.penstock.http.Exchange;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.server.Bodies;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/** A server with a few routes, for clients of HTTP/2. */
abstract class Http2Fixture extends ServerFixture {
    static void echo(Exchange exchange) throws IOException {
        exchange.respond(200, "application/x", Bodies.readAll(exchange.requestBody()));
    }

    final Server server() {
        return start(b ->
                // Clients that begin with something else acknowledge the server's settings late.
                b.headTimeout(Duration.ofMinutes(1))
                        .get("/hi", x -> x.respond(200, "text/plain", "hello"))
                        .get("/big/{n}", Http2Fixture::big)
                        .get("/header/{name}", x -> headers(x))
                        .route("POST", "/echo", Http2Fixture::echo)
                        .route("POST", "/length", Http2Fixture::length)
                        .route("POST", "/none", x -> x.respond(200, "text/plain", "none")));
    }

    private static void headers(Exchange x) {
        x.respond(200, "text/plain", String.join("|", x.headers(x.pathParameter("name"))));
    }

    static void big(Exchange exchange) throws IOException {
        ResponseBody body = exchange.body("application/x");
        int rest = Integer.parseInt(exchange.pathParameter("n"));
        while (rest > 0) {
            int step = Math.min(rest, 10_000);
            body.write(ByteBuffer.wrap(new byte[step]));
            rest -= step;
        }
    }

    static void length(Exchange exchange) throws IOException {
        exchange.respond(
                200, "text/plain", Integer.toString(Bodies.readAll(exchange.requestBody()).length));
    }
}
