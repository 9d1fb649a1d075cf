package dev.penstock.http;

import dev.penstock.http.host.HostEvents;
import dev.penstock.http.host.HostRequest;
import dev.penstock.http.limits.AddressRange;
import dev.penstock.http.limits.Client;
import dev.penstock.http.limits.Clients;
import dev.penstock.http.limits.ConnectionLimit;
import dev.penstock.http.limits.LimitExceeded;
import dev.penstock.http.limits.PermitQueue;
import dev.penstock.http.limits.UnreadBodies;
import dev.penstock.http.loop.EventLoops;
import dev.penstock.http.loop.Loop;
import dev.penstock.http.loop.OnceTask;
import dev.penstock.http.loop.ServerConnection;
import dev.penstock.http.message.HttpDate;
import dev.penstock.http.tls.TlsContext;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A running HTTP server. Built with {@link #builder}; ends with {@link #close}, which takes no new requests and lets running
 * responses finish within the builder's limit. Thread-safe.
 */
public final class Server implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger("dev.penstock.http");
    private static final Duration CERTIFICATE_LOOKS = Duration.ofSeconds(5);

    private final Settings settings;
    private final Router router;
    private final Admission admission;
    private final HttpDate date;
    private final AccessLog accessLog;
    private final RefusalLog refusals = new RefusalLog(LOGGER, System::nanoTime);
    private final Waits waits;
    private final UnreadBodies unreadBodies;
    private final Clients clients;
    private final @Nullable TlsContext tls;
    private final EventLoops loops;

    /** Null where another server\'s requests are answered. */
    private final @Nullable Channel listener;

    private final Set<ServerExchange> running = ConcurrentHashMap.newKeySet();
    private final ConnectionLimit limit;
    private final AtomicInteger connections = new AtomicInteger();
    private final LongAdder requests = new LongAdder();
    private final LongAdder slowClients = new LongAdder();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition quiet = lock.newCondition();
    private volatile boolean stopping;
    private boolean hurried;
    private boolean stopped;

    private Server(Settings settings, Router router, Admission admission, boolean listens) {
        this.settings = settings;
        this.router = router;
        this.admission = admission;
        this.waits = new Waits(settings.maxWaits(), settings.longestWait());
        this.unreadBodies = new UnreadBodies(settings.maxUnreadBytes());
        this.clients = new Clients(settings.clients());
        this.date = new HttpDate(settings.clock());
        this.accessLog = new AccessLog(settings.accessLog(), settings.clock());
        this.tls = listens ? tls(settings) : null;
        FirstUse.now();
        this.limit = new ConnectionLimit(settings.maxConnections(), listens, LOGGER);
        this.loops = new EventLoops(settings.eventLoops());
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
        InetSocketAddress address = new InetSocketAddress(settings.address(), settings.port());
        ChannelFuture bound =
                loops.bootstrap(this::initialize)
                        .handler(limit)
                        .bind(address)
                        .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loops.shutDown();
            accessLog.close();
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
        Clients.Connection connection = clients.connected(channel.remoteAddress());
        channel.closeFuture().addListener(_ -> clients.disconnected(connection));
        TlsContext context = tls;
        if (connection.verdict() == Client.Verdict.HOPELESS) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            channel.close();
        } else if (context == null) {
            channel.pipeline().addLast(new Http1Connection(this, connection));
        } else {
            channel.pipeline()
                    .addLast(context.handler(channel), new TlsConnection(this, connection));
        }
    }

    /** Reads the files for TLS again, if they have changed. Blocks. */
    void lookAtCertificate() {
        TlsContext context = tls;
        if (context != null) {
            context.look();
        }
    }

    /** A builder with the defaults that it documents: loopback, port 8080. */
    public static Builder builder() {
        return new Builder();
    }

    /** The port that the server listens on; -1 where it listens on none ({@link Builder#startHosted}). */
    public int port() {
        if (listener == null) {
            return -1;
        }
        return listener.localAddress() instanceof InetSocketAddress bound
                ? bound.getPort()
                : settings.port();
    }

    /**
     * Takes a request that has come to another server, which a {@linkplain Builder#startHosted hosted} server answers there. For
     * adapters such as {@code penstock-http-servlet}; on any thread, and at once.
     *
     * @return what is to be told of the request from now on
     */
    // Only adapters of this project see the types.
    @SuppressWarnings("exports")
    public HostEvents accept(HostRequest request) {
        HostedRequest accepted = new HostedRequest(this, loops.next(), request);
        accepted.begin();
        return accepted;
    }

    /** How many connections are open. */
    public int connections() {
        return connections.get();
    }

    /** How many handlers run, on a thread each. */
    public int running() {
        return running.size();
    }

    /** How many requests wait, suspended, without a thread. */
    public int waiting() {
        return waits.now();
    }

    /** How many requests with a well-formed head have come so far. */
    public long requests() {
        return requests.sum();
    }

    /** How many clients were thrown out so far because they were below the minimum rate. */
    public long slowClients() {
        return slowClients.sum();
    }

    /** How many connections and requests were answered with 429 so far, because their client had more, or sent them faster, than it may. */
    public long limited() {
        return clients.limited();
    }

    /** How many lines of the access log were dropped so far, because they could not be written as fast as requests came. */
    public long droppedLogLines() {
        return accessLog.dropped();
    }

    /**
     * Whether one of the threads that serve connections has ended, which only an error in its own workings does, such as too little memory at the
     * wrong moment. Connections fail from then on, and another process is the only remedy; the logger {@code dev.penstock.http} has told it.
     */
    public boolean isBroken() {
        return loops.isBroken();
    }

    /** How many bytes outside the heap the pool of buffers holds. */
    public long bufferBytes() {
        return loops.bufferBytes();
    }

    /** What admits requests to routes that have no admission of their own. */
    public Admission admission() {
        return admission;
    }

    // What connections ask for.

    Settings settings() {
        return settings;
    }

    System.Logger log() {
        return LOGGER;
    }

    /**
     * A request is done with: has it logged and counted, if anybody wants to know. On any thread.
     *
     * @param finished what is to be said of it; called at once, if at all
     */
    // A listener that fails must not take the connection with it.
    @SuppressWarnings("CatchingUnchecked")
    void finished(Supplier<FinishedRequest> finished) {
        Consumer<FinishedRequest> listener = settings.onFinished();
        if (!accessLog.isOn() && listener == null) {
            return;
        }
        FinishedRequest request = finished.get();
        accessLog.log(request);
        if (listener != null) {
            try {
                listener.accept(request);
            } catch (Throwable failure) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "A listener failed on a request that is done with",
                        failure);
            }
        }
    }

    Waits waits() {
        return waits;
    }

    UnreadBodies unreadBodies() {
        return unreadBodies;
    }

    RefusalLog refusals() {
        return refusals;
    }

    Clients clients() {
        return clients;
    }

    HttpDate date() {
        return date;
    }

    boolean stopping() {
        return stopping;
    }

    /** The client's, as text; on any thread. */
    static String address(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress address
                ? address.getAddress().getHostAddress()
                : "-";
    }

    /** On the connection's event loop. */
    Loop opened(ServerConnection connection, Channel channel) {
        connections.incrementAndGet();
        return tookOver(connection, channel);
    }

    /** The protocol of an open connection is known. On the connection's event loop. */
    Loop tookOver(ServerConnection connection, Channel channel) {
        Loop loop = loops.of(channel);
        lookAfter(connection, loop);
        return loop;
    }

    /** A request that came to another server counts as a connection. On the loop. */
    void opened(ServerConnection connection, Loop loop) {
        connections.incrementAndGet();
        lookAfter(connection, loop);
    }

    private void lookAfter(ServerConnection connection, Loop loop) {
        loop.add(connection);
        if (stopping) {
            connection.stop();
        }
    }

    void closed() {
        connections.decrementAndGet();
        signalQuiet();
    }

    void tooSlow(String address, ClientWatch.Finding how) {
        slowClients.increment();
        String rate =
                "less than %d bytes a second over %s"
                        .formatted(
                                settings.minimumRate(),
                                Settings.text(settings.minimumRateWindow()));
        String why =
                switch (how) {
                    case READS_TOO_SLOWLY -> "it read " + rate;
                    case SENDS_TOO_SLOWLY -> "it sent " + rate;
                    case MUST_YIELD -> "it was slow, and others waited for its place";
                    case FINE, GONE -> throw new IllegalArgumentException("Not slow: " + how);
                };
        LOGGER.log(
                System.Logger.Level.INFO, "Reset the connection of %s: %s".formatted(address, why));
    }

    /**
     * Finds who answers, and has it answer as soon as it is admitted. On the event loop.
     *
     * @param segments those of its path
     * @param contentLength of its body, negative where it is not known
     */
    // A route's admission that fails is answered as a handler that does, errors included.
    @SuppressWarnings("CatchingUnchecked")
    void dispatch(ServerExchange exchange, List<String> segments, long contentLength) {
        if (contentLength > settings.maxBodyBytes()) {
            exchange.answerHere(_ -> {
                throw RequestBody.tooLarge(settings.maxBodyBytes());
            });
            return;
        }
        requests.increment();
        LimitExceeded exceeded = exchange.exceededLimit();
        if (exceeded != null) {
            exchange.answerHere(Failures.handler(Failures.tooMany(exceeded)));
            return;
        }
        Router.Match match = router.match(segments);
        Router.Route route = match == null ? null : match.route(exchange.method());
        if (match == null || route == null) {
            exchange.answerHere(unrouted(exchange, match));
            return;
        }
        exchange.routed(match, route);
        if (stopping) {
            refuse(exchange, admission.queue());
            return;
        }
        if (route.admission() == null && NonBlocking.is(route.handler())) {
            exchange.answerHere(route.handler());
            return;
        }
        PermitQueue through;
        try {
            through =
                    (route.admission() == null ? admission : route.admission().apply(exchange))
                            .queue();
        } catch (Throwable failure) {
            exchange.answerHere(Failures.handler(failure));
            return;
        }
        switch (exchange.enter(through)) {
            case RUN -> start(exchange);
            case WAIT -> {}
            case REFUSED -> refuse(exchange, through);
        }
    }

    /** Whether there is a route for a GET of the path of these segments. */
    boolean hasPage(List<String> segments) {
        Router.Match match = router.match(segments);
        return match != null && match.route("GET") != null;
    }

    private Handler unrouted(ServerExchange exchange, Router.@Nullable Match match) {
        String method = exchange.method();
        boolean all = exchange.path().equals("*");
        if (match == null && !all) {
            return _ -> {
                throw new HttpException(404, "There is nothing at this path");
            };
        }
        String allow = all || match == null ? router.methods() : match.allow();
        if (method.equals("OPTIONS")) {
            return answered -> answered.status(204).header("Allow", allow);
        }
        return _ -> {
            throw new HttpException(405, "This path answers " + allow).header("Allow", allow);
        };
    }

    /** The error response that an exception is here. */
    Problem problem(HttpException exception) {
        return Problem.of(exception, settings.problemMembers());
    }

    void refuse(ServerExchange exchange, PermitQueue full) {
        exchange.answerHere(_ -> {
            throw refusal(full);
        });
    }

    /** The error of a request that an admission has no room for. */
    HttpException refusal(PermitQueue full) {
        long seconds = Math.max(1, full.timeout().plusMillis(999).toSeconds());
        return new HttpException(
                        503,
                        stopping
                                ? "The server is stopping"
                                : "Too many requests of this kind are running and"
                                        + " waiting; try again later")
                .header("Retry-After", Long.toString(seconds));
    }

    /** Too much of requests' bodies lies here for one more to wait with its own. */
    void refuseBody(ServerExchange exchange) {
        exchange.answerHere(_ -> {
            throw new HttpException(
                            503,
                            "Too much of requests that wait has been sent already; try again later")
                    .header("Retry-After", "1");
        });
    }

    /** Has an exchange go on with a handler on a thread after a wait, as soon as it is admitted again. */
    void resume(ServerExchange exchange) {
        if (exchange.reenter(admission.queue()) == PermitQueue.Decision.RUN) {
            start(exchange);
        }
    }

    /** Whether there is no room for another connection. */
    boolean isFull() {
        return limit.isReached();
    }

    /** Gives the exchange its thread, where its handler needs one. */
    void start(ServerExchange exchange) {
        if (exchange.runsOnLoop()) {
            exchange.onLoop(exchange::runHere);
            return;
        }
        running.add(exchange);
        if (exchange.loop().isHere()) {
            exchange.loop().start(() -> startThread(exchange));
        } else {
            startThread(exchange);
        }
    }

    /** Where there is no memory for a thread, its request fails as one whose handler had none: or else it would keep its place. */
    private void startThread(ServerExchange exchange) {
        OnceTask task = new OnceTask(() -> run(exchange));
        try {
            var _ = Thread.ofVirtual().name("penstock-handler").start(task);
        } catch (OutOfMemoryError | RejectedExecutionException failure) {
            if (task.claim()) {
                running.remove(exchange);
                exchange.onLoop(() -> exchange.answerHere(Failures.handler(failure)));
            }
        }
    }

    private void run(ServerExchange exchange) {
        boolean waits = false;
        try {
            waits = exchange.run();
        } finally {
            running.remove(exchange);
            signalQuiet();
        }
        if (waits) {
            exchange.await();
        }
    }

    private void signalQuiet() {
        if (stopping) {
            lock.lock();
            try {
                quiet.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    // How it ends.

    /**
     * Takes no new connections and requests, closes connections that are idle, answers those that wait with 503, and waits until
     * the running responses are complete. After the builder's limit, or when another thread calls it a second time, the rest is
     * broken off, and handlers that still run are interrupted.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            if (stopping) {
                hurried = true;
                quiet.signalAll();
                while (!stopped) {
                    quiet.awaitUninterruptibly();
                }
                return;
            }
            stopping = true;
        } finally {
            lock.unlock();
        }
        if (listener != null) {
            listener.close().awaitUninterruptibly(1000);
        }
        loops.forEach(ServerConnection::stop);
        if (!awaitQuiet(settings.stopWithin(), true)) {
            loops.forEach(ServerConnection::reset);
            awaitQuiet(Duration.ofMillis(500), false);
            running.forEach(ServerExchange::interrupt);
            awaitQuiet(Duration.ofSeconds(1), false);
        }
        loops.shutDown();
        accessLog.close();
        lock.lock();
        try {
            stopped = true;
            quiet.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean awaitQuiet(Duration limit, boolean mayBeHurried) {
        long deadline = System.nanoTime() + limit.toNanos();
        lock.lock();
        try {
            while (connections.get() > 0 || !running.isEmpty()) {
                long rest = deadline - System.nanoTime();
                if (rest <= 0 || (hurried && mayBeHurried)) {
                    return false;
                }
                var _ = quiet.awaitNanos(rest);
            }
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Buffers that are in use; for tests. */
    long buffersInUse() {
        return loops.buffersInUse();
    }

    /**
     * Settings and routes of a server. Unless set: address 127.0.0.1, port 8080; a request line of 8 KiB, 100 header lines of
     * together 16 KiB, a body of 16 MiB; 8,192 connections, 60 s idle, 10 s for a request's head; at least 1 KiB/s over 30 s;
     * 128 handlers running and 4,096 requests waiting to for up to 60 s; 32,768 suspended for up to 10 minutes; gzip and the access log on; 10 s to stop. For one thread.
     */
    public static final class Builder {
        private final Router router = new Router();
        private Settings.Draft draft = new Settings.Draft();
        private Admission admission = new Admission(128, 4 * 1024, Duration.ofSeconds(60));

        private Builder() {}

        /** The port to listen on; 0 takes any that is free. 8080 unless set. */
        public Builder port(int port) {
            draft.port = Settings.within("port", port, 0, 65_535);
            return this;
        }

        /** The address, or name, to listen on: 127.0.0.1 unless set, so that only this machine can connect. */
        public Builder address(String address) {
            draft.address = address;
            return this;
        }

        /**
         * How many event loops, a thread each, serve the connections, each of which stays on one: 1 to 64. One for two processors, at least
         * one and at most 8, unless set. Handlers run on threads of their own, but for {@linkplain Handler#nonBlocking those that don't block}.
         */
        public Builder eventLoops(int count) {
            draft.eventLoops =
                    Settings.within("eventLoops", count, EventLoops.LEAST, EventLoops.MOST);
            return this;
        }

        /**
         * Answers GET and HEAD on a path.
         *
         * @param path segments, of which {@code {name}} matches one of any text, and a last {@code {name...}} one or more:
         *     {@code /api/{table}}
         */
        public Builder get(String path, Handler handler) {
            return route("GET", path, handler);
        }

        /** The same, with admission; the function is called on an event loop with the request's head and must not block. */
        public Builder get(String path, Handler handler, Function<Exchange, Admission> admission) {
            return route("GET", path, handler, admission);
        }

        /** Answers another method on a path. */
        public Builder route(String method, String path, Handler handler) {
            router.add(method, path, handler, null);
            return this;
        }

        /** The same, with admission. */
        public Builder route(
                String method,
                String path,
                Handler handler,
                Function<Exchange, Admission> admission) {
            router.add(method, path, handler, admission);
            return this;
        }

        /** What admits requests to routes without an admission of their own: 128 run and 4,096 wait up to 60 s unless set. */
        public Builder admission(Admission admission) {
            this.admission = admission;
            return this;
        }

        /** The longest request line, in bytes; beyond it 414. 8 KiB unless set. */
        public Builder maxRequestLine(int bytes) {
            draft.maxRequestLine = Settings.within("maxRequestLine", bytes, 64, 1 << 20);
            return this;
        }

        /** The most header lines, and the most bytes of them together; beyond them 431. 100 and 16 KiB unless set. */
        public Builder maxHeaders(int count, int bytes) {
            draft.maxHeaders = Settings.within("maxHeaders", count, 1, 10_000);
            draft.maxHeaderBytes = Settings.within("maxHeaders", bytes, 64, 1 << 20);
            return this;
        }

        /** The largest request body, in bytes; beyond it 413. It is never held as a whole. 16 MiB unless set. */
        public Builder maxBody(long bytes) {
            draft.maxBodyBytes = Settings.within("maxBody", bytes, 0, Long.MAX_VALUE);
            return this;
        }

        /** How many bytes of bodies may lie here unread; for tests, as otherwise it is a share of the heap. */
        Builder maxUnread(long bytes) {
            draft.maxUnreadBytes = bytes;
            return this;
        }

        /** The most open connections; beyond them clients wait to be accepted. 8,192 unless set, and never more than the process may open files for. */
        public Builder maxConnections(int count) {
            draft.maxConnections = Settings.within("maxConnections", count, 1, 1 << 20);
            return this;
        }

        /**
         * Speaks TLS 1.3 and 1.2, with HTTP/2 and HTTP/1.1 as the client chooses. The files are looked at every 5 s, and new
         * connections get what is there then; a pair that is not in order is logged, and the one before stays in use.
         *
         * @param certificate a PEM file with the server's certificate, and behind it those that vouch for it
         * @param key a PEM file with its private key, not encrypted
         */
        public Builder tls(Path certificate, Path key) {
            draft.tls = new Settings.TlsFiles(certificate, key);
            return this;
        }

        /** The most streams that a connection of HTTP/2 may have open at once. 100 unless set. */
        public Builder maxStreams(int count) {
            draft.maxStreams = Settings.within("maxStreams", count, 1, 1 << 16);
            return this;
        }

        /**
         * The most connections that one client may have open; beyond them they are answered with 429, and beyond twice as many reset. A client
         * is an IPv4 address, or the first 64 bits of an IPv6 one. 0 is no limit. Unless set: half of {@link #maxConnections}, save
         * for clients on this machine, of which one may be a proxy.
         */
        public Builder clientConnections(int count) {
            draft.clientConnections = Settings.within("clientConnections", count, 0, 1 << 20);
            return this;
        }

        /**
         * The most requests that one client may have at once, whether they run, are queued or wait; beyond them 429. 0 is no limit. Unless
         * set: half of {@link #maxWaits}, but at least 128, save for clients on this machine.
         */
        public Builder clientRequests(int count) {
            draft.clientRequests = Settings.within("clientRequests", count, 0, 1 << 24);
            return this;
        }

        /**
         * How many requests one client may send: so many a second in the long run, and so many at once after a pause; beyond them 429,
         * with the time to wait in {@code Retry-After}. No limit unless set, or with a rate of 0.
         */
        public Builder clientRate(double requestsPerSecond, int burst) {
            if (!(requestsPerSecond >= 0 && requestsPerSecond <= 1e9)) {
                throw new IllegalArgumentException(
                        "clientRate is "
                                + requestsPerSecond
                                + " a second; it must be from 0 to 1e9");
            }
            draft.clientRate = requestsPerSecond;
            draft.clientBurst = Settings.within("clientRate", burst, 1, 1 << 30);
            return this;
        }

        /**
         * The proxies in front of this server: single addresses, or ranges such as {@code 10.0.0.0/8}. Requests that come from them are
         * those of the client in {@code X-Forwarded-For}, for limits, fairness, the log and {@link Exchange#remoteAddress}; they themselves
         * have no limits. None unless set; nobody else's {@code X-Forwarded-For} is believed, and no {@code Forwarded}.
         *
         * @throws IllegalArgumentException if one is no address or range
         */
        public Builder proxies(List<String> ranges) {
            draft.proxies = ranges.stream().map(AddressRange::parse).toList();
            return this;
        }

        /** How long a connection may be open without a request. 60 s unless set. While there are as many as may be: a second. */
        public Builder idleTimeout(Duration timeout) {
            draft.idleTimeout = Settings.positive("idleTimeout", timeout);
            return this;
        }

        /** How long a request's head may take from its first byte on; beyond it 408. 10 s unless set. While there are as many connections as may be: two. */
        public Builder headTimeout(Duration timeout) {
            draft.headTimeout = Settings.positive("headTimeout", timeout);
            return this;
        }

        /**
         * How fast a client must read its response, and send its body, measured only while the server waits for it; it may fall
         * behind by what two windows make, then it is reset. 1,024 bytes a second over 30 s unless set; 0 asks for none.
         */
        public Builder minimumRate(int bytesPerSecond, Duration window) {
            draft.minimumRate = Settings.within("minimumRate", bytesPerSecond, 0, 1 << 30);
            draft.minimumRateWindow = Settings.positive("minimumRate", window);
            return this;
        }

        /** How long {@link Server#close} lets running responses go on. 10 s unless set. */
        public Builder stopWithin(Duration limit) {
            draft.stopWithin = Settings.positive("stopWithin", limit);
            return this;
        }

        /**
         * How many requests may wait, suspended, and how long each at the most. A handler that suspends beyond the number answers 503.
         * 32,768 and 10 minutes unless set.
         */
        public Builder maxWaits(int count, Duration longest) {
            draft.maxWaits = Settings.within("maxWaits", count, 0, 1 << 24);
            draft.longestWait = Settings.positive("maxWaits", longest);
            return this;
        }

        /** How long a handler may go on after its client has gone, before its thread is interrupted. 10 s unless set. */
        public Builder interruptAfter(Duration grace) {
            draft.interruptAfter = Settings.positive("interruptAfter", grace);
            return this;
        }

        /** Whether text goes out as gzip to clients that accept it. True unless set. */
        public Builder compression(boolean on) {
            draft.compression = on;
            return this;
        }

        /** Whether each request is a line for the logger {@code dev.penstock.http.access}. True unless set. */
        public Builder accessLog(boolean on) {
            draft.accessLog = on ? AccessLogFormat.TEXT : null;
            return this;
        }

        /** The same, with each line in a format. {@link AccessLogFormat#TEXT} unless set. */
        public Builder accessLog(AccessLogFormat format) {
            draft.accessLog = format;
            return this;
        }

        /**
         * Who is told of each request that is done with, malformed ones included. Called on an event loop or a handler's thread, so it must
         * take microseconds; what it throws is logged. Nobody unless set.
         */
        public Builder onFinished(Consumer<FinishedRequest> listener) {
            draft.onFinished = listener;
            return this;
        }

        /**
         * Adds members to the problem document of every error response: those made by handlers, and those that the
         * server makes itself. Members that the {@link HttpException} has go before. Called on an event loop or a
         * handler's thread, so it must take microseconds. None unless set; each call adds to those before.
         */
        public Builder problemMembers(
                Function<HttpException, Map<String, @Nullable Object>> members) {
            draft.problemMembers.add(members);
            return this;
        }

        /** Where the time of {@code Date} and of the access log comes from. The system's clock unless set. */
        public Builder clock(Clock clock) {
            draft.clock = clock;
            return this;
        }

        /**
         * Binds the port and starts.
         *
         * @throws IllegalArgumentException if the files for TLS can't be used; it says what to do
         * @throws IllegalStateException if the port can't be had; its cause says why
         */
        public Server start() {
            draft.maxConnections = ConnectionLimit.possible(draft.maxConnections, LOGGER);
            return new Server(draft.settings(), router, admission, true);
        }

        /**
         * Starts a server that listens on no port: requests are given to it by another server, whose connections, limits of heads and
         * minimum rates these then are. Such as {@code PenstockServlet} in {@code penstock-http-servlet}, which calls it.
         */
        public Server startHosted() {
            return new Server(draft.settings(), router, admission, false);
        }
    }
}
