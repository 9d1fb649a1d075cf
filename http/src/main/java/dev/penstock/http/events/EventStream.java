package dev.penstock.http.events;

import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.Suspension;
import dev.penstock.http.exchange.ServerExchange;
import dev.penstock.http.exchange.ServerSuspension;
import dev.penstock.http.loop.TimerWheel;
import dev.penstock.http.response.ResponseTransport;
import dev.penstock.http.response.SendWindow;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A response of server-sent events, one by one, from any thread, while the request holds none. Opened by a handler,
 * which then returns. What is on its way to the client is bounded: an event for which there is no room is dropped, or
 * ends the stream, as was chosen. A comment is sent now and then while nothing else is, so that nobody on the way takes
 * the connection for dead.
 *
 * <p>The stream ends when it is closed, when the client leaves, when the server stops, and after the server's longest
 * wait; the latter two are clean ends, after which browsers come back and say which event they saw last. Thread-safe.
 */
public final class EventStream implements AutoCloseable {
    /** The media type of such a response. */
    public static final String MEDIA_TYPE = "text/event-stream";

    /** Bytes that may be on their way; the end of the response has room beside them. */
    static final int BUDGET = SendWindow.BYTES - 1024;

    private static final Handler END = Handler.nonBlocking(_ -> {});

    private final ServerExchange exchange;
    private final SlowReader slowReader;
    private final @Nullable ServerSuspension wait;
    private final @Nullable ResponseTransport transport;
    private final Heartbeat heartbeat;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private volatile boolean closed;

    /** A policy for a client that is slower than the events. */
    public enum SlowReader {
        /** It misses events. */
        DROP,
        /** Its connection is reset; it may come back, and say which event it saw last. */
        DISCONNECT
    }

    private EventStream(
            ServerExchange exchange,
            SlowReader slowReader,
            @Nullable ServerSuspension wait,
            Duration every) {
        this.exchange = exchange;
        this.slowReader = slowReader;
        this.wait = wait;
        this.transport = wait == null ? null : exchange.response().transport();
        this.heartbeat = new Heartbeat(every.toNanos());
        this.closed = wait == null;
    }

    /** A stream with a comment every 15 s, whose client misses events when it is too slow for them. */
    public static EventStream open(Exchange exchange) throws IOException {
        return open(exchange, SlowReader.DROP, Duration.ofSeconds(15));
    }

    /**
     * Sends the head of the response, and suspends the exchange. To be called by its handler, which does nothing else
     * with the exchange afterwards. To a HEAD request, the head is all, and the stream is closed.
     *
     * @param heartbeat how long nothing is sent at the most
     * @throws IOException if the client has gone
     * @throws HttpException (503) if as many requests wait as may
     */
    public static EventStream open(Exchange exchange, SlowReader slowReader, Duration heartbeat)
            throws IOException {
        if (!(exchange instanceof ServerExchange known)) {
            throw new IllegalArgumentException(
                    "Events can be sent on exchanges of this server only, not on a "
                            + exchange.getClass().getName());
        }
        if (heartbeat.toMillis() < 10) {
            throw new IllegalArgumentException(
                    "A heartbeat every " + heartbeat + " is too often; 10 ms are the least");
        }
        boolean head = exchange.method().equals("HEAD");
        ServerSuspension wait = head ? null : known.suspendForLong();
        if (wait != null) {
            // Before the client can know of it: the server may stop at once.
            wait.endsWith(END);
        }
        // Nothing of it may be kept, or a client that comes back would get old events for new ones.
        exchange.header("Cache-Control", "no-store").body(MEDIA_TYPE).flush();
        EventStream stream = new EventStream(known, slowReader, wait, heartbeat);
        if (wait != null) {
            stream.heartbeat.start();
            wait.onCancel(stream::ended);
        }
        return stream;
    }

    /** The id of the event that the client saw last before it came back; empty on its first visit. */
    public static Optional<String> lastEventId(Exchange exchange) {
        return exchange.header("Last-Event-ID").filter(id -> !id.isEmpty());
    }

    /**
     * Sends an event, without waiting.
     *
     * @return false if it was not sent: the stream has ended, or the client is too slow
     */
    public boolean send(Event event) {
        if (offer(event.encode())) {
            return true;
        }
        if (!closed) {
            dropped.incrementAndGet();
            if (slowReader == SlowReader.DISCONNECT) {
                disconnect();
            }
        }
        return false;
    }

    /** Sends an event that is encoded already; false if there is no room, whatever was chosen for that. */
    boolean offer(byte[] event) {
        ResponseTransport known = transport;
        if (closed || known == null) {
            return false;
        }
        ByteBuf payload = known.allocate(event.length).writeBytes(event);
        boolean taken = known.offer(payload, BUDGET);
        if (taken) {
            sent.incrementAndGet();
        }
        return taken;
    }

    /** Has something done, on the event loop, each time that there is room again after there was none. */
    void onRoom(Runnable action) {
        if (transport != null) {
            transport.onRoom(action);
        }
    }

    void disconnect() {
        closed = true;
        if (transport != null) {
            transport.reset();
        }
    }

    /** How many events have not been sent because the client was too slow. */
    public long dropped() {
        return dropped.get();
    }

    /** Returns whether events can be sent. */
    public boolean isOpen() {
        return !closed && wait != null && wait.isWaiting();
    }

    /**
     * Has an action called once when the stream has ended in another way than by {@link #close}; as for {@link
     * Suspension#onCancel}.
     */
    public EventStream onEnd(Runnable action) {
        if (wait == null) {
            action.run();
        } else {
            wait.onCancel(action);
        }
        return this;
    }

    /** Ends the response. Closing twice does no harm. */
    @Override
    public void close() {
        if (wait != null) {
            ended();
            wait.resume(END);
        }
    }

    private void ended() {
        closed = true;
        exchange.onLoop(() -> exchange.timers().remove(heartbeat));
    }

    /** Sends a comment when nothing was sent since the last time. */
    private final class Heartbeat extends TimerWheel.Entry {
        private final long everyNanos;
        private long sentBefore;

        Heartbeat(long everyNanos) {
            this.everyNanos = everyNanos;
        }

        void start() {
            exchange.onLoop(this::schedule);
        }

        private void schedule() {
            if (isOpen()) {
                exchange.timers().add(this, System.nanoTime() + everyNanos);
            }
        }

        @Override
        public void due() {
            if (sent.get() == sentBefore && offer(Event.comment())) {
                // Only other events count.
                sent.decrementAndGet();
            }
            sentBefore = sent.get();
            schedule();
        }
    }
}
