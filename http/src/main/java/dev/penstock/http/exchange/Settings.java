package dev.penstock.http.exchange;

import dev.penstock.http.AccessLogFormat;
import dev.penstock.http.FinishedRequest;
import dev.penstock.http.HttpException;
import dev.penstock.http.limits.AddressRange;
import dev.penstock.http.limits.ClientLimits;
import dev.penstock.http.limits.UnreadBodies;
import dev.penstock.http.loop.EventLoops;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a server was built with; the builder of {@code Server} says what each means. */
public record Settings(
        String address,
        int port,
        int eventLoops,
        int maxRequestLine,
        int maxHeaders,
        int maxHeaderBytes,
        long maxBodyBytes,
        long maxUnreadBytes,
        int maxConnections,
        int maxStreams,
        @Nullable TlsFiles tls,
        Duration idleTimeout,
        Duration headTimeout,
        int minimumRate,
        Duration minimumRateWindow,
        Duration stopWithin,
        Duration interruptAfter,
        int maxSuspended,
        Duration longestSuspension,
        ClientLimits clients,
        boolean compression,
        @Nullable AccessLogFormat accessLog,
        @Nullable Consumer<FinishedRequest> onFinished,
        List<Function<HttpException, Map<String, @Nullable Object>>> problemMembers,
        Clock clock) {

    public Settings {
        problemMembers = List.copyOf(problemMembers);
    }

    /** Where a certificate and its key are. */
    public record TlsFiles(Path certificate, Path key) {}

    /** The settings as they come together, with their defaults. */
    public static final class Draft {
        public String address = "127.0.0.1";
        public int port = 8080;
        public int eventLoops = EventLoops.defaultCount();
        public int maxRequestLine = 8 * 1024;
        public int maxHeaders = 100;
        public int maxHeaderBytes = 16 * 1024;
        public long maxBodyBytes = 16L * 1024 * 1024;
        public long maxUnreadBytes = UnreadBodies.defaultLimit();
        public int maxConnections = 8 * 1024;
        public int maxStreams = 100;
        public @Nullable TlsFiles tls;
        public Duration idleTimeout = Duration.ofSeconds(60);
        public Duration headTimeout = Duration.ofSeconds(10);
        public int minimumRate = 1024;
        public Duration minimumRateWindow = Duration.ofSeconds(30);
        public Duration stopWithin = Duration.ofSeconds(10);
        public Duration interruptAfter = Duration.ofSeconds(10);
        public int maxSuspended = 32 * 1024;
        public Duration longestSuspension = Duration.ofMinutes(10);
        public @Nullable Integer clientConnections;
        public @Nullable Integer clientRequests;
        public double clientRate;
        public int clientBurst;
        public List<AddressRange> proxies = List.of();
        public boolean compression = true;
        public @Nullable AccessLogFormat accessLog = AccessLogFormat.TEXT;
        public @Nullable Consumer<FinishedRequest> onFinished;
        public final List<Function<HttpException, Map<String, @Nullable Object>>> problemMembers =
                new ArrayList<>();
        public Clock clock = Clock.systemUTC();

        public Settings settings() {
            return new Settings(
                    address,
                    port,
                    eventLoops,
                    maxRequestLine,
                    maxHeaders,
                    maxHeaderBytes,
                    maxBodyBytes,
                    maxUnreadBytes,
                    maxConnections,
                    maxStreams,
                    tls,
                    idleTimeout,
                    headTimeout,
                    minimumRate,
                    minimumRateWindow,
                    stopWithin,
                    interruptAfter,
                    maxSuspended,
                    longestSuspension,
                    clients(),
                    compression,
                    accessLog,
                    onFinished,
                    problemMembers,
                    clock);
        }

        /** What nobody has set leaves half of the server to others, and trusts this machine, where a proxy may run. */
        private ClientLimits clients() {
            Integer connections = clientConnections;
            Integer requests = clientRequests;
            return new ClientLimits(
                    new ClientLimits.AtOnce(
                            connections == null ? Math.max(1, maxConnections / 2) : connections,
                            requests == null ? Math.max(128, maxSuspended / 2) : requests),
                    new ClientLimits.AtOnce(
                            connections == null ? 0 : connections, requests == null ? 0 : requests),
                    clientRate,
                    clientBurst,
                    proxies);
        }
    }
}
