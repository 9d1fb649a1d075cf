package dev.penstock.http.exchange;

import dev.penstock.http.limits.MinimumRate;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watches the client of one connection while a request of its is answered: whether it keeps up, and whether it is there
 * at all. For the connection's event loop.
 *
 * <p>A client that closes its sending side may have gone, or may wait for its response: nothing tells the two apart
 * until something is sent. So the response goes on, and when there is nothing on its way to the client for {@link
 * #QUIET_NANOS}, and at {@link #QUIET_LOOKS} looks, the client is taken for gone. One look after a pause of the JVM
 * says nothing: the handler had no time to write either.
 */
public final class ClientWatch {
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final int QUIET_LOOKS = 5;

    private final Settings settings;
    private long quietNanos;
    private int quietLooks;
    private long lastWritten;

    /** Each is there only while the client is waited for, which is what it measures. */
    private @Nullable MinimumRate reading;

    private @Nullable MinimumRate writing;

    /** The result of a look at a client. */
    public enum Finding {
        FINE,
        READS_TOO_SLOWLY,
        SENDS_TOO_SLOWLY,
        /** Slow for a while, and others wait for its place. */
        MUST_YIELD,
        GONE
    }

    public ClientWatch(Settings settings) {
        this.settings = settings;
    }

    /** Another request begins. */
    public void restart(long now) {
        quietFrom(now);
        reading = null;
        writing = null;
    }

    /** The client has closed its sending side. */
    public void inputEnded(long now) {
        quietFrom(now);
    }

    /** As far as is known, it is quiet from now on. */
    private void quietFrom(long now) {
        quietNanos = now;
        quietLooks = 0;
    }

    /**
     * Called now and then.
     *
     * @param writes whether bytes wait for the client to take them
     * @param written how many it has taken so far
     * @param exchange what it reads, and perhaps sends
     * @param inputEnded whether it has closed its sending side
     */
    public Finding check(
            long now, boolean writes, long written, ServerExchange exchange, boolean inputEnded) {
        RequestBody body = exchange.received();
        boolean reads = body != null && body.wanted();
        writing = writes ? orNew(writing) : null;
        reading = reads ? orNew(reading) : null;
        if (writing != null && !writing.check(true, written, now)) {
            return Finding.READS_TOO_SLOWLY;
        }
        if (body != null && reading != null && !reading.check(true, body.received(), now)) {
            return Finding.SENDS_TOO_SLOWLY;
        }
        if ((lags(writing) || lags(reading)) && exchange.permit().mustYield()) {
            return Finding.MUST_YIELD;
        }
        if (writes || written != lastWritten) {
            lastWritten = written;
            quietFrom(now);
        } else {
            quietLooks++;
        }
        boolean quiet = quietLooks >= QUIET_LOOKS && now - quietNanos > QUIET_NANOS;
        return inputEnded && quiet ? Finding.GONE : Finding.FINE;
    }

    private static boolean lags(@Nullable MinimumRate rate) {
        return rate != null && rate.lags();
    }

    private MinimumRate orNew(@Nullable MinimumRate rate) {
        return rate != null
                ? rate
                : new MinimumRate(settings.minimumRate(), settings.minimumRateWindow().toNanos());
    }
}
