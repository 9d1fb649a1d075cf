package dev.penstock.http.server;

import dev.penstock.http.Admission;
import dev.penstock.http.container.ContainerConnection;
import dev.penstock.http.container.ContainerEvents;
import dev.penstock.http.container.ContainerRequest;
import dev.penstock.http.exchange.Router;
import dev.penstock.http.exchange.ServerContext;
import dev.penstock.http.exchange.Settings;
import dev.penstock.http.http1.Http1Connection;
import dev.penstock.http.limits.Client;
import dev.penstock.http.limits.Clients;
import dev.penstock.http.loop.EventLoops;
import dev.penstock.http.loop.ServerConnection;
import dev.penstock.http.tls.TlsContext;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A running HTTP server. Built with {@link #builder}; ends with {@link #close}, which takes no new requests and lets
 * running responses finish within the builder's limit. Thread-safe.
 */
public final class Server implements AutoCloseable {
    private static final Duration CERTIFICATE_LOOKS = Duration.ofSeconds(5);

    private final ServerContext context;
    private final @Nullable TlsContext tls;

    /** Null where another server's requests are answered. */
    private final @Nullable Channel listener;

    private final CountDownLatch stopped = new CountDownLatch(1);

    Server(Settings settings, Router router, Admission admission, boolean listens) {
        this.tls = listens ? tls(settings) : null;
        Preloading.now();
        this.context = new ServerContext(settings, router, admission, listens);
        this.listener = listens ? bind() : null;
    }

    private static @Nullable TlsContext tls(Settings settings) {
        Settings.TlsFiles files = settings.tls();
        return files == null
                ? null
                : new TlsContext(
                        files.certificate(), files.key(), settings.headTimeout().toMillis());
    }

    private Channel bind() {
        Settings settings = context.settings();
        EventLoops loops = context.loops();
        InetSocketAddress address = new InetSocketAddress(settings.address(), settings.port());
        ChannelFuture bound =
                loops.bootstrap(this::initialize)
                        .handler(context.limit())
                        .bind(address)
                        .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loops.shutDown();
            context.accessLog().close();
            Throwable cause = bound.cause();
            throw new IllegalStateException(
                    "Can't listen on %s port %d: %s. Choose another port, or end what uses it."
                            .formatted(
                                    settings.address(),
                                    settings.port(),
                                    cause == null ? "no reason is known" : cause.getMessage()),
                    cause);
        }
        if (tls != null) {
            Thread.Builder threads = Thread.ofVirtual().name("penstock-tls");
            loops.every(CERTIFICATE_LOOKS, () -> threads.start(this::lookAtCertificate));
        }
        return bound.channel();
    }

    private void initialize(Channel channel) {
        Clients clients = context.clients();
        Clients.Connection connection = clients.connected(channel.remoteAddress());
        channel.closeFuture().addListener(_ -> clients.disconnected(connection));
        TlsContext files = tls;
        if (connection.verdict() == Client.Verdict.HOPELESS) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            channel.close();
        } else if (files == null) {
            channel.pipeline().addLast(new Http1Connection(context, connection));
        } else {
            channel.pipeline()
                    .addLast(files.handler(channel), new TlsConnection(context, connection));
        }
    }

    /** Reads the files for TLS again, if they have changed. Blocks. */
    void lookAtCertificate() {
        TlsContext files = tls;
        if (files != null) {
            files.look();
        }
    }

    /** A builder with the defaults that it documents: loopback, port 8080. */
    public static ServerBuilder builder() {
        return new ServerBuilder();
    }

    /** The port that the server listens on; -1 where it listens on none ({@link ServerBuilder#startInContainer}). */
    public int port() {
        if (listener == null) {
            return -1;
        }
        return listener.localAddress() instanceof InetSocketAddress bound
                ? bound.getPort()
                : context.settings().port();
    }

    /**
     * Takes a request that has come to another server, a container, in which this one was {@linkplain
     * ServerBuilder#startInContainer started}. For adapters such as {@code penstock-http-servlet}; on any thread. Does
     * not block.
     *
     * @return what is to be told of the request from now on
     */
    // Only adapters of this project see the types.
    @SuppressWarnings("exports")
    public ContainerEvents accept(ContainerRequest request) {
        ContainerConnection accepted =
                new ContainerConnection(context, context.loops().next(), request);
        accepted.begin();
        return accepted;
    }

    /** How many connections are open. */
    public int connections() {
        return context.connections();
    }

    /** How many handlers run, on a thread each. */
    public int running() {
        return context.dispatcher().running();
    }

    /** How many requests wait, suspended, without a thread. */
    public int waiting() {
        return context.suspensions().now();
    }

    /** How many requests with a well-formed head have come so far. */
    public long requests() {
        return context.dispatcher().requests();
    }

    /** How many clients were thrown out so far because they were below the minimum rate. */
    public long slowClients() {
        return context.slowClients();
    }

    /**
     * How many connections and requests were answered with 429 so far, because their client had more, or sent them
     * faster, than it may.
     */
    public long limited() {
        return context.clients().limited();
    }

    /**
     * How many lines of the access log were dropped so far, because they could not be written as fast as requests came.
     */
    public long droppedLogLines() {
        return context.accessLog().dropped();
    }

    /**
     * Whether one of the threads that serve connections has ended, which only an error in its own workings does, such
     * as too little memory at the wrong moment. Connections fail from then on, and another process is the only remedy;
     * the logger {@code dev.penstock.http} has told it.
     */
    public boolean isBroken() {
        return context.loops().isBroken();
    }

    /** How many bytes outside the heap the pool of buffers holds. */
    public long bufferBytes() {
        return context.loops().bufferBytes();
    }

    /** What admits requests to routes that have no admission of their own. */
    public Admission admission() {
        return context.dispatcher().admission();
    }

    // How it ends.

    /**
     * Takes no new connections and requests, closes connections that are idle, answers those that wait with 503, and
     * waits until the running responses are complete. After the builder's limit, or when another thread calls it a
     * second time, the rest is broken off, and handlers that still run are interrupted.
     */
    @Override
    public void close() {
        if (!context.beginStop()) {
            awaitStopped();
            return;
        }
        if (listener != null) {
            listener.close().awaitUninterruptibly(1000);
        }
        EventLoops loops = context.loops();
        loops.forEach(ServerConnection::stop);
        if (!context.awaitQuiet(context.settings().stopWithin(), true)) {
            loops.forEach(ServerConnection::reset);
            context.awaitQuiet(Duration.ofMillis(500), false);
            context.dispatcher().interruptAll();
            context.awaitQuiet(Duration.ofSeconds(1), false);
        }
        loops.shutDown();
        context.accessLog().close();
        stopped.countDown();
    }

    private void awaitStopped() {
        boolean interrupted = false;
        while (true) {
            try {
                stopped.await();
                break;
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What its connections see; for tests. */
    ServerContext context() {
        return context;
    }
}
