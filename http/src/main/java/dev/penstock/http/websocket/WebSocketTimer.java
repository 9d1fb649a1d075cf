package dev.penstock.http.websocket;

import dev.penstock.http.limits.Bounds;
import dev.penstock.http.loop.TimerWheel;
import dev.penstock.http.websocket.WebSocketSender.Phase;
import java.nio.ByteBuffer;

/**
 * The timer of a WebSocket: it pings a client of which nothing comes, gives up one that does not answer, and closes a
 * WebSocket on which neither side has sent a message for too long. On the event loop.
 */
final class WebSocketTimer extends TimerWheel.Entry {
    private final WebSocketConnection connection;
    private final WebSocket.Options options;
    private final WebSocketSender sender;

    private boolean pinged;

    /** When it is next looked whether the client is there. */
    private long checkNanos;

    /** When a message last came. */
    private long receivedNanos;

    WebSocketTimer(
            WebSocketConnection connection, WebSocket.Options options, WebSocketSender sender) {
        this.connection = connection;
        this.options = options;
        this.sender = sender;
    }

    void begin() {
        receivedNanos = System.nanoTime();
        restart();
    }

    /** From now on it has the time of a ping and its answer. */
    void restart() {
        pinged = false;
        checkIn(options.pingEvery().toNanos());
    }

    void message() {
        if (options.idleTimeout().isPositive()) {
            receivedNanos = System.nanoTime();
        }
    }

    void schedule(long nanos) {
        if (sender.phase() != Phase.CLOSED) {
            TimerWheel wheel = connection.tunnel().loop().wheel();
            wheel.remove(this);
            wheel.add(this, System.nanoTime() + nanos);
        }
    }

    private void checkIn(long nanos) {
        long now = System.nanoTime();
        checkNanos = now + nanos;
        schedule(Math.min(nanos, idleNanosLeft(now)));
    }

    /** The time after which it is closed if neither side has sent a message until then. */
    private long idleNanosLeft(long now) {
        if (!options.idleTimeout().isPositive()) {
            return Long.MAX_VALUE;
        }
        long silent = Math.min(now - receivedNanos, now - sender.sentNanos());
        return Math.max(0, options.idleTimeout().toNanos() - silent);
    }

    @Override
    public void due() {
        long now = System.nanoTime();
        long left = idleNanosLeft(now);
        if (!sender.isOpen()) {
            connection.tunnel().abort();
        } else if (left == 0 && !connection.isBroken()) {
            connection.close(1001, "No message for " + Bounds.text(options.idleTimeout()));
        } else if (now - checkNanos >= 0) {
            check();
        } else {
            schedule(Math.min(checkNanos - now, left));
        }
    }

    private void check() {
        boolean silent = connection.isSilent();
        if (silent && pinged) {
            connection.tunnel().abort();
            return;
        }
        pinged = silent;
        if (silent && !connection.isBroken() && connection.tunnel().isWritable()) {
            connection.tunnel().write(Frames.control(Frames.PING, ByteBuffer.allocate(0)));
        }
        checkIn((silent ? options.pongTimeout() : options.pingEvery()).toNanos());
    }
}
