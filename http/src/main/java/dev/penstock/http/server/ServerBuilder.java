package dev.penstock.http.server;

import dev.penstock.http.AccessLogFormat;
import dev.penstock.http.Admission;
import dev.penstock.http.ContentCoder;
import dev.penstock.http.FinishedRequest;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.JsonMapper;
import dev.penstock.http.RequestObserver;
import dev.penstock.http.exchange.Settings;
import dev.penstock.http.limits.AddressRange;
import dev.penstock.http.limits.Bounds;
import dev.penstock.http.limits.ConnectionLimit;
import dev.penstock.http.loop.EventLoops;
import dev.penstock.http.route.Router;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Settings and routes of a server. Unless set: address 127.0.0.1, port 8080; a request line of 8 KiB, 100 header
 * lines of together 16 KiB, a body of 16 MiB; 8,192 connections, 60 s idle, 10 s for a request's head; at least 1
 * KiB/s over 30 s; 128 handlers running and 4,096 requests waiting to for up to 60 s; 32,768 suspended for up to 10
 * minutes; gzip and the access log on; 10 s to stop. For one thread.
 */
public final class ServerBuilder extends Routes<ServerBuilder> {
    private static final System.Logger LOGGER = System.getLogger("dev.penstock.http");

    private static final int MOST_LISTENERS = 64;

    private final Router router;
    private Settings.Draft draft = new Settings.Draft();

    /** The one that port, address and tls are about. */
    private Listener first = Listener.tcp(8080);

    private boolean firstIsSet;
    private final List<Listener> listeners = new ArrayList<>();
    private Admission admission = new Admission(128, 4 * 1024, Duration.ofSeconds(60));

    ServerBuilder() {
        this(new Router());
    }

    private ServerBuilder(Router router) {
        super(router.all());
        this.router = router;
        router.all().maxBody(draft.maxBodyBytes);
    }

    @Override
    ServerBuilder self() {
        return this;
    }

    /** The port to listen on; 0 takes any that is free. 8080 unless set. */
    public ServerBuilder port(int port) {
        first = Listener.tcp(port).withAddress(first.address()).withTlsOf(first);
        firstIsSet = true;
        return this;
    }

    /** The address, or name, to listen on: 127.0.0.1 unless set, so that only this machine can connect. */
    public ServerBuilder address(String address) {
        first = first.withAddress(address);
        firstIsSet = true;
        return this;
    }

    /**
     * Adds a listener. Where there is one, those of {@link #port}, {@link #address} and {@link #tls} are about one more
     * of its kind, the first, and where none of them is called there is no such one. At most 64.
     */
    public ServerBuilder listener(Listener listener) {
        if (listeners.size() == MOST_LISTENERS) {
            throw new IllegalArgumentException(
                    "A server has %d listeners at most".formatted(MOST_LISTENERS));
        }
        listeners.add(listener);
        return this;
    }

    /**
     * How many event loops, a thread each, serve the connections, each of which stays on one: 1 to 64. One for two
     * processors, at least one and at most 8, unless set. Handlers run on threads of their own, but for {@linkplain
     * Handler#nonBlocking those that don't block}.
     */
    public ServerBuilder eventLoops(int count) {
        draft.eventLoops = Bounds.within("eventLoops", count, EventLoops.LEAST, EventLoops.MOST);
        return this;
    }

    /**
     * What admits requests to routes without an admission of their own: 128 run and 4,096 wait up to 60 s unless
     * set.
     */
    public ServerBuilder admission(Admission admission) {
        this.admission = admission;
        return this;
    }

    /** The longest request line, in bytes; beyond it 414. 8 KiB unless set. */
    public ServerBuilder maxRequestLine(int bytes) {
        draft.maxRequestLine = Bounds.within("maxRequestLine", bytes, 64, 1 << 20);
        return this;
    }

    /** The most header lines, and the most bytes of them together; beyond them 431. 100 and 16 KiB unless set. */
    public ServerBuilder maxHeaders(int count, int bytes) {
        draft.maxHeaders = Bounds.within("maxHeaders", count, 1, 10_000);
        draft.maxHeaderBytes = Bounds.within("maxHeaders", bytes, 64, 1 << 20);
        return this;
    }

    /**
     * The largest request body, in bytes; beyond it 413. It is never held as a whole. 16 MiB unless set; a group of
     * routes may have a limit of its own.
     */
    public ServerBuilder maxBody(long bytes) {
        router.all().maxBody(Bounds.within("maxBody", bytes, 0, Long.MAX_VALUE));
        return this;
    }

    /** How many bytes of bodies may lie here unread; for tests, as otherwise it is a share of the heap. */
    ServerBuilder maxUnread(long bytes) {
        draft.maxUnreadBytes = bytes;
        return this;
    }

    /**
     * The most open connections; beyond them clients wait to be accepted. 8,192 unless set, and never more than the
     * process may open files for.
     */
    public ServerBuilder maxConnections(int count) {
        draft.maxConnections = Bounds.within("maxConnections", count, 1, 1 << 20);
        return this;
    }

