package dev.penstock.http.http1;

import dev.penstock.http.FinishedRequest;
import dev.penstock.http.HttpException;
import dev.penstock.http.exchange.ClientWatch;
import dev.penstock.http.exchange.ExchangeConnection;
import dev.penstock.http.exchange.FinishedExchange;
import dev.penstock.http.exchange.RequestBody;
import dev.penstock.http.exchange.ServerContext;
import dev.penstock.http.exchange.ServerExchange;
import dev.penstock.http.limits.Client;
import dev.penstock.http.limits.UnreadBodies;
import dev.penstock.http.loop.Loop;
import dev.penstock.http.message.RequestHeaders;
import dev.penstock.http.message.ResponseHeaders;
import dev.penstock.http.message.Syntax;
import dev.penstock.http.response.ResponseTransport;
import dev.penstock.http.tls.Tls;
import dev.penstock.http.upgrade.Upgrade;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One request on an HTTP/1 connection, from its head until its response has left. On the connection's event loop, save
 * where a method says otherwise.
 */
final class Http1Request implements ExchangeConnection, RequestBody.Source {
    /** How much of a body that no handler wanted is read and dropped, to keep the connection. */
    static final int MOST_DRAINED = 64 * 1024;

    /** The longest time for which the reader of a body is not woken, since more is likely to come. */
    private static final int FLUSH_MICROS = 1000;

    private static final byte[] CONTINUE = Syntax.ascii("HTTP/1.1 100 Continue\r\n\r\n");

    private final ServerContext server;
    private final Http1Connection connection;
    private final Http1Input input;
    private final ChannelHandlerContext context;
    private final ServerExchange exchange;
    private final Loop loop;
    private final boolean http10;
    private final long contentLength;

    /** Where the response goes, once a handler has begun one. */
    private volatile @Nullable Http1Transport transport;

    private volatile @Nullable Upgrade upgraded;

    /** The handler's thread reads these. */
    private volatile boolean isLast;

    private volatile boolean expectsContinue;

    Http1Request(
            ServerContext server,
            Http1Connection connection,
            Http1Input input,
            ChannelHandlerContext context,
            Loop loop,
            RequestHead head) {
        this.server = server;
        this.connection = connection;
        this.input = input;
        this.context = context;
        this.loop = loop;
        http10 = head.http10();
        // Written where there is something to say only: it makes all other cores see it at once.
        if (!head.keepAlive()) {
            isLast = true;
        }
        if (head.expectsContinue()) {
            expectsContinue = true;
        }
        contentLength = head.contentLength();
        RequestBody body =
                contentLength == 0
                        ? null
                        : new RequestBody(
                                server.settings().maxBodyBytes(), this, server.unreadBodies());
        exchange =
                new ServerExchange(server, this, head.method(), head.target(), head.fields(), body);
    }

    /** Has it answered; the segments are those of its path. */
    void begin(List<String> segments) {
        if (contentLength == 0) {
            input.pause();
        }
        if (contentLength > server.settings().maxBodyBytes()) {
            isLast = true;
        }
        server.dispatcher().dispatch(exchange, segments, contentLength);
    }

    ServerExchange exchange() {
        return exchange;
    }

    /** Returns whether the connection can be used for another request afterwards. */
    boolean persistent() {
        Http1Transport used = transport;
        return used != null && used.persistent();
    }

    // The rest of the request.

    boolean bodyEnded() {
        RequestBody body = exchange.received();
        return body == null || body.ended();
    }

    /** The number of bytes of the body that may be read at once. */
    int bodyRoom() {
        RequestBody body = exchange.received();
        if (body == null) {
            return 0;
        }
        long rest = contentLength < 0 ? Long.MAX_VALUE : contentLength - body.received();
        return (int) Math.min(rest, body.room());
    }

    void received(HttpContent content) {
        RequestBody body = exchange.received();
        if (body == null || body.ended()) {
            return;
        }
        // There may be thousands that wait: the rest comes when it has a place, or is read.
        if (!body.offer(content.content().retain())
                || exchange.permit().isQueued()
                || (!body.demanded() && exchange.isAtRest())) {
            input.pause();
            exchange.refuseBodyIfOver();
        }
        if (content instanceof LastHttpContent) {
            body.end(content instanceof LastChunk end ? end.trailers() : RequestHeaders.NONE);
            input.pause();
        }
    }

    /** No more of the body will come that makes sense. */
    void malformedBody(HttpException fault) {
        isLast = true;
        RequestBody body = exchange.received();
        if (body != null) {
            body.malformed(fault);
        }
    }

    @Override
    public void demand() {
        // Where the server has stopped, the reader is told by the connection's end.
        var _ = loop.execute(this::readBody);
    }

    @Override
    public void taken(int bytes) {
        // The socket is read again when half of what was held is taken, and that is a demand.
    }

    @Override
    public boolean flushSoon() {
        RequestBody body = exchange.received();
        if (body != null) {
            var _ = context.executor().schedule(body::flush, FLUSH_MICROS, TimeUnit.MICROSECONDS);
        }
        return body != null;
    }

    private void readBody() {
        RequestBody body = exchange.received();
        if (!connection.isAnswering(this) || body == null || body.ended()) {
            return;
        }
        if (expectsContinue) {
            expectsContinue = false;
            Http1Transport used = transport;
            if ((used == null || !used.committed()) && body.received() == 0) {
                context.writeAndFlush(Unpooled.wrappedBuffer(CONTINUE));
            }
        }
        if (!body.full()) {
            input.resume(context);
        }
    }

    // Its response.

    boolean http10() {
        return http10;
    }

