package dev.penstock.server.config;

import dev.penstock.http.AccessLogFormat;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.server.log.LogLevel;
import dev.penstock.server.log.Logging;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of where a server listens and how it behaves there. */
public final class ListenOptions {
    private static final System.Logger LOG = System.getLogger("dev.penstock.server");
    private static final int MAX_EVENT_LOOPS = 64;
    private static final Duration MAX_STOP_TIMEOUT = Duration.ofHours(1);
    private static final Duration MAX_STOP_DELAY = Duration.ofMinutes(10);

    @Option(
            names = "--port",
            paramLabel = "P",
            defaultValue = "8080",
            description =
                    "The port to listen on; 0 takes any that is free. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description =
                    "The address to listen on; 0.0.0.0 for all. Whoever reaches it can read every table"
                            + " that the database user can. Default: ${DEFAULT-VALUE}, this machine"
                            + " alone.")
    private String host = "127.0.0.1";

    @Option(
            names = "--event-loops",
            paramLabel = "N",
            description =
                    "How many threads read from and write to connections (1 to 64). Default: one for two"
                            + " processors, at most 8.")
    private @Nullable Integer eventLoops;

    @Option(
            names = "--tls-certificate",
            paramLabel = "FILE",
            description =
                    "A PEM file with the server's certificate, and behind it those that vouch for it:"
                            + " speaks https, with HTTP/2 and HTTP/1.1. Read again when it changes.")
    private @Nullable Path tlsCertificate;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "A PEM file with the private key of --tls-certificate, not encrypted.")
    private @Nullable Path tlsKey;

    @Option(
            names = "--stop-timeout",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = DurationConverter.class,
            description =
                    "How long running responses may take to finish when the server is told to stop (1ms"
                            + " to 1h); a second signal ends it at once. Default: ${DEFAULT-VALUE}.")
    private Duration stopTimeout = Duration.ofSeconds(30);

    @Mixin private ClientOptions clients = new ClientOptions();

    @Option(
            names = "--stop-delay",
            paramLabel = "TIME",
            defaultValue = "0s",
            converter = DurationConverter.class,
            description =
                    "How long the server goes on as before when it is told to stop, but for"
                            + " /health/ready, so that load balancers notice (0s to 10m). Default:"
                            + " ${DEFAULT-VALUE}.")
    private Duration stopDelay = Duration.ZERO;

    @Option(
            names = "--operations-port",
            paramLabel = "P",
            description =
                    "A port of their own for /metrics and /health, which are not on --port then; 0 takes any"
                            + " that is free. Default: on --port.")
    private @Nullable Integer operationsPort;

    @Option(
            names = "--access-log",
            arity = "0..1",
            fallbackValue = "text",
            paramLabel = "FORMAT",
            description =
                    "Writes a line for each request to the standard error stream: text, or json for a JSON"
                            + " object each. Default: text, where the option is given.")
    private @Nullable LogFormat accessLog;

    /** The format of the access log. */
    enum LogFormat {
        text,
        json
    }

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            defaultValue = "info",
            description =
                    "How much is logged: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private LogLevel logLevel = LogLevel.info;

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            description =
                    "The size of the Java heap, such as 64m or 2g; the launcher gives it to the JVM."
                            + " Default: 64m, for the demo 256m.")
    private @Nullable String heap;

    /**
     * Checks every option, before anything is done that takes time, and starts the log.
     *
     * @throws StartupException if one is out of its bounds, or there is no such host
     */
    public void begin() {
        OptionRange.check("--port", port, 0, 65_535);
        if (eventLoops != null) {
            OptionRange.check("--event-loops", eventLoops, 1, MAX_EVENT_LOOPS);
        }
        OptionRange.check("--stop-delay", stopDelay, Duration.ZERO, MAX_STOP_DELAY);
        if (operationsPort != null) {
            OptionRange.check("--operations-port", operationsPort, 0, 65_535);
        }
        OptionRange.check("--stop-timeout", stopTimeout, Duration.ofMillis(1), MAX_STOP_TIMEOUT);
        if (heap != null && !heap.matches("[1-9]\\d{0,8}[kKmMgG]")) {
            throw new StartupException("--heap " + heap + " is no size: write it like 64m or 2g");
        }
        clients.apply(Server.builder());
        if ((tlsCertificate == null) != (tlsKey == null)) {
            throw new StartupException(
                    "--tls-certificate and --tls-key belong together: give both, or none");
        }
        Logging.start(logLevel);
        checkHost();
    }

    private void checkHost() {
        try {
            InetAddress address = InetAddress.getByName(host);
            if (!address.isLoopbackAddress()) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "Listening on "
                                + host
                                + ": whoever reaches this address can read what the database user"
                                + " can");
            }
        } catch (UnknownHostException e) {
            throw new StartupException(
                    "--host " + host + " is unknown: give an address of this machine", e);
        }
    }

    /** Returns the port; 0 for any. */
    public int port() {
        return port;
    }

    /** Returns the address, as it was given. */
    public String host() {
        return host;
    }

    /** Returns the scheme of its URLs. */
    public String scheme() {
        return tlsKey == null ? "http" : "https";
    }

    /** Applies the options to a server. */
    public ServerBuilder apply(ServerBuilder builder) {
        if (tlsCertificate != null && tlsKey != null) {
            builder.tls(tlsCertificate, tlsKey);
        }
        if (eventLoops != null) {
            builder.eventLoops(eventLoops);
        }
        clients.apply(builder);
        logTo(builder);
        return builder.address(host).port(port).stopWithin(stopTimeout);
    }

    public Duration stopDelay() {
        return stopDelay;
    }

    /** Returns the port for metrics and health; null where they have none of their own. */
    public @Nullable Integer operationsPort() {
        return operationsPort;
    }

    /** Sets the format of the access log. */
    private void logTo(ServerBuilder builder) {
        switch (accessLog) {
            case null -> builder.accessLog(false);
            case text -> builder.accessLog(AccessLogFormat.TEXT);
            case json -> builder.accessLog(AccessLogFormat.JSON);
        }
    }
}
