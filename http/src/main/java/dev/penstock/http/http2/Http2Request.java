package dev.penstock.http.http2;

import dev.penstock.http.FinishedRequest;
import dev.penstock.http.HttpException;
import dev.penstock.http.exchange.ClientWatch;
import dev.penstock.http.exchange.ExchangeConnection;
import dev.penstock.http.exchange.FinishedExchange;
import dev.penstock.http.exchange.RequestBody;
import dev.penstock.http.exchange.ServerExchange;
import dev.penstock.http.limits.Client;
import dev.penstock.http.loop.Loop;
import dev.penstock.http.message.RequestHeaders;
import dev.penstock.http.message.ResponseHeaders;
import dev.penstock.http.response.ResponseTransport;
import dev.penstock.http.tls.Tls;
import dev.penstock.http.upgrade.Upgrade;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One request on a stream of HTTP/2, from its head until its response has left and its handler has returned. On the
 * connection's event loop, save where a method says otherwise. A hundred thousand of these may wait at once: what a
 * waiting request does not need is not there.
 */
final class Http2Request implements ExchangeConnection {
    private static final int MOST_DRAINED = 64 * 1024;
    private static final long DRAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Http2Session session;
    private final Http2Stream stream;
    private final ServerExchange exchange;

    /** Null if it has no body. */
    private final @Nullable Http2Body body;

    /** There if it is an extended CONNECT. */
    private final @Nullable Http2Tunnel tunnel;

    /** Where the response goes, once a handler has begun one. */
    private volatile @Nullable Http2Transport transport;

    /** There when the client was waited for. */
    private @Nullable ClientWatch watch;

    private @Nullable ChannelFuture end;

    /** Since when there is nothing but the rest of its body to come, which nobody wants. */
    private long drainNanos;

    /** The bytes of its body that had come by then. */
    private long drainedFrom;

    private boolean drains;
    private long written;

    /** Its place among the connection's requests. */
    private int place;

    private volatile boolean reset;

    Http2Request(Http2Session session, Http2Stream stream, Http2Head head) {
        this.session = session;
        this.stream = stream;
        body = head.contentLength() == 0 ? null : new Http2Body(this, session, stream, head);
        tunnel = head.isConnect() ? new Http2Tunnel(session, stream, head.isLast()) : null;
        exchange =
                new ServerExchange(
                        session.server(),
                        this,
                        head.method(),
                        head.target(),
                        head.fields(),
                        body == null ? null : body.content());
    }

    /** Has it answered; the segments are those of its path. */
    void begin(List<String> segments, long contentLength) {
        session.server().dispatcher().dispatch(exchange, segments, contentLength);
    }

    ServerExchange exchange() {
        return exchange;
    }

    Http2Stream stream() {
        return stream;
    }

    int place() {
        return place;
    }

    void place(int index) {
        place = index;
    }

    // The rest of the request.

    /** Takes what it wants of the bytes, by reference. */
    void received(ByteBuf bytes, boolean last) {
        received(bytes, last, RequestHeaders.NONE);
    }

    /** The end of its body, and what stands behind it. */
    void ended(RequestHeaders trailers) {
        received(Unpooled.EMPTY_BUFFER, true, trailers);
    }

    /** What comes behind its body makes no sense, or is too much. */
    void malformedBody(HttpException fault) {
        if (body != null && !body.content().ended()) {
            body.content().malformed(fault);
        }
    }

    private void received(ByteBuf bytes, boolean last, RequestHeaders trailers) {
        if (tunnel != null) {
            tunnel.received(bytes, last);
        }
        if (body != null) {
            body.received(bytes, last, trailers);
            if (drains && body.content().received() - drainedFrom > MOST_DRAINED) {
                session.reset(stream, Http2Error.NO_ERROR);
            }
        }
    }

    /**
     * Its body is more than what may lie here unread. One that waits for its turn is refused, one that waits for
     * something else is broken; one whose handler runs may go on, as there are only so many of those.
     */
    void bodyIsTooMuch() {
        if (exchange.permit().isQueued()) {
            if (exchange.permit().leaveQueue(true)) {
                session.server().dispatcher().refuseBody(exchange);
            }
        } else if (exchange.isAtRest()) {
            reset = true;
            session.reset(stream, Http2Error.ENHANCE_YOUR_CALM);
        }
    }

    /**
     * Waits for the rest of the body, but not for long: a client that is just sending it need not be
     * disturbed.
     */
    void drain() {
        if (tunnel != null) {
            tunnel.end();
        }
        drains = true;
        drainNanos = System.nanoTime();
        drainedFrom = body == null ? 0 : body.content().received();
    }

    // Its response.

    boolean committed() {
        Http2Transport used = transport;
        return used != null && used.committed();
    }

    /** On any thread. */
    Http2Headers encode(ResponseTransport.Head head) {
        return Http2Head.of(head, session.server().date().now());
    }

    ChannelFuture writeHead(Http2Headers head, boolean last) {
        ChannelFuture future = session.writeHead(stream, head, last);
        end = last ? future : end;
        return future;
    }

    ChannelFuture writeData(ByteBuf frame, boolean last) {
        ChannelFuture future = session.writeData(stream, frame, last);
        end = last ? future : end;
        return future;
    }