    /**
     * Returns whether another request may follow this one, as far as is known when its response's head is sent. On any
     * thread.
     */
    boolean mayPersist() {
        if (isLast || server.stopping()) {
            return false;
        }
        RequestBody body = exchange.received();
        return body == null
                || body.ended()
                || (!expectsContinue
                        && contentLength >= 0
                        && contentLength - body.received() <= MOST_DRAINED);
    }

    /** On any thread. */
    ResponseHead encode(ResponseTransport.Head head, boolean persistent) {
        return new ResponseHead(head, http10, persistent, server.date().now());
    }

    /** Before the head of the response; {@code whenLeft} runs also where it is dropped. On any thread. */
    void writeInterim(ByteBuf head, Runnable whenLeft) {
        if (loop.isHere()) {
            writeInterimNow(head, whenLeft);
        } else if (!loop.execute(() -> writeInterimNow(head, whenLeft))) {
            head.release();
            whenLeft.run();
        }
    }

    private void writeInterimNow(ByteBuf head, Runnable whenLeft) {
        Http1Transport used = transport;
        if (connection.isAnswering(this) && used != null) {
            used.took(head.readableBytes());
            var _ = context.writeAndFlush(head).addListener(_ -> whenLeft.run());
        } else {
            head.release();
            whenLeft.run();
        }
    }

    /** All of the response has left. */
    void responseSent() {
        if (connection.isAnswering(this)) {
            exchange.sent();
        }
    }

    void writeFailed() {
        connection.breakOff();
    }

    /**
     * A file has become shorter while it was sent, or can't be read. The write fails next, and closes the connection.
     */
    void fileFailed(IOException failure) {
        exchange.logBroken(failure);
        connection.breaksOff();
    }

    /** Has the client looked at. */
    ClientWatch.Finding look(ClientWatch watch, long now) {
        ChannelOutboundBuffer pending = context.channel().unsafe().outboundBuffer();
        // A client may send its body first, and read afterwards what it was told meanwhile.
        Http1Transport used = transport;
        boolean informs = used != null && used.writesInterimOnly();
        boolean writes = !informs && pending != null && pending.totalPendingWriteBytes() > 0;
        long written = sent() + (pending == null ? 0 : pending.currentProgress());
        return watch.check(now, writes, written, exchange, input.ended());
    }

    /** Breaks the connection, so that the client gets an error and no end. On any thread. */
    @Override
    public void reset() {
        connection.reset();
    }

    /** The client has gone, or was thrown out. */
    void gone() {
        // In this order: what a handler does about it starts before its writes fail.
        exchange.disconnected();
        Http1Transport used = transport;
        if (used != null) {
            used.gone();
        }
    }

    @Override
    public boolean isSecure() {
        return context.channel().pipeline().get(SslHandler.class) != null;
    }

    @Override
    public boolean takesTrailers(List<String> te) {
        return !http10 && Syntax.hasElement(te, "trailers");
    }

    @Override
    public List<X509Certificate> clientCertificates() {
        return Tls.clientCertificates(context.channel());
    }

    @Override
    public String protocol() {
        return http10 ? "HTTP/1.0" : "HTTP/1.1";
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
        Http1Transport made = new Http1Transport(this, context.channel());
        transport = made;
        // Set first and then asked: either this sees that the client has gone, or that sees the
        // transport.
        if (exchange.isGone()) {
            made.gone();
        }
        return made;
    }

    @Override
    public void waiting(ServerExchange exchange) {
        if (!connection.isAnswering(this)) {
            return;
        }
        if (bodyEnded()) {
            input.rest(context);
        } else {
            // Nobody wants what comes now, but only so does a client that leaves show.
            input.resume(context);
        }
    }

    @Override
    public void wentOn() {
        if (!connection.isAnswering(this)) {
            return;
        }
        RequestBody body = exchange.received();
        if (body == null || body.ended() || body.full()) {
            // There may be more ahead of it than is read during a wait; now that shows again when
            // the client leaves.
            input.readOn(context);
        } else {
            input.resume(context);
        }
    }

    @Override
    public boolean canUpgrade() {
        return !http10;
    }

    @Override
    public void upgrade(Upgrade protocol, ResponseHeaders headers) {
        if (!connection.isAnswering(this)) {
            return;
        }
        upgraded = protocol;
        try {
            UnreadBodies.Share held = server.unreadBodies().new Share(client().key());
            Http1Tunnel.open(context, protocol, loop, transport(), held, head(headers));
            input.handOver(context);
        } catch (IOException gone) {
            connection.breakOff();
        }
    }

    private byte[] head(ResponseHeaders headers) {
        StringBuilder head = new StringBuilder(256);
        head.append("HTTP/1.1 101 Switching Protocols\r\nDate: ").append(server.date().now());
        head.append("\r\nConnection: Upgrade\r\n");
        headers.forEach((name, value) -> {
            if (!name.equalsIgnoreCase("Connection")) {
                head.append(name).append(": ").append(value).append("\r\n");
            }
        });
        return Syntax.ascii(head.append("\r\n").toString());
    }

    /** What the connection has become, if it is not HTTP's any more. */
    @Nullable Upgrade upgraded() {
        return upgraded;
    }

    private long sent() {
        Http1Transport used = transport;
        return used == null ? 0 : used.sent();
    }

    @Override
    public String remoteAddress() {
        return connection.remoteAddress();
    }

    @Override
    public void finished(ServerExchange exchange) {
        server.finished(exchange, this::outcome);
        loop.run(() -> connection.finished(this));
    }

    private FinishedRequest outcome() {
        Upgrade protocol = upgraded;
        return protocol != null && protocol.endedWell()
                ? FinishedExchange.now(exchange, sent(), FinishedRequest.Ending.COMPLETE)
                : FinishedExchange.now(exchange, sent(), connection.wasReset());
    }
}
