package dev.penstock.http.test;

import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A client for tests of an application's routes, and the server that has them. It sends what it is told, and reads the
 * whole response, of up to 64 MiB; assertions are the test's own. It follows no redirect, and keeps cookies where
 * {@link
 * #keepCookies} says so. For several threads.
 *
 * {@snippet :
 * try (TestClient client = TestClient.of(Shop.routes()).keepCookies()) {
 *     client.send(TestRequest.post("/sign-in").form(Map.of("user", "ada", "password", "engine")));
 *     TestResponse orders = client.get("/orders");
 *     assertEquals(200, orders.status());
 *     assertEquals("[]", orders.text());
 * }
 * }
 *
 * <p>Without a socket, a request takes the way of every other through limits, routes, filters and handlers, on threads
 * of the server; what concerns connections and protocols is not there, WebSockets included. For those, and to see what
 * is sent, there is {@link #overSocket}, whose {@link #uri} is for other clients too, such as the JDK's WebSocket.
 */
public final class TestClient implements AutoCloseable {
    /** Beyond it a test has gone wrong. */
    static final int MOST_BYTES = 64 * 1024 * 1024;

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final Server server;
    private final Sender sender;
    private final @Nullable KeptCookies cookies;

    private TestClient(Server server, Sender sender, @Nullable KeptCookies cookies) {
        this.server = server;
        this.sender = sender;
        this.cookies = cookies;
    }

    /** The way of a request to the server. */
    interface Sender {
        TestResponse send(TestRequest request, Duration timeout)
                throws IOException, InterruptedException;
    }

    /**
     * Starts a client that calls the handlers without a socket. The server's access log is off.
     *
     * @param routes of which no other server is made
     */
    public static TestClient of(ServerBuilder routes) {
        Server server = routes.accessLog(false).startInContainer();
        return new TestClient(
                server, (request, timeout) -> InMemoryRequest.send(server, request, timeout), null);
    }

    /**
     * Starts a server on a port of this machine that is free, and a client that asks it by HTTP/1.1 without TLS. The
     * server's access log is off.
     *
     * @param routes of which no other server is made
     */
    public static TestClient overSocket(ServerBuilder routes) {
        Server server = routes.accessLog(false).port(0).start();
        return new TestClient(server, new SocketSender(server.port()), null);
    }

    /**
     * Returns a client of the same server that keeps the cookies that responses set, from now on, and brings them with
     * its requests; {@code Secure} ones too, as browsers do on their own machine.
     */
    public TestClient keepCookies() {
        return new TestClient(server, sender, new KeptCookies());
    }

    /**
     * Sends a GET, and waits for the response, up to a minute.
     *
     * @param target the path and the query, as they are sent
     * @throws IOException as {@link #send(TestRequest)} does
     */
    public TestResponse get(String target) throws IOException, InterruptedException {
        return send(TestRequest.get(target));
    }

    /**
     * Sends a request, and waits for the response, up to a minute.
     *
     * @throws IOException if the response was broken off, is larger than 64 MiB, or does not come in time
     */
    public TestResponse send(TestRequest request) throws IOException, InterruptedException {
        return send(request, TIMEOUT);
    }

    /** The same, with another timeout. */
    public TestResponse send(TestRequest request, Duration timeout)
            throws IOException, InterruptedException {
        if (cookies == null) {
            return sender.send(request, timeout);
        }
        TestResponse response = sender.send(cookies.addTo(request), timeout);
        cookies.keep(response.headers("Set-Cookie"));
        return response;
    }

    /**
     * The URI of a path on the server's port.
     *
     * @throws IllegalStateException if the client is one without a socket
     */
    public URI uri(String target) {
        if (!(sender instanceof SocketSender socket)) {
            throw new IllegalStateException(
                    "This client has no socket; one that TestClient.overSocket(..) makes has");
        }
        return socket.uri(target);
    }

    /** The server, such as for its figures. */
    public Server server() {
        return server;
    }

    /** Stops the server. Closing twice does no harm. */
    @Override
    public void close() {
        server.close();
    }
}
