package dev.penstock.http.http1;

import dev.penstock.http.exchange.ClientWatch;
import dev.penstock.http.exchange.MalformedRequest;
import dev.penstock.http.exchange.ServerContext;
import dev.penstock.http.exchange.Settings;
import dev.penstock.http.http1.Http1Connection.Phase;
import dev.penstock.http.limits.Bounds;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time limits of an HTTP/1 connection, which depend on its phase, and the watch over its client's speed. On the
 * connection's event loop.
 */
final class Http1Timeouts {
    private static final int MOST_DROPPED = 1024 * 1024;
    private static final long CLOSING_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long IDLE_NANOS_WHEN_FULL = TimeUnit.SECONDS.toNanos(1);
    private static final long HEAD_NANOS_WHEN_FULL = TimeUnit.SECONDS.toNanos(2);

    private final ServerContext server;
    private final Http1Connection connection;
    private final Http1Input input;
    private final ClientWatch watch;

    Http1Timeouts(ServerContext server, Http1Connection connection, Http1Input input) {
        this.server = server;
        this.connection = connection;
        this.input = input;
        this.watch = new ClientWatch(server.settings());
    }

    /** A request has begun. */
    void restart(long now) {
        watch.restart(now);
    }

    /** The client has closed its sending side. */
    void inputEnded(long now) {
        watch.inputEnded(now);
    }

    /**
     * Ends the connection, or its request, if it has been in its phase for too long, or its client is too slow.
     *
     * @param sinceNanos when the phase began
     * @param current the request that is answered, if any
     */
    void tick(Phase phase, long sinceNanos, @Nullable Http1Request current, long now) {
        Settings settings = server.settings();
        long nanos = now - sinceNanos;
        switch (phase) {
            case IDLE ->
                    closeAfter(
                            limit(settings.idleTimeout().toNanos(), IDLE_NANOS_WHEN_FULL), nanos);
            case HEAD ->
                    refuseAfter(
                            limit(settings.headTimeout().toNanos(), HEAD_NANOS_WHEN_FULL), nanos);
            case BUSY -> tickBusy(current, now);
            case DRAINING -> closeAfter(settings.headTimeout().toNanos(), nanos);
            case CLOSING -> {
                if (nanos > CLOSING_NANOS || input.discarded() > MOST_DROPPED) {
                    connection.close();
                }
            }
            case CLOSED -> {}
        }
        if (current != null) {
            current.exchange().interruptIfStuck(now);
        }
    }

    /** Who has no request yet makes room while there is none. */
    private long limit(long nanos, long nanosWhenFull) {
        return server.isFull() ? Math.min(nanos, nanosWhenFull) : nanos;
    }

    private void closeAfter(long limit, long nanos) {
        if (nanos > limit) {
            connection.closeGently();
        }
    }

    private void refuseAfter(long limit, long nanos) {
        if (nanos > limit) {
            connection.refuse(
                    ErrorReply.of(
                            new MalformedRequest(
                                    408,
                                    "not come within " + Bounds.text(Duration.ofNanos(limit)))));
        }
    }

    private void tickBusy(@Nullable Http1Request request, long now) {
        if (request == null || request.exchange().timesOutInQueue(now)) {
            return;
        }
        ClientWatch.Finding finding = request.look(watch, now);
        switch (finding) {
            case FINE -> {}
            case READS_TOO_SLOWLY, SENDS_TOO_SLOWLY, MUST_YIELD -> {
                server.tooSlow(connection.remoteAddress(), finding);
                connection.resetNow();
            }
            case GONE -> connection.breakOff();
        }
    }
}
