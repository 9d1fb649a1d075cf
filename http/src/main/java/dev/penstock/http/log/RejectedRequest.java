package dev.penstock.http.log;

import dev.penstock.http.FinishedRequest;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request that was refused before there was an exchange: nothing of what it asked for is known, or trusted.
 *
 * @param logged what filters have the access log say of it
 */
public record RejectedRequest(
        String remoteAddress,
        String protocol,
        int status,
        long bytesSent,
        long durationNanos,
        Map<String, String> logged)
        implements FinishedRequest {
    @Override
    public String method() {
        return "-";
    }

    @Override
    public String path() {
        return "-";
    }

    @Override
    public @Nullable String route() {
        return null;
    }

    @Override
    public long queuedNanos() {
        return 0;
    }

    @Override
    public Ending ending() {
        return Ending.COMPLETE;
    }

    @Override
    public Optional<String> header(String name) {
        return Optional.empty();
    }
}
