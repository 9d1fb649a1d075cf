package dev.penstock.http.server;

import dev.penstock.http.exchange.ServerContext;
import dev.penstock.http.http1.Http1Connection;
import dev.penstock.http.limits.Client;
import dev.penstock.http.limits.Clients;
import dev.penstock.http.loop.EventLoops;
import dev.penstock.http.tls.TlsContext;
import dev.penstock.http.tls.TlsSettings;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A listener of a running server: its socket, and what its connections begin with. Made before the server's threads,
 * so that certificates are read first; then bound, and closed.
 */
final class ListenerSocket {
    private static final long CLOSE_MILLIS = 1000;

    private final Listener listener;
    private final @Nullable TlsContext tls;
    private @Nullable SocketFile file;
    private @Nullable Channel channel;

    /**
     * Reads what TLS needs.
     *
     * @throws IllegalArgumentException that says what is wrong with it
     */
    ListenerSocket(Listener listener, Duration handshakeTimeout) {
        this.listener = listener;
        TlsSettings settings = listener.tlsSettings(handshakeTimeout);
        tls = settings == null ? null : new TlsContext(settings);
    }

    @Nullable TlsContext tls() {
        return tls;
    }

    /**
     * Begins to accept connections.
     *
     * @throws IllegalStateException that says why it can't
     */
    void bind(ServerContext context) {
        try {
            Path path = listener.path();
            channel = path == null ? bindTcp(context) : bindUnix(context, path);
        } catch (IOException failure) {
            throw new IllegalStateException(
                    "Can't listen on %s: %s. Choose another %s, or end what uses it."
                            .formatted(
                                    listener,
                                    failure.getMessage() == null
                                            ? "no reason is known"
                                            : failure.getMessage(),
                                    listener.path() == null ? "port" : "path"),
                    failure);
        }
    }

    private Channel bindTcp(ServerContext context) throws IOException {
        InetSocketAddress address = new InetSocketAddress(listener.address(), listener.port());
        return opened(
                context.loops()
                        .bootstrap(accepted -> initialize(context, accepted))
                        .handler(context.limit())
                        .bind(address));
    }

    private Channel bindUnix(ServerContext context, Path path) throws IOException {
        SocketFile made = SocketFile.open(path, listener.permissions(), EventLoops.BACKLOG);
        file = made;
        return opened(
                context.loops()
                        .bootstrap(made.channel(), accepted -> initialize(context, accepted))
                        .handler(context.limit())
                        .register());
    }

    private static Channel opened(ChannelFuture opening) throws IOException {
        ChannelFuture done = opening.awaitUninterruptibly();
        if (done.isSuccess()) {
            return done.channel();
        }
        throw done.cause() instanceof IOException known ? known : new IOException(done.cause());
    }

    private void initialize(ServerContext context, Channel accepted) {
        Clients clients = context.clients();
        Clients.Connection connection =
                listener.path() == null
                        ? clients.connected(accepted.remoteAddress())
                        : clients.connectedToUnixSocket();
        accepted.closeFuture().addListener(_ -> clients.disconnected(connection));
        TlsContext secured = tls;
        int buffer = context.settings().receiveBuffer();
        if (buffer > 0 && listener.path() == null) {
            accepted.config().setOption(ChannelOption.SO_RCVBUF, buffer);
        }
        if (connection.verdict() == Client.Verdict.HOPELESS) {
            accepted.config().setOption(ChannelOption.SO_LINGER, 0);
            accepted.close();
        } else if (secured == null) {
            accepted.pipeline()
                    .addLast(new Http1Connection(context, connection, listener.policy()));
        } else {
            accepted.pipeline()
                    .addLast(new TlsConnection(context, connection, secured, listener.policy()));
        }
    }

    /** Where it listens. */
    SocketAddress address() {
        SocketFile made = file;
        if (made != null) {
            return UnixDomainSocketAddress.of(made.path());
        }
        Channel bound = channel;
        return bound == null
                ? new InetSocketAddress(listener.address(), listener.port())
                : bound.localAddress();
    }

    /** Accepts nothing more. May be called before it was bound, and again. */
    void close() {
        SocketFile made = file;
        if (made != null) {
            made.delete();
        }
        Channel bound = channel;
        if (bound != null) {
            bound.close().awaitUninterruptibly(CLOSE_MILLIS);
        }
    }
}
