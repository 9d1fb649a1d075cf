package dev.penstock.server;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.Server;
import dev.penstock.query.QueryException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How the server is, for those who run it: metrics and health, on its own port or on one of their own. */
final class Operations implements AutoCloseable {
    static final String METRICS = "/metrics";
    static final String LIVE = "/health/live";
    static final String READY = "/health/ready";
    static final String RELOAD = "/reload";

    /** Whoever looks waits for no other kind of request. */
    private final Admission looking = new Admission(2, 16, Duration.ofSeconds(5));

    private final Metrics metrics = new Metrics();
    private final Health health;
    private final SchemaReload reload;
    private @Nullable Server own;

    Operations(Pools pools, Admission bulk, Admission shortRequests, SchemaReload reload) {
        this.reload = reload;
        metrics.watch(pools);
        metrics.watch("bulk", bulk);
        metrics.watch("short", shortRequests);
        health =
                new Health(
                        new DatabaseCheck(pools.circuit().guarded(pools.health())),
                        Map.of("bulk reads", bulk, "short requests", shortRequests));
    }

    Metrics metrics() {
        return metrics;
    }

    /** Adds what there is to see. */
    void mount(Server.Builder builder) {
        builder.get(METRICS, metrics::respond, _ -> looking)
                .get(LIVE, Handler.nonBlocking(health::live))
                .get(READY, Handler.nonBlocking(health::ready))
                .route(
                        "POST",
                        RELOAD,
                        LocalOnly.of("reads the schema again", RELOAD, this::reload),
                        _ -> looking);
    }

    private void reload(Exchange exchange) {
        try {
            boolean changed = reload.reload();
            exchange.header("Cache-Control", "no-store")
                    .respond(200, "application/json", "{\"changed\":" + changed + "}\n");
        } catch (QueryException e) {
            throw new HttpException(
                            503,
                            "the schema can't be read now, and stays as it was; try again later",
                            e)
                    .header("Retry-After", "2");
        }
    }

    /**
     * Serves that on a port of its own.
     *
     * @throws IllegalStateException if the port can't be had
     */
    void serve(String host, int port) {
        Server.Builder builder =
                Server.builder()
                        .address(host)
                        .port(port)
                        .eventLoops(1)
                        .maxConnections(64)
                        .accessLog(false)
                        .stopWithin(Duration.ofSeconds(1));
        mount(builder);
        own = builder.start();
    }

    /** The port of its own; -1 where there is none. */
    int port() {
        return own == null ? -1 : own.port();
    }

    /** What the server does from now on. */
    void watch(Server server) {
        metrics.watch(server);
        health.watch(server);
    }

    /** Says that it is not ready any more. */
    void stopping() {
        health.stopping();
    }

    @Override
    public void close() {
        if (own != null) {
            own.close();
        }
        metrics.close();
    }
}
