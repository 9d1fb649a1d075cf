package dev.penstock.http;

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

/** What a server was built with; {@link Server.Builder} says what each means. */
record Settings(
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
        int maxWaits,
        Duration longestWait,
        ClientLimits clients,
        boolean compression,
        @Nullable AccessLogFormat accessLog,
        @Nullable Consumer<FinishedRequest> onFinished,
        List<Function<HttpException, Map<String, @Nullable Object>>> problemMembers,
        Clock clock) {

    Settings {
        problemMembers = List.copyOf(problemMembers);
    }

    static int within(String setting, int value, int least, int most) {
        return (int) within(setting, (long) value, least, most);
    }

    static long within(String setting, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "%s is %d; it must be from %d to %d".formatted(setting, value, least, most));
        }
        return value;
    }

    /** As messages write it: 10 s, 250 ms. */
    static String text(Duration time) {
        long millis = time.toMillis();
        return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
    }

    static Duration positive(String setting, Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException(setting + " is " + value + "; it must be positive");
        }
        return value;
    }

    /** Where a certificate and its key are. */
    record TlsFiles(Path certificate, Path key) {}

    /** The settings as they come together, with their defaults. */
    static final class Draft {
        String address = "127.0.0.1";
        int port = 8080;
        int eventLoops = EventLoops.defaultCount();
        int maxRequestLine = 8 * 1024;
        int maxHeaders = 100;
        int maxHeaderBytes = 16 * 1024;
        long maxBodyBytes = 16L * 1024 * 1024;
        long maxUnreadBytes = UnreadBodies.defaultLimit();
        int maxConnections = 8 * 1024;
        int maxStreams = 100;
        @Nullable TlsFiles tls;
        Duration idleTimeout = Duration.ofSeconds(60);
        Duration headTimeout = Duration.ofSeconds(10);
        int minimumRate = 1024;
        Duration minimumRateWindow = Duration.ofSeconds(30);
        Duration stopWithin = Duration.ofSeconds(10);
        Duration interruptAfter = Duration.ofSeconds(10);
        int maxWaits = 32 * 1024;
        Duration longestWait = Duration.ofMinutes(10);
        @Nullable Integer clientConnections;
        @Nullable Integer clientRequests;
        double clientRate;
        int clientBurst;
        List<AddressRange> proxies = List.of();
        boolean compression = true;
        @Nullable AccessLogFormat accessLog = AccessLogFormat.TEXT;
        @Nullable Consumer<FinishedRequest> onFinished;
        final List<Function<HttpException, Map<String, @Nullable Object>>> problemMembers =
                new ArrayList<>();
        Clock clock = Clock.systemUTC();

        Settings settings() {
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
                    maxWaits,
                    longestWait,
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
                            requests == null ? Math.max(128, maxWaits / 2) : requests),
                    new ClientLimits.AtOnce(
                            connections == null ? 0 : connections, requests == null ? 0 : requests),
                    clientRate,
                    clientBurst,
                    proxies);
        }
    }
}
