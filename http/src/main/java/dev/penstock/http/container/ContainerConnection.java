package dev.penstock.http.container;

import dev.penstock.http.HttpException;
import dev.penstock.http.exchange.ExchangeConnection;
import dev.penstock.http.exchange.FinishedExchange;
import dev.penstock.http.exchange.HeadFraming;
import dev.penstock.http.exchange.MalformedRequest;
import dev.penstock.http.exchange.RequestBody;
import dev.penstock.http.exchange.RequestTarget;
import dev.penstock.http.exchange.ServerContext;
import dev.penstock.http.exchange.ServerExchange;
import dev.penstock.http.limits.Client;
import dev.penstock.http.limits.Clients;
import dev.penstock.http.loop.Loop;
import dev.penstock.http.loop.ServerConnection;
import dev.penstock.http.message.RequestHeaders;
import dev.penstock.http.response.ResponseTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request that has come to another server. Its connection is that server's; all else is as on this one's own. On a
 * loop of this server, save where a method says otherwise.
 */
public final class ContainerConnection
        implements ExchangeConnection, ServerConnection, RequestBody.Source, ContainerEvents {
    private final ServerContext server;
    private final Loop loop;
    private final ContainerRequest host;
    private final String remoteAddress;
    private final boolean secure;
    private final boolean takesTrailers;
    private final List<X509Certificate> clientCertificates;
    private final Clients.Connection connection;
    private final ContainerTransport transport;
    private final ContainerBodyReader bodyReader;
    private final UnreadRest rest;
    private final ServerExchange exchange;
    private final long bodyLength;
    private final List<String> segments;
    private final @Nullable HttpException malformed;

    /** The client sends no body before it is asked for it. */
    private final boolean awaitsContinue;

    /** The host lets it be read and written. */
    private boolean open;

    private boolean bodyWanted;

    /** The handler is done, and the response was given to the host or will never be. */
    private boolean finished;

    private volatile boolean reading;
    private volatile boolean bodyFailed;
    private volatile boolean reset;
    private volatile boolean over;

    /** On the host's thread. */
    public ContainerConnection(ServerContext server, Loop loop, ContainerRequest host) {
        this.server = server;
        this.loop = loop;
        this.host = host;
        remoteAddress = host.remoteAddress();
        secure = host.isSecure();
        takesTrailers = host.takesTrailers();
        clientCertificates = host.clientCertificates();
        connection = server.clients().connectedToContainer(address(remoteAddress));
        bodyLength = host.bodyLength();
        transport = new ContainerTransport(this, host, loop);
        bodyReader = new ContainerBodyReader(host);
        rest = new UnreadRest(host);
        RequestHeaders.Packer headers = new RequestHeaders.Packer();
        host.headers().forEach(header -> headers.add(header.getKey(), header.getValue()));
        RequestHeaders fields = headers.pack();
        RequestTarget target = RequestTarget.NONE;
        HttpException fault = null;
        try {
            target = ContainerTarget.of(host);
            HeadFraming.checkContainerHead(fields);
        } catch (MalformedRequest failure) {
            // The next server may see another request in what follows.
            fault = failure.answer().header("Connection", "close");
        } catch (HttpException failure) {
            fault = failure;
        }
        malformed = fault;
        awaitsContinue = !fields.all("Expect").isEmpty();
        segments = target.segments();
        RequestBody body =
                bodyLength == 0
                        ? null
                        : new RequestBody(
                                server.settings().maxBodyBytes(), this, server.unreadBodies());
        exchange = new ServerExchange(server, this, host.method(), target, fields, body);
    }

    private static @Nullable SocketAddress address(String text) {
        try {
            return new InetSocketAddress(InetAddress.ofLiteral(text), 0);
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    /** Has it answered. On any thread. */
    public void begin() {
        onLoop(() -> {
            server.opened(this, loop);
            if (malformed == null) {
                server.dispatcher().dispatch(exchange, segments, bodyLength);
            } else {
                server.dispatcher().reject(exchange, malformed);
            }
        });
    }

    private void onLoop(Runnable action) {
        if (!loop.execute(action)) {
            // The server has stopped: nobody is left to answer it, or to be told.
            host.abort();
        }
    }

    // What the host tells; on any thread.

    @Override
    public void writable() {
        transport.writable();
        onLoop(() -> {
            open = true;
            if (bodyWanted) {
                readBody();
            }
        });
    }

    @Override
    public void readable() {
        onLoop(() -> {
            if (!rest.isBegun()) {
                readBody();
            } else if (!over && rest.isOver()) {
                end();
            }
        });
    }

    @Override
    public void bodyEnded() {
        onLoop(() -> {
            RequestBody body = exchange.received();
            if (body != null && !body.ended()) {
                bodyReader.end(body);
            }
            endAfterRest();
        });
    }

    @Override
    public void bodyFailed(Throwable why) {
        server.log().log(System.Logger.Level.DEBUG, "The body of a host's request has failed", why);
        bodyFailed = true;
        onLoop(this::bodyFailedNow);
    }

    /** As on this server's own port: who reads the body is told, and the client, as long as nothing was sent. */
    private void bodyFailedNow() {
        RequestBody body = exchange.received();
        if (!finished && body != null && !body.ended()) {
            body.malformed(
                    new HttpException(
                            400, "The request's body is malformed, or not all of it has come"));
        }
        endAfterRest();
    }

    @Override
    public void gone(Throwable why) {
        server.log().log(System.Logger.Level.DEBUG, "A client of the host has gone", why);
        onLoop(this::goneNow);
    }

    /** In this order: what a handler does about it starts before its writes fail. */
    private void goneNow() {
        if (!finished) {
            exchange.disconnected();
            transport.gone();
        }
        endAfterRest();
    }

    // What the server asks for.

    @Override
    public void tick(long now) {
        if (!finished) {
            var _ = exchange.timesOutInQueue(now);
            exchange.interruptIfStuck(now);
        }
        if (rest.isLate(now)) {
            endAfterRest();
        }
    }

    @Override
    public void stop() {
        onLoop(() -> {
            exchange.stop();
            endAfterRest();
        });
    }

    @Override
    public boolean sendsFiles() {
        return false;
    }

    @Override
    public void reset() {
        onLoop(() -> {
            if (!finished && !rest.isAwaited()) {
                reset = true;
                host.abort();
            }
            goneNow();
        });
    }

    @Override
    public boolean isOver() {
        return over;
    }

    // The request's body.

    /** Called on the handler's thread, when it first reads the body and when there is room for more. */
    @Override
    public void demand() {
        onLoop(this::readBody);
    }

    @Override
    public void taken(int bytes) {
        // What is read makes room at the host by being read.
    }

    private void readBody() {
        RequestBody body = exchange.received();
        bodyWanted = true;
        if (!open || finished || body == null || exchange.isGone()) {
            return;
        }
        try {
            if (reading) {
                bodyReader.readInto(body);
            } else {
                reading = true;
                host.startReading();
            }
        } catch (IOException | RuntimeException failure) {
            bodyFailed(failure);
        }
    }

    // What the exchange asks for.

    @Override
    public String remoteAddress() {
        return remoteAddress;
    }

    /** The host's, which does not tell which it was. */
    @Override
    public boolean isSecure() {
        return secure;
    }

    @Override
    public boolean takesTrailers(List<String> te) {
        return takesTrailers;
    }

    @Override
    public List<X509Certificate> clientCertificates() {
        return clientCertificates;
    }

    @Override
    public String protocol() {
        return "HTTP";
    }

    @Override
    public Client client() {
        return connection.client();
    }

    @Override
    public Loop loop() {
        return loop;
    }

    @Override
    public ResponseTransport transport() {
        return transport;
    }

    /**
     * Returns whether the response ends only when the body was read: nobody has begun to read it, the client sends it
     * unasked, it is little, and the host may close the connection because of it. On any thread.
     */
    boolean leavesRest() {
        RequestBody body = exchange.received();
        return body != null
                && !body.ended()
                && !reading
                && !bodyFailed
                && malformed == null
                && !awaitsContinue
                && bodyLength <= UnreadRest.MOST
                && host.closesWhatIsUnread();
    }

    /** All of the response was given to the host; {@code leavesRest} as above. On any thread. */
    void responseGiven(boolean leavesRest) {
        if (leavesRest) {
            rest.await();
            if (loop.execute(this::sentButForRest)) {
                return;
            }
        }
        rest.complete();
        onLoop(exchange::sent);
    }

    private void sentButForRest() {
        exchange.sent();
        if (over) {
            rest.complete();
        }
    }

    /** On any thread. */
    @Override
    public void finished(ServerExchange exchange) {
        server.finished(exchange, () -> FinishedExchange.now(exchange, transport.sent(), reset));
        if (loop.isHere() || !loop.execute(this::finishedNow)) {
            finishedNow();
        }
    }

    private void finishedNow() {
        finished = true;
        boolean isInVain = reading || bodyFailed || exchange.isGone() || server.stopping();
        if (!rest.isAwaited() || isInVain || rest.isOverAtOnce()) {
            end();
        }
    }

    /** Does not wait any longer, neither for the rest of the body nor before that for the handler. */
    private void endAfterRest() {
        if (finished && !over) {
            end();
        } else if (rest.isAwaited()) {
            rest.complete();
        }
    }

    private void end() {
        over = true;
        try {
            if (rest.isAwaited()) {
                rest.complete();
            }
        } finally {
            server.clients().disconnected(connection);
            server.closed();
        }
    }
}
