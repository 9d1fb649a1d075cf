package dev.penstock.http.server;

import dev.penstock.http.Admission;
import dev.penstock.http.container.ContainerConnection;
import dev.penstock.http.container.ContainerEvents;
import dev.penstock.http.container.ContainerRequest;
import dev.penstock.http.exchange.ServerContext;
import dev.penstock.http.exchange.Settings;
import dev.penstock.http.loop.EventLoops;
import dev.penstock.http.loop.ServerConnection;
import dev.penstock.http.route.Router;
import dev.penstock.http.tls.TlsContext;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A running HTTP server. Built with {@link #builder}; ends with {@link #close}, which takes no new requests and lets
 * running responses finish within the builder's limit. Thread-safe.
 */
public final class Server implements AutoCloseable {
    private static final Duration CERTIFICATE_LOOKS = Duration.ofSeconds(5);

    private final ServerContext context;

    /** Empty where another server's requests are answered. */
    private final List<ListenerSocket> listeners;

    private final CountDownLatch stopped = new CountDownLatch(1);

    Server(Settings settings, Router router, Admission admission, List<Listener> listeners) {
        this.listeners =
                listeners.stream()
                        .map(one -> new ListenerSocket(one, settings.headTimeout()))
                        .toList();
        Preloading.now();
        this.context = new ServerContext(settings, router, admission, !listeners.isEmpty());
        try {
            this.listeners.forEach(one -> one.bind(context));
        } catch (RuntimeException | Error failure) {
            this.listeners.forEach(ListenerSocket::close);
            context.loops().shutDown();
            context.accessLog().close();
            throw failure;
        }
        if (this.listeners.stream().anyMatch(one -> one.tls() != null)) {
            Thread.Builder threads = Thread.ofVirtual().name("penstock-tls");
            context.loops().every(CERTIFICATE_LOOKS, () -> threads.start(this::lookAtCertificates));
        }
    }

    /** Reads the files for TLS again, if they have changed. Blocks. */
    void lookAtCertificates() {
        for (ListenerSocket listener : listeners) {
            TlsContext tls = listener.tls();
            if (tls != null) {
                tls.look();
            }
        }
    }

    /**
     * Reads again what listeners speak TLS with, at once instead of within 5 s; and has {@linkplain TlsOptions#context
     * contexts of the application's own} made anew. New connections get what is there then, those that are open keep
     * what they have. Blocks for as long as the files take.
     *
     * @return whether anything has changed
     * @throws IllegalArgumentException that says what is not in order: there, what was read before stays in use
     */
    public boolean reloadTls() {
        boolean changed = false;
        List<String> faults = new ArrayList<>();
        for (ListenerSocket listener : listeners) {
            TlsContext tls = listener.tls();
            if (tls != null) {
                try {
                    changed |= tls.reload();
                } catch (IllegalArgumentException fault) {
                    faults.add(String.valueOf(fault.getMessage()));
                }
            }
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", faults));
        }
        return changed;
    }

    /** A builder with the defaults that it documents: loopback, port 8080. */
    public static ServerBuilder builder() {
        return new ServerBuilder();
    }

    /**
     * The port of the first listener on TCP; -1 where there is none, as in a container ({@link
     * ServerBuilder#startInContainer}).
     */
    public int port() {
        for (SocketAddress address : addresses()) {
            if (address instanceof InetSocketAddress internet) {
                return internet.getPort();
            }
        }
        return -1;
    }

    /**
     * Where it listens, in the order of the builder's listeners: an {@link InetSocketAddress} with the port that was
     * taken, or a {@link java.net.UnixDomainSocketAddress}.
     */
    public List<SocketAddress> addresses() {
        return listeners.stream().map(ListenerSocket::address).toList();
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
     * Returns whether one of the threads that serve connections has ended, which only an error in its own workings
     * does, such as too little memory at the wrong moment. Connections fail from then on, and another process is the
     * only remedy; the logger {@code dev.penstock.http} has told it.
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
     * second time, the rest is broken off, and handlers that still run are interrupted. Then {@linkplain
     * ServerBuilder#closeAtStop what they have used} is closed.
     */
    @Override
    public void close() {
        if (!context.beginStop()) {
            awaitStopped();
            return;
        }
        listeners.forEach(ListenerSocket::close);
        EventLoops loops = context.loops();
        loops.forEach(ServerConnection::stop);
        if (!context.awaitQuiet(context.settings().stopWithin(), true)) {
            loops.forEach(ServerConnection::reset);
            context.awaitQuiet(Duration.ofMillis(500), false);
            context.dispatcher().interruptAll();
            context.awaitQuiet(Duration.ofSeconds(1), false);
        }
        loops.shutDown();
        closeResources();
        context.accessLog().close();
        stopped.countDown();
    }

    /** Closes what handlers have used, the latest first. */
    // The others are to be closed whatever one throws.
    @SuppressWarnings("CatchingUnchecked")
    private void closeResources() {
        for (AutoCloseable each : context.settings().closedAtStop().reversed()) {
            try {
                each.close();
            } catch (Throwable failure) {
                if (failure instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                context.log().log(
                        System.Logger.Level.ERROR,
                        "Could not close %s when the server stopped"
                                .formatted(each.getClass().getName()),
                        failure);
            }
        }
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