    /** Before the head of the response. On any thread. */
    void writeInterim(Http2Headers head, Runnable whenLeft) {
        session.loop()
                .run(() -> {
                    var _ = session.writeHead(stream, head, false).addListener(_ -> whenLeft.run());
                    session.flush();
                });
    }

    void flush() {
        session.flush();
    }

    /** So many bytes of it go to the socket, framing included: the client has room for them. */
    void written(int bytes) {
        written += bytes;
    }

    /** All of the response has left. */
    void responseSent() {
        exchange.sent();
    }

    /** A file has become shorter while it was sent, or can't be read. */
    void fileFailed(IOException failure) {
        exchange.logBroken(failure);
        reset();
    }

    void writeFailed() {
        session.reset(stream, Http2Error.INTERNAL_ERROR);
    }

    /** Breaks the response, so that the client gets an error and no end. On any thread. */
    @Override
    public void reset() {
        // A handler fails that way too when its client has gone.
        if (!exchange.isGone()) {
            reset = true;
        }
        var _ = session.loop().execute(() -> session.reset(stream, Http2Error.INTERNAL_ERROR));
    }

    /** The server stops. */
    void stop() {
        Upgrade protocol = tunnel == null ? null : tunnel.protocol();
        if (protocol == null) {
            exchange.stop();
        } else {
            protocol.stop();
        }
    }

    /** The stream is over. */
    void closed() {
        boolean isTunnel = tunnel != null && tunnel.protocol() != null;
        if (tunnel != null) {
            tunnel.end();
        }
        if (drains) {
            drains = false;
            session.remove(this);
            return;
        }
        ChannelFuture last = end;
        if (last == null || isTunnel) {
            gone();
        } else {
            // Both sides have said all, but the last of it may be on its way to the socket.
            last.addListener(left -> {
                if (!left.isSuccess()) {
                    gone();
                }
            });
        }
    }

    /** In this order: what a handler does about it starts before its writes fail. */
    private void gone() {
        exchange.disconnected();
        Http2Transport used = transport;
        if (used != null) {
            used.gone();
        }
    }

    /** Called now and then, for its time limits. */
    void tick(long now) {
        if (drains) {
            if (now - drainNanos > DRAIN_NANOS) {
                // It need not send the rest (RFC 9113, section 8.1).
                session.reset(stream, Http2Error.NO_ERROR);
            }
            return;
        }
        exchange.interruptIfStuck(now);
        if (exchange.timesOutInQueue(now)) {
            return;
        }
        Http2Transport used = transport;
        RequestBody content = exchange.received();
        boolean writes = used != null && used.writes();
        if (!writes && (content == null || !content.wanted())) {
            watch = null;
            return;
        }
        ClientWatch known = watch;
        if (known == null) {
            known = new ClientWatch(session.server().settings());
            watch = known;
        }
        ClientWatch.Finding finding = known.check(now, writes, written, exchange, false);
        switch (finding) {
            case FINE, GONE -> {}
            case READS_TOO_SLOWLY, SENDS_TOO_SLOWLY, MUST_YIELD -> tooSlow(finding);
        }
    }

    private void tooSlow(ClientWatch.Finding how) {
        if (!exchange.isGone()) {
            reset = true;
            session.tooSlow(stream, how);
        }
    }

    // What its exchange asks for.

    @Override
    public Loop loop() {
        return session.loop();
    }

    @Override
    public ResponseTransport transport() {
        Http2Transport made = new Http2Transport(this, session.channel());
        transport = made;
        // Set first and then asked: either this sees that the client has gone, or that sees the
        // transport.
        if (exchange.isGone()) {
            made.gone();
        }
        return made;
    }

    @Override
    public String remoteAddress() {
        return session.remoteAddress();
    }

    @Override
    public boolean isSecure() {
        return session.channel().pipeline().get(SslHandler.class) != null;
    }

    /** Each client of HTTP/2 knows them, whatever it says. */
    @Override
    public boolean takesTrailers(List<String> te) {
        return true;
    }

    @Override
    public List<X509Certificate> clientCertificates() {
        return Tls.clientCertificates(session.channel());
    }

    @Override
    public String protocol() {
        return "HTTP/2";
    }

    @Override
    public boolean isConnect() {
        return tunnel != null;
    }

    @Override
    public boolean canUpgrade() {
        return tunnel != null;
    }

    @Override
    public int upgradeStatus() {
        return 200;
    }

    @Override
    public void upgrade(Upgrade protocol, ResponseHeaders headers) {
        Http2Tunnel opened = tunnel;
        if (opened == null || exchange.isGone()) {
            return;
        }
        ResponseTransport made = transport();
        try {
            made.send(new ResponseTransport.Head(200, headers, -1, false), null, false);
            opened.open(protocol, made);
        } catch (IOException gone) {
            session.reset(stream, Http2Error.CANCEL);
        }
    }

    @Override
    public Client client() {
        return session.client();
    }

    @Override
    public void finished(ServerExchange exchange) {
        session.server().finished(exchange, this::outcome);
        session.loop().run(() -> session.finished(this));
    }

    private FinishedRequest outcome() {
        Upgrade protocol = tunnel == null ? null : tunnel.protocol();
        return protocol != null && protocol.endedWell()
                ? FinishedExchange.now(exchange, written, FinishedRequest.Ending.COMPLETE)
                : FinishedExchange.now(exchange, written, reset || session.wasReset());
    }
}
