package dev.penstock.http.exchange;

import dev.penstock.http.AttributeKey;
import dev.penstock.http.FinishedRequest;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An exchange that is done with. */
public record FinishedExchange(
        ServerExchange exchange, long bytesSent, long durationNanos, Ending ending)
        implements FinishedRequest {
    /**
     * One that has ended now.
     *
     * @param reset whether it was broken off here, if its client is gone
     */
    public static FinishedExchange now(ServerExchange exchange, long bytesSent, boolean reset) {
        Ending broken = reset ? Ending.RESET : Ending.CLIENT_GONE;
        return now(exchange, bytesSent, exchange.isGone() ? broken : Ending.COMPLETE);
    }

    /** The same, where how it ended is known otherwise. */
    public static FinishedExchange now(ServerExchange exchange, long bytesSent, Ending ending) {
        return new FinishedExchange(
                exchange, bytesSent, System.nanoTime() - exchange.startedNanos, ending);
    }

    @Override
    public String remoteAddress() {
        return exchange.remoteAddress();
    }

    @Override
    public String method() {
        return exchange.method();
    }

    @Override
    public String path() {
        return exchange.path();
    }

    @Override
    public @Nullable String route() {
        return exchange.routePath();
    }

    @Override
    public String protocol() {
        return exchange.protocol();
    }

    @Override
    public int status() {
        return exchange.statusSent();
    }

    @Override
    public long queuedNanos() {
        return exchange.permit().queuedNanos();
    }

    @Override
    public Optional<String> header(String name) {
        return exchange.header(name);
    }

    @Override
    public <T> Optional<T> attribute(AttributeKey<T> key) {
        return exchange.attribute(key);
    }

    @Override
    public Map<String, String> logged() {
        return exchange.logged();
    }
}
