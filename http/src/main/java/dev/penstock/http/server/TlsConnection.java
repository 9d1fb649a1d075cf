package dev.penstock.http.server;

import dev.penstock.http.exchange.ServerContext;
import dev.penstock.http.http1.Http1Connection;
import dev.penstock.http.http2.FrameGuard;
import dev.penstock.http.http2.Http2Handler;
import dev.penstock.http.http2.Http2Session;
import dev.penstock.http.limits.Bounds;
import dev.penstock.http.limits.Clients;
import dev.penstock.http.limits.LimitExceeded;
import dev.penstock.http.loop.ServerConnection;
import dev.penstock.http.message.Syntax;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection until its handshake of TLS has told which protocol it speaks. On its event loop. */
final class TlsConnection extends ChannelInboundHandlerAdapter implements ServerConnection {
    private static final long HANDSHAKE_NANOS_WHEN_FULL = TimeUnit.SECONDS.toNanos(2);

    private final ServerContext server;
    private final Clients.Connection connection;
    private final long sinceNanos = System.nanoTime();
    private @Nullable Channel channel;
    private boolean over;

    TlsConnection(ServerContext server, Clients.Connection connection) {
        this.server = server;
        this.connection = connection;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        channel = context.channel();
        // Asked for once, the channel knows it even when it is closed.
        var _ = channel.remoteAddress();
        var _ = server.opened(this, channel);
        context.read();
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
        SslHandler tls = context.pipeline().get(SslHandler.class);
        if (tls.engine().getSession().getProtocol().equals("TLSv1.2")) {
            // It would let the client have as many handshakes as it likes, each of which costs this
            // side more, and HTTP/2 forbids it (RFC 9113, section 9.2.1). Without cipher suites it
            // fails.
            tls.engine().setEnabledCipherSuites(new String[0]);
        }
        String protocol = tls.applicationProtocol();
        if (ApplicationProtocolNames.HTTP_2.equals(protocol)) {
            LimitExceeded exceeded = server.clients().exceeded(connection);
            Http2Session session = new Http2Session(server, connection.client());
            context.pipeline().replace(this, null, Http2Handler.of(session, server));
            if (exceeded == null) {
                context.read();
            } else {
                FrameGuard.Flood tooMany = new FrameGuard.Flood("one connection too many");
                session.connectionError(tooMany, tooMany);
            }
        } else {
            Http1Connection next = new Http1Connection(server, connection);
            context.pipeline().replace(this, null, next);
            next.begin(context.pipeline().context(next), false);
        }
    }

    private void failed(ChannelHandlerContext context, Throwable failure) {
        String why =
                switch (failure) {
                    case NotSslRecordException _ ->
                            "what it sent is not TLS; it may have to ask for https:// instead of http://";
                    case SslHandshakeTimeoutException _ ->
                            "its handshake was not complete within "
                                    + Bounds.text(server.settings().headTimeout());
                    default -> "its handshake failed: " + Syntax.sentence(failure.getMessage());
                };
        String address = ServerContext.address(context.channel());
        server.refusals().tell(() -> "Closed a connection from %s: %s".formatted(address, why));
        context.close();
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
        // Its handshake has a limit of its own; where there is no room for others, a shorter one.
        if (server.isFull() && now - sinceNanos > HANDSHAKE_NANOS_WHEN_FULL) {
            reset();
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