    /**
     * Speaks TLS 1.3 and 1.2, with HTTP/2 and HTTP/1.1 as the client chooses. The files are looked at every 5 s,
     * and new connections get what is there then; a pair that is not in order is logged, and the one before stays
     * in use.
     *
     * @param certificate a PEM file with the server's certificate, and behind it those that vouch for it
     * @param key a PEM file with its private key, not encrypted
     */
    public ServerBuilder tls(Path certificate, Path key) {
        return tls(TlsOptions.pem(certificate, key));
    }

    /** The same, with certificates by server name, of clients, and so on. */
    public ServerBuilder tls(TlsOptions options) {
        first = first.withTls(options);
        firstIsSet = true;
        return this;
    }

    /** The most streams that a connection of HTTP/2 may have open at once. 100 unless set. */
    public ServerBuilder maxStreams(int count) {
        draft.maxStreams = Bounds.within("maxStreams", count, 1, 1 << 16);
        return this;
    }

    /**
     * The most connections that one client may have open; beyond them they are answered with 429, and beyond twice
     * as many reset. A client is an IPv4 address, or the first 64 bits of an IPv6 one. 0 is no limit. Unless set:
     * half of {@link #maxConnections}, save for clients on this machine, of which one may be a proxy.
     */
    public ServerBuilder clientConnections(int count) {
        draft.clientConnections = Bounds.within("clientConnections", count, 0, 1 << 20);
        return this;
    }

    /**
     * The most requests that one client may have at once, whether they run, are queued or wait; beyond them 429. 0
     * is no limit. Unless set: half of {@link #maxSuspended}, but at least 128, save for clients on this machine.
     */
    public ServerBuilder clientRequests(int count) {
        draft.clientRequests = Bounds.within("clientRequests", count, 0, 1 << 24);
        return this;
    }

    /**
     * How many requests one client may send: so many a second in the long run, and so many at once after a pause;
     * beyond them 429, with the time to wait in {@code Retry-After}. No limit unless set, or with a rate of 0.
     */
    public ServerBuilder clientRate(double requestsPerSecond, int burst) {
        if (!(requestsPerSecond >= 0 && requestsPerSecond <= 1e9)) {
            throw new IllegalArgumentException(
                    "clientRate is " + requestsPerSecond + " a second; it must be from 0 to 1e9");
        }
        draft.clientRate = requestsPerSecond;
        draft.clientBurst = Bounds.within("clientRate", burst, 1, 1 << 30);
        return this;
    }

    /**
     * The proxies in front of this server: single addresses, or ranges such as {@code 10.0.0.0/8}. Requests that
     * come from them are those of the client in {@code X-Forwarded-For}, for limits, fairness, the log and {@link
     * dev.penstock.http.Exchange#remoteAddress}; they themselves have no limits. {@code unix} stands for whoever
     * connects to a Unix domain socket. None unless set; nobody else's {@code X-Forwarded-For} is believed, and no
     * {@code Forwarded}.
     *
     * @throws IllegalArgumentException if one is no address or range
     */
    public ServerBuilder proxies(List<String> ranges) {
        draft.proxies = ranges.stream().map(AddressRange::parse).toList();
        return this;
    }

    /**
     * How long a connection may be open without a request. 60 s unless set. While there are as many as may be: a
     * second.
     */
    public ServerBuilder idleTimeout(Duration timeout) {
        draft.idleTimeout = Bounds.positive("idleTimeout", timeout);
        return this;
    }

    /**
     * How long a request's head may take from its first byte on; beyond it 408. 10 s unless set. While there are as
     * many connections as may be: two.
     */
    public ServerBuilder headTimeout(Duration timeout) {
        draft.headTimeout = Bounds.positive("headTimeout", timeout);
        return this;
    }

    /**
     * How fast a client must read its response, and send its body, measured only while the server waits for it; it
     * may fall behind by what two windows make, then it is reset. 1,024 bytes a second over 30 s unless set; 0 asks
     * for none.
     */
    public ServerBuilder minimumRate(int bytesPerSecond, Duration window) {
        draft.minimumRate = Bounds.within("minimumRate", bytesPerSecond, 0, 1 << 30);
        draft.minimumRateWindow = Bounds.positive("minimumRate", window);
        return this;
    }

    /**
     * How many bytes of a connection the operating system may hold that the server has not read yet: what a client has
     * to send again when the server ends suddenly. For connections over TCP. As many as the operating system likes
     * unless set, often several MiB. A client can't send faster than this in the time of a round trip: with 256 KiB and
     * 50 ms, 5 MiB/s.
     *
     * @param bytes from 4 KiB to 1 GiB
     */
    public ServerBuilder receiveBuffer(int bytes) {
        draft.receiveBuffer = Bounds.within("receiveBuffer", bytes, 1 << 12, 1 << 30);
        return this;
    }

    /** How long {@link Server#close} lets running responses go on. 10 s unless set. */
    public ServerBuilder stopWithin(Duration limit) {
        draft.stopWithin = Bounds.positive("stopWithin", limit);
        return this;
    }

