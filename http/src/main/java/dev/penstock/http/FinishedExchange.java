package dev.penstock.http;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An exchange that is done with. */
record FinishedExchange(ServerExchange exchange, long bytesSent, long durationNanos, Ending ending)
        implements FinishedRequest {
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
        return exchange.queuedNanos();
    }

    @Override
    public Optional<String> header(String name) {
        return exchange.header(name);
    }
}
