package dev.penstock.http.server;

import dev.penstock.http.exchange.ServerContext;
import dev.penstock.http.http1.Http1Connection;
import dev.penstock.http.http1.ProtocolPolicy;
import dev.penstock.http.http2.FrameGuard;
import dev.penstock.http.http2.Http2Handler;
import dev.penstock.http.http2.Http2Session;
import dev.penstock.http.limits.Bounds;
import dev.penstock.http.limits.Clients;
import dev.penstock.http.limits.LimitExceeded;
import dev.penstock.http.loop.ServerConnection;
import dev.penstock.http.message.Syntax;
import dev.penstock.http.tls.TlsContext;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is to begin with TLS, until its handshake has told which protocol it speaks. What begins as plain
 * HTTP is answered as such. On its event loop.
 */
final class TlsConnection extends ChannelInboundHandlerAdapter implements ServerConnection {
    private static final long HANDSHAKE_NANOS_WHEN_FULL = TimeUnit.SECONDS.toNanos(2);

    private final ServerContext server;
    private final Clients.Connection connection;
    private final TlsContext tls;
    private final ProtocolPolicy policy;
    private final long sinceNanos = System.nanoTime();
    private @Nullable Channel channel;

    /** Whether the client has begun with something that may be TLS. */
    private boolean begun;

    private boolean over;

    TlsConnection(
            ServerContext server,
            Clients.Connection connection,
            TlsContext tls,
            ProtocolPolicy policy) {
        this.server = server;
        this.connection = connection;
        this.tls = tls;
        this.policy = policy;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        channel = context.channel();
        // Asked for once, the channel knows it even when it is closed.
        var _ = channel.remoteAddress();
        server.opened(this, channel).keepChunks(true);
        context.read();
    }

    /** The client's first bytes: from then on, the handler of TLS takes them. */
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        if (!(message instanceof ByteBuf bytes) || over || !bytes.isReadable()) {
            ReferenceCountUtil.release(message);
        } else if (isText(bytes.getByte(bytes.readerIndex()))) {
            answerPlainText(context, bytes);
        } else {
            begun = true;
            SslHandler handler = tls.handler(context.channel());
            context.pipeline().addBefore(context.name(), null, handler);
            handler.channelRead(context.pipeline().context(handler), bytes);
        }
    }

    /** No record of TLS begins with a letter, and all of HTTP does. */
    private static boolean isText(byte first) {
        return (first >= 'A' && first <= 'Z') || (first >= 'a' && first <= 'z');
    }

    private void answerPlainText(ChannelHandlerContext context, ByteBuf bytes) {
        over = true;
        Http1Connection next = new Http1Connection(server, connection, ProtocolPolicy.TLS_MISSING);
        ChannelPipeline pipeline = context.pipeline();
        pipeline.replace(this, null, next);
        next.begin(pipeline.context(next), false);
        pipeline.fireChannelRead(bytes);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            Throwable failure = handshake.cause();
            if (failure == null) {
                go(context);
            } else {
                failed(context, failure);
            }
        } else if (event instanceof ChannelInputShutdownEvent) {
            context.close();
        }
    }

    private void go(ChannelHandlerContext context) {
        over = true;
        SslHandler handler = context.pipeline().get(SslHandler.class);
        if (handler.engine().getSession().getProtocol().equals("TLSv1.2")) {
            // It would let the client have as many handshakes as it likes, each of which costs this
            // side more, and HTTP/2 forbids it (RFC 9113, section 9.2.1). Without cipher suites it
            // fails.
            handler.engine().setEnabledCipherSuites(new String[0]);
        }
        String protocol = handler.applicationProtocol();
        if (ApplicationProtocolNames.HTTP_2.equals(protocol)) {
            LimitExceeded exceeded = server.clients().exceeded(connection);
            Http2Session session = new Http2Session(server, connection.client());
            context.pipeline().replace(this, null, Http2Handler.of(session, server));
            if (exceeded == null) {
                context.read();
            } else {
                session.end(new FrameGuard.Flood("one connection too many"));
            }
        } else {
            Http1Connection next = new Http1Connection(server, connection, policy);
            context.pipeline().replace(this, null, next);
            next.begin(context.pipeline().context(next), false);
        }
    }

    private void failed(ChannelHandlerContext context, Throwable failure) {
        String why =
                switch (failure) {
                    case NotSslRecordException _ -> "what it sent is neither TLS nor HTTP";
                    case SslHandshakeTimeoutException _ -> late();
                    default -> "its handshake failed: " + Syntax.sentence(failure.getMessage());
                };
        close(context.channel(), why);
    }

    private String late() {
        return "its handshake was not complete within "
                + Bounds.text(server.settings().headTimeout());
    }

    private void close(Channel known, String why) {
        String address = ServerContext.address(known);
        server.refusals().tell(() -> "Closed a connection from %s: %s".formatted(address, why));
        known.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        server.log().log(System.Logger.Level.DEBUG, "A connection failed in its handshake", cause);
        context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        over = true;
        server.closed();
    }

    @Override
    public void tick(long now) {
        long nanos = now - sinceNanos;
        Channel known = channel;
        // A handshake has a limit of its own; where there is no room for others, a shorter one.
        if (server.isFull() && nanos > HANDSHAKE_NANOS_WHEN_FULL) {
            reset();
        } else if (!begun
                && !over
                && known != null
                && nanos > server.settings().headTimeout().toNanos()) {
            close(known, late());
        }
    }

    @Override
    public void stop() {
        reset();
    }

    @Override
    public void reset() {
        Channel known = channel;
        if (known != null && !over) {
            known.close();
        }
    }

    @Override
    public boolean isOver() {
        return over;
    }
}
