package dev.penstock.server.config;

import dev.penstock.http.AccessLogFormat;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.http.server.TlsOptions;
import dev.penstock.server.config.value.DurationConverter;
import dev.penstock.server.config.value.SizeConverter;
import dev.penstock.server.log.LogLevel;
import dev.penstock.server.log.Logging;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of where a server listens and how it behaves there. */
public final class ListenOptions {
    private static final System.Logger LOG = System.getLogger("dev.penstock.server");
    private static final int DEFAULT_PORT = 8080;
    private static final int MAX_PORT = 65_535;
    private static final int MAX_PLACES = 32;
    private static final int MAX_EVENT_LOOPS = 64;
    private static final long MIN_RECEIVE_BUFFER = 1 << 12;
    private static final long MAX_RECEIVE_BUFFER = 1 << 30;

    /** Doubled by the system, and with what is on its way besides, {@code put} repeats less than 768 KiB. */
    private static final int RECEIVE_BUFFER_OF_UPLOADS = 64 * 1024;

    private static final Duration MAX_STOP_TIMEOUT = Duration.ofHours(1);
    private static final Duration MAX_STOP_DELAY = Duration.ofMinutes(10);

    @Option(
            names = "--port",
            paramLabel = "P",
            description = "The port to listen on; 0 takes any that is free. Default: 8080.")
    private @Nullable Integer port;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description =
                    "The address to listen on; 0.0.0.0 for all. Whoever reaches it can read every table"
                            + " that the database user can, and the files of --files. Default:"
                            + " ${DEFAULT-VALUE}, this machine alone.")
    private String host = "127.0.0.1";

    @Option(
            names = "--event-loops",
            paramLabel = "N",
            description =
                    "How many threads read from and write to connections (1 to 64). Default: one for two"
                            + " processors, at most 8.")
    private @Nullable Integer eventLoops;

    @Option(
            names = "--receive-buffer",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description =
                    "How many bytes of a connection the system may hold that are not read yet (4k to 1g):"
                            + " what an upload repeats after a crash of the server, and the most that a"
                            + " client sends in the time of a round trip. Default: 64k with --uploads, else what the"
                            + " system likes.")
    private @Nullable Long receiveBuffer;

    @Option(
            names = "--listen",
            paramLabel = "PLACE",
            description =
                    "A place to listen: PORT, HOST:PORT or unix:PATH, and behind it, with commas: tls to speak"
                            + " https, http1 or http2 to speak that alone, mode=660 for the permissions of"
                            + " the Unix socket's file (600 unless given). May be given more than once; then"
                            + " --port is one more only if it is given too.")
    private List<String> listen = new ArrayList<>();

    @Mixin private CertificateOptions certificates = new CertificateOptions();

    private List<ListenPlace> places = List.of();

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
        if (port != null) {
            OptionRange.check("--port", port, 0, MAX_PORT);
        }
        if (eventLoops != null) {
            OptionRange.check("--event-loops", eventLoops, 1, MAX_EVENT_LOOPS);
        }
        if (receiveBuffer != null
                && (receiveBuffer < MIN_RECEIVE_BUFFER || receiveBuffer > MAX_RECEIVE_BUFFER)) {
            throw new StartupException(
                    "--receive-buffer %s is out of bounds: choose 4k to 1g"
                            .formatted(SizeConverter.text(receiveBuffer)));
        }
        OptionRange.check("--stop-delay", stopDelay, Duration.ZERO, MAX_STOP_DELAY);
        if (operationsPort != null) {
            OptionRange.check("--operations-port", operationsPort, 0, MAX_PORT);
        }
        OptionRange.check("--stop-timeout", stopTimeout, Duration.ofMillis(1), MAX_STOP_TIMEOUT);
        if (heap != null && !heap.matches("[1-9]\\d{0,8}[kKmMgG]")) {
            throw new StartupException("--heap " + heap + " is no size: write it like 64m or 2g");
        }
        clients.apply(Server.builder());
        certificates.check();
        places = findPlaces();
        Logging.start(logLevel);
        checkHosts();
    }

    private List<ListenPlace> findPlaces() {
        if (listen.size() > MAX_PLACES) {
            throw new StartupException("--listen may be given %d times".formatted(MAX_PLACES));
        }
        boolean tls = certificates.areGiven();
        List<ListenPlace> found = new ArrayList<>();
        if (port != null || listen.isEmpty()) {
            found.add(ListenPlace.tcp(host, port == null ? DEFAULT_PORT : port, tls));
        }
        for (String text : listen) {
            ListenPlace place = ListenPlace.parse(text);
            if (place.tls() && !tls) {
                throw new StartupException(
                        place.option()
                                + ": tls needs a certificate: give --tls-certificate and --tls-key,"
                                + " --tls-directory or --tls-key-store");
            }
            found.add(place);
        }
        if (tls && found.stream().noneMatch(ListenPlace::tls)) {
            throw new StartupException(
                    "there is a certificate, but no place speaks TLS: add ,tls to a --listen, or give"
                            + " --port");
        }
        // Permissions are checked as the listener is made.
        found.forEach(place -> place.listener(null));
        return List.copyOf(found);
    }

    private void checkHosts() {
        for (ListenPlace place : places) {
            if (place.isOpenToOthers()) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "Listening on "
                                + place.host()
                                + ": whoever reaches this address can read all that is served");
            }
        }
    }

    /** Returns the first place that others than this machine can reach. */
    public Optional<ListenPlace> openPlace() {
        return places.stream().filter(ListenPlace::isOpenToOthers).findFirst();
    }

    /** Returns the address of {@code --host}, as it was given. */
    public String host() {
        return host;
    }

    /** Returns where the server listens, in the order of its listeners; what people use comes first. */
    public List<ListenPlace> places() {
        return places;
    }

    /** Returns the scheme of the first place's URLs. */
    public String scheme() {
        return places.getFirst().scheme();
    }

    /**
     * Applies the options to a server.
     *
     * @param takesUploads whether what clients send is to be repeated as little as possible after a crash
     */
    public ServerBuilder apply(ServerBuilder builder, boolean takesUploads) {
        TlsOptions tls = certificates.options();
        places.forEach(place -> builder.listener(place.listener(tls)));
        if (eventLoops != null) {
            builder.eventLoops(eventLoops);
        }
        if (receiveBuffer != null) {
            builder.receiveBuffer(receiveBuffer.intValue());
        } else if (takesUploads) {
            builder.receiveBuffer(RECEIVE_BUFFER_OF_UPLOADS);
        }
        clients.apply(builder);
        logTo(builder);
        return builder.stopWithin(stopTimeout);
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