    /**
     * Has something closed when the server stops, after all requests have ended or were broken off: what its handlers
     * use, such as a pool. Several are closed in the reverse order of these calls, on the thread that closes the
     * server; one that fails is logged, and the next is closed all the same. Nothing is closed where {@link #start}
     * throws. Nothing unless set; each call adds one.
     */
    public ServerBuilder closeAtStop(AutoCloseable resource) {
        draft.closedAtStop.add(resource);
        return this;
    }

    /**
     * How many requests may wait, suspended, and how long each at the most. A handler that suspends beyond the
     * number answers 503. 32,768 and 10 minutes unless set.
     */
    public ServerBuilder maxSuspended(int count, Duration longest) {
        draft.maxSuspended = Bounds.within("maxSuspended", count, 0, 1 << 24);
        draft.longestSuspension = Bounds.positive("maxSuspended", longest);
        return this;
    }

    /**
     * How long a handler may go on after its client has gone, before its thread is interrupted. 10 s unless set.
     */
    public ServerBuilder interruptAfter(Duration grace) {
        draft.interruptAfter = Bounds.positive("interruptAfter", grace);
        return this;
    }

    /**
     * Sets whether text goes out compressed to clients that accept it, as gzip or by one of the {@link #contentCoders},
     * and messages of WebSockets to clients that offer it. True unless set.
     */
    public ServerBuilder compression(boolean on) {
        draft.compression = on;
        return this;
    }

    /**
     * The codings of responses beside gzip, the best first: of those that a client has named and likes equally, the
     * first is chosen. Unless set, those that are found as services, such as zstd and brotli of {@code
     * penstock-http-compression}.
     */
    public ServerBuilder contentCoders(List<ContentCoder> coders) {
        draft.contentCoders = List.copyOf(coders);
        return this;
    }

    /**
     * The most memory that encoders of the {@link #contentCoders} may hold at once, in bytes; it may be outside of the
     * heap. Beyond it responses go out as gzip, which takes 45 KiB of heap each. An eighth of what the heap may have,
     * but 1 to 256 MiB, unless set.
     */
    public ServerBuilder maxEncoderMemory(long bytes) {
        draft.maxEncoderBytes = Bounds.within("maxEncoderMemory", bytes, 0, 1L << 40);
        return this;
    }

    /** Sets whether each request is a line for the logger {@code dev.penstock.http.access}. True unless set. */
    public ServerBuilder accessLog(boolean on) {
        draft.accessLog = on ? AccessLogFormat.TEXT : null;
        return this;
    }

    /** The same, with each line in a format. {@link AccessLogFormat#TEXT} unless set. */
    public ServerBuilder accessLog(AccessLogFormat format) {
        draft.accessLog = format;
        return this;
    }

    /**
     * Who is told of each request that is done with, malformed ones included. Called on an event loop or a
     * handler's thread, so it must take microseconds; what it throws is logged. Nobody unless set.
     */
    public ServerBuilder onFinished(Consumer<FinishedRequest> listener) {
        draft.onFinished = listener;
        return this;
    }

    /**
     * Who follows each request that is read, such as a tracer; see {@link RequestObserver}. Nobody unless set; each
     * call adds one, and the first is the outermost.
     */
    public ServerBuilder observer(RequestObserver observer) {
        draft.observers.add(observer);
        return this;
    }

    /**
     * Adds members to the problem document of every error response: those made by handlers, and those that the
     * server makes itself. Members that the {@link HttpException} has go before. Called on an event loop or a
     * handler's thread, so it must take microseconds. None unless set; each call adds to those before.
     */
    public ServerBuilder problemMembers(
            Function<HttpException, Map<String, @Nullable Object>> members) {
        draft.problemMembers.add(members);
        return this;
    }

    /**
     * The mapper for {@link dev.penstock.http.Exchange#readJson} and the like. The one that is found as a service
     * unless set.
     */
    public ServerBuilder jsonMapper(JsonMapper mapper) {
        draft.jsonMapper = mapper;
        return this;
    }

    /** Where the time of {@code Date} and of the access log comes from. The system's clock unless set. */
    public ServerBuilder clock(Clock clock) {
        draft.clock = clock;
        return this;
    }

    /**
     * Binds the listeners and starts. The JVM runs until the server is {@linkplain Server#close closed}, also where
     * {@code main} has ended.
     *
     * @throws IllegalArgumentException if the files for TLS can't be used; it says what to do
     * @throws IllegalStateException if a listener can't be had; its cause says why. Then none is left
     */
    public Server start() {
        draft.maxBodyBytes = router.resolve();
        draft.maxConnections = ConnectionLimit.possible(draft.maxConnections, LOGGER);
        List<Listener> all = new ArrayList<>();
        if (firstIsSet || listeners.isEmpty()) {
            all.add(first);
        }
        all.addAll(listeners);
        return new Server(draft.settings(), router, admission, all);
    }

    /**
     * Starts a server that listens on no port: requests are given to it by another server, whose connections,
     * limits of heads and minimum rates these then are. Such as {@code PenstockServlet} in {@code
     * penstock-http-servlet}, which calls it.
     */
    public Server startInContainer() {
        draft.maxBodyBytes = router.resolve();
        return new Server(draft.settings(), router, admission, List.of());
    }
}
