package dev.penstock.http.exchange;

import dev.penstock.http.AccessLogFormat;
import dev.penstock.http.ContentCoder;
import dev.penstock.http.FinishedRequest;
import dev.penstock.http.HttpException;
import dev.penstock.http.JsonMapper;
import dev.penstock.http.RequestObserver;
import dev.penstock.http.json.FoundJsonMapper;
import dev.penstock.http.limits.AddressRange;
import dev.penstock.http.limits.ClientLimits;
import dev.penstock.http.limits.UnreadBodies;
import dev.penstock.http.loop.EventLoops;
import dev.penstock.http.response.ContentCoders;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The settings of a server; the builder of {@code Server} says what each means. */
public record Settings(
        int eventLoops,
        int maxRequestLine,
        int maxHeaders,
        int maxHeaderBytes,
        long maxBodyBytes,
        long maxUnreadBytes,
        int maxConnections,
        int maxStreams,
        Duration idleTimeout,
        Duration headTimeout,
        int receiveBuffer,
        int minimumRate,
        Duration minimumRateWindow,
        Duration stopWithin,
        Duration interruptAfter,
        int maxSuspended,
        Duration longestSuspension,
        ClientLimits clients,
        boolean compression,
        List<ContentCoder> contentCoders,
        long maxEncoderBytes,
        @Nullable AccessLogFormat accessLog,
        @Nullable Consumer<FinishedRequest> onFinished,
        List<RequestObserver> observers,
        List<Function<HttpException, Map<String, @Nullable Object>>> problemMembers,
        JsonMapper jsonMapper,
        List<AutoCloseable> closedAtStop,
        Clock clock) {

    public Settings {
        problemMembers = List.copyOf(problemMembers);
        observers = List.copyOf(observers);
        contentCoders = List.copyOf(contentCoders);
        closedAtStop = List.copyOf(closedAtStop);
    }

    /** The settings as they come together, with their defaults. */
    public static final class Draft {
        public int eventLoops = EventLoops.defaultCount();
        public int maxRequestLine = 8 * 1024;
        public int maxHeaders = 100;
        public int maxHeaderBytes = 16 * 1024;
        public long maxBodyBytes = 16L * 1024 * 1024;
        public long maxUnreadBytes = UnreadBodies.defaultLimit();
        public int maxConnections = 8 * 1024;
        public int maxStreams = 100;
        public Duration idleTimeout = Duration.ofSeconds(60);
        public Duration headTimeout = Duration.ofSeconds(10);
        public int receiveBuffer;
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
        public @Nullable List<ContentCoder> contentCoders;
        public long maxEncoderBytes = ContentCoders.defaultBytes();
        public @Nullable AccessLogFormat accessLog = AccessLogFormat.TEXT;
        public @Nullable Consumer<FinishedRequest> onFinished;
        public final List<RequestObserver> observers = new ArrayList<>();
        public final List<Function<HttpException, Map<String, @Nullable Object>>> problemMembers =
                new ArrayList<>();
        public @Nullable JsonMapper jsonMapper;
        public final List<AutoCloseable> closedAtStop = new ArrayList<>();
        public Clock clock = Clock.systemUTC();

        public Settings settings() {
            return new Settings(
                    eventLoops,
                    maxRequestLine,
                    maxHeaders,
                    maxHeaderBytes,
                    maxBodyBytes,
                    maxUnreadBytes,
                    maxConnections,
                    maxStreams,
                    idleTimeout,
                    headTimeout,
                    receiveBuffer,
                    minimumRate,
                    minimumRateWindow,
                    stopWithin,
                    interruptAfter,
                    maxSuspended,
                    longestSuspension,
                    clients(),
                    compression,
                    contentCoders == null ? ContentCoders.found() : contentCoders,
                    maxEncoderBytes,
                    accessLog,
                    onFinished,
                    observers,
                    problemMembers,
                    jsonMapper == null ? new FoundJsonMapper() : jsonMapper,
                    closedAtStop,
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
