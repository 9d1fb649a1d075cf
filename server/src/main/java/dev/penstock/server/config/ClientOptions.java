package dev.penstock.server.config;

import dev.penstock.http.server.ServerBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that limit each client of a server. */
final class ClientOptions {
    private static final int MOST_CONNECTIONS = 1 << 20;
    private static final int MOST_REQUESTS = 1 << 24;
    private static final int MOST_RATE = 1_000_000;

    @Option(
            names = "--client-connections",
            paramLabel = "N",
            description =
                    "How many connections one client may have open; beyond them 429 (0 to 1048576; 0: no"
                            + " limit). Default: half of all, but no limit for this machine.")
    private @Nullable Integer connections;

    @Option(
            names = "--client-requests",
            paramLabel = "N",
            description =
                    "How many requests of one client may run and wait at once; beyond them 429 (0 to"
                            + " 16777216; 0: no limit). Default: 16384, but no limit for this machine.")
    private @Nullable Integer requests;

    @Option(
            names = "--client-rate",
            paramLabel = "N",
            description =
                    "How many requests a second one client may send in the long run, and ten times as many at once"
                            + " after a pause; beyond them 429 (0 to 1000000; 0: no limit). Default: no"
                            + " limit.")
    private int rate;

    @Option(
            names = "--trusted-proxies",
            paramLabel = "RANGE",
            split = ",",
            description =
                    "Proxies in front of this server, such as 10.0.0.5 or 10.0.0.0/8; may be repeated. Their"
                            + " X-Forwarded-For says who the client is, and they have no limits themselves.")
    private List<String> trustedProxies = List.of();

    /**
     * Applies the options to a server.
     *
     * @throws StartupException if an option is out of its bounds
     */
    void apply(ServerBuilder builder) {
        if (connections != null) {
            builder.clientConnections(
                    OptionRange.check("--client-connections", connections, 0, MOST_CONNECTIONS));
        }
        if (requests != null) {
            builder.clientRequests(
                    OptionRange.check("--client-requests", requests, 0, MOST_REQUESTS));
        }
        OptionRange.check("--client-rate", rate, 0, MOST_RATE);
        if (rate > 0) {
            builder.clientRate(rate, 10 * rate);
        }
        try {
            builder.proxies(trustedProxies);
        } catch (IllegalArgumentException e) {
            throw new StartupException("--trusted-proxies: " + e.getMessage(), e);
        }
    }
}
