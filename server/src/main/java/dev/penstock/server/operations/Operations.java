package dev.penstock.server.operations;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.Server;
import dev.penstock.query.QueryException;
import dev.penstock.server.database.ConnectionPools;
import dev.penstock.server.database.DatabaseHealth;
import dev.penstock.server.page.JsonText;
import dev.penstock.server.page.LocalOnly;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** How the server is, for those who run it: metrics and health, on its own port or on one of their own. */
public final class Operations implements AutoCloseable {
    public static final String METRICS = "/metrics";
    public static final String LIVE = "/health/live";
    public static final String READY = "/health/ready";
    static final String RELOAD = "/reload";

    /** Whoever looks waits for no other kind of request. */
    private final Admission looking = new Admission(2, 16, Duration.ofSeconds(5));

    private final Metrics metrics = new Metrics();
    private final HealthResource health;
    private final BooleanSupplier reload;
    private @Nullable Server own;

    public Operations(
            ConnectionPools pools,
            Admission bulk,
            Admission shortRequests,
            BooleanSupplier reload) {
        this.reload = reload;
        metrics.watch(pools);
        metrics.watch("bulk", bulk);
        metrics.watch("short", shortRequests);
        health =
                new HealthResource(
                        new DatabaseHealth(pools.circuit().guarded(pools.health())),
                        Map.of("bulk reads", bulk, "short requests", shortRequests));
    }

    public Metrics metrics() {
        return metrics;
    }

    /** Adds what there is to see. */
    public void mount(Server.Builder builder) {
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
            boolean changed = reload.getAsBoolean();
            exchange.header("Cache-Control", "no-store")
                    .respond(
                            200,
                            "application/json",
                            new JsonText().object().member("changed", changed).endObject() + "\n");
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
    public void serve(String host, int port) {
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
    public int port() {
        return own == null ? -1 : own.port();
    }

    /** What the server does from now on. */
    public void watch(Server server) {
        metrics.watch(server);
        health.watch(server);
    }

    /** Says that it is not ready any more. */
    public void stopping() {
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
