package dev.penstock.http.exchange;

import dev.penstock.http.Admission;
import dev.penstock.http.FinishedRequest;
import dev.penstock.http.HttpException;
import dev.penstock.http.limits.Bounds;
import dev.penstock.http.limits.Clients;
import dev.penstock.http.limits.ConnectionLimit;
import dev.penstock.http.limits.UnreadBodies;
import dev.penstock.http.log.AccessLog;
import dev.penstock.http.log.RejectionLog;
import dev.penstock.http.loop.EventLoops;
import dev.penstock.http.loop.Loop;
import dev.penstock.http.loop.ServerConnection;
import dev.penstock.http.loop.UnixChannel;
import dev.penstock.http.message.HttpDate;
import dev.penstock.http.response.ContentCoders;
import dev.penstock.http.response.Problem;
import dev.penstock.http.route.Router;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The running server, as its connections and exchanges see it: its settings and limits, its log, its dispatcher, and
 * the count of what is still open when it stops. Thread-safe.
 */
public final class ServerContext {
    private static final System.Logger LOGGER = System.getLogger("dev.penstock.http");

    private final Settings settings;
    private final HttpDate date;
    private final AccessLog accessLog;
    private final RejectionLog refusals = new RejectionLog(LOGGER, System::nanoTime);
    private final SuspensionLimit waits;
    private final UnreadBodies unreadBodies;
    private final ContentCoders coders;
    private final Clients clients;
    private final ConnectionLimit limit;
    private final EventLoops loops;
    private final Dispatcher dispatcher;
    private final AtomicInteger connections = new AtomicInteger();
    private final LongAdder slowClients = new LongAdder();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition quiet = lock.newCondition();
    private volatile boolean stopping;

    /** Whether whoever stops the server will not wait any longer. Guarded by the lock. */
    private boolean hurried;

    /**
     * @param listens whether the server accepts connections of its own
     */
    public ServerContext(Settings settings, Router router, Admission admission, boolean listens) {
        this.settings = settings;
        this.waits = new SuspensionLimit(settings.maxSuspended(), settings.longestSuspension());
        this.unreadBodies = new UnreadBodies(settings.maxUnreadBytes());
        this.coders = new ContentCoders(settings.contentCoders(), settings.maxEncoderBytes());
        this.clients = new Clients(settings.clients());
        this.date = new HttpDate(settings.clock());
        this.accessLog = new AccessLog(settings.accessLog(), settings.clock());
        this.limit = new ConnectionLimit(settings.maxConnections(), listens, LOGGER);
        this.loops = new EventLoops(settings.eventLoops(), !listens);
        this.dispatcher = new Dispatcher(this, router, admission);
    }

    public Settings settings() {
        return settings;
    }

    public System.Logger log() {
        return LOGGER;
    }

    public HttpDate date() {
        return date;
    }

    public AccessLog accessLog() {
        return accessLog;
    }

    public RejectionLog refusals() {
        return refusals;
    }

    public SuspensionLimit suspensions() {
        return waits;
    }

    public UnreadBodies unreadBodies() {
        return unreadBodies;
    }

    /** In which responses can be sent, where the settings have them compressed. */
    public ContentCoders coders() {
        return coders;
    }

    public Clients clients() {
        return clients;
    }

    public ConnectionLimit limit() {
        return limit;
    }

    public EventLoops loops() {
        return loops;
    }

    public Dispatcher dispatcher() {
        return dispatcher;
    }

    /** The number of open connections. */
    public int connections() {
        return connections.get();
    }

    /** The number of clients that were disconnected so far because they were below the minimum rate. */
    public long slowClients() {
        return slowClients.sum();
    }

    public boolean stopping() {
        return stopping;
    }

    /** Returns whether there is no room for another connection. */
    public boolean isFull() {
        return limit.isReached();
    }

    /** The error response that an exception is here. */
    public Problem problem(HttpException exception) {
        return Problem.of(exception, settings.problemMembers());
    }

    /** An exchange is done with: has it logged and counted, and its observers told. On any thread. */
    public void finished(ServerExchange exchange, Supplier<FinishedRequest> finished) {
        ObservedRequest observed = exchange.observed();
        if (observed == null) {
            finished(finished);
            return;
        }
        FinishedRequest request = finished.get();
        finished(() -> request);
        observed.finished(request);
    }

    /**
     * A request is done with: has it logged and counted, if anybody wants to know. On any thread.
     *
     * @param finished what is to be said of it; called at once, if at all
     */
    // A listener that fails must not take the connection with it.
    @SuppressWarnings("CatchingUnchecked")
    public void finished(Supplier<FinishedRequest> finished) {
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

    /** The client's, as text; {@code unix} at a Unix domain socket. On any thread. */
    public static String address(Channel channel) {
        if (channel.remoteAddress() instanceof InetSocketAddress address) {
            return address.getAddress().getHostAddress();
        }
        return channel instanceof UnixChannel ? "unix" : "-";
    }

    /** On the connection's event loop. */
    public Loop opened(ServerConnection connection, Channel channel) {
        connections.incrementAndGet();
        Loop loop = tookOver(connection, channel);
        loop.keepChunks(false);
        return loop;
    }

    /** The protocol of an open connection is known. On the connection's event loop. */
    public Loop tookOver(ServerConnection connection, Channel channel) {
        Loop loop = loops.of(channel);
        lookAfter(connection, loop);
        return loop;
    }

    /** A request that came to another server counts as a connection. On the loop. */
    public void opened(ServerConnection connection, Loop loop) {
        connections.incrementAndGet();
        lookAfter(connection, loop);
    }

    private void lookAfter(ServerConnection connection, Loop loop) {
        loop.add(connection);
        if (stopping) {
            connection.stop();
        }
    }

    public void closed() {
        connections.decrementAndGet();
        signalQuiet();
    }

    public void tooSlow(String address, ClientWatch.Finding how) {
        slowClients.increment();
        String rate =
                "less than %d bytes a second over %s"
                        .formatted(
                                settings.minimumRate(), Bounds.text(settings.minimumRateWindow()));
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
     * Stops taking requests.
     *
     * @return false if it has been called before; then whoever waits for the end is hurried
     */
    public boolean beginStop() {
        lock.lock();
        try {
            if (stopping) {
                hurried = true;
                quiet.signalAll();
                return false;
            }
            stopping = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Wakes whoever waits for the end, if the server stops. */
    void signalQuiet() {
        if (stopping) {
            lock.lock();
            try {
                quiet.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Waits until no connection is open and no handler runs.
     *
     * @param mayBeHurried whether another call of {@link #beginStop} ends the wait
     * @return whether it came to that
     */
    public boolean awaitQuiet(Duration limit, boolean mayBeHurried) {
        long deadline = System.nanoTime() + limit.toNanos();
        lock.lock();
        try {
            while (connections.get() > 0 || dispatcher.running() > 0) {
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
}
