package dev.penstock.server.operations;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.http.text.JsonText;
import dev.penstock.query.QueryException;
import dev.penstock.server.database.ConnectionPools;
import dev.penstock.server.database.DatabaseHealth;
import dev.penstock.server.page.LocalOnly;
import dev.penstock.service.ServicePool;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The resources for operators: metrics, health and reload, on the server's port or on one of their own. */
public final class Operations implements AutoCloseable {
    public static final String METRICS = "/metrics";
    public static final String LIVE = "/health/live";
    public static final String READY = "/health/ready";
    static final String RELOAD = "/reload";

    /** What the requests of a kind are called in sentences, where that is not the kind itself. */
    private static final Map<String, String> REQUESTS =
            Map.of("bulk", "bulk reads", "short", "short requests", "files", "downloads");

    /** Admits requests for metrics apart from all others. */
    private final Admission admission = new Admission(2, 16, Duration.ofSeconds(5));

    private final Metrics metrics = new Metrics();
    private final ServicePools servicePools = new ServicePools();
    private final HealthResource health;
    private final @Nullable BooleanSupplier reload;
    private @Nullable Server ownServer;

    /**
     * @param pools of the database; null where none is served
     * @param admissions by the kind of their requests, as the metrics have it
     * @param reload reads the schema again, and returns whether it has changed; null where there is none
     */
    public Operations(
            @Nullable ConnectionPools pools,
            Map<String, Admission> admissions,
            @Nullable BooleanSupplier reload) {
        this.reload = reload;
        if (pools != null) {
            metrics.watch(pools);
        }
        Map<String, Admission> named = new HashMap<>();
        admissions.forEach((kind, admitted) -> {
            metrics.watch(kind, admitted);
            named.put(REQUESTS.getOrDefault(kind, kind), admitted);
        });
        health = new HealthResource(named, servicePools);
        if (pools != null) {
            health.watch(new DatabaseHealth(pools.circuit().guarded(pools.health())));
        }
        metrics.watch(servicePools);
    }

    public Metrics metrics() {
        return metrics;
    }

    /** Adds the routes. */
    public void mount(ServerBuilder builder) {
        builder.get(METRICS, metrics::respond, _ -> admission)
                .get(LIVE, Handler.nonBlocking(health::live))
                .get(READY, Handler.nonBlocking(health::ready));
        if (reload != null) {
            BooleanSupplier reading = reload;
            builder.route(
                    "POST",
                    RELOAD,
                    LocalOnly.of(
                            "reads the schema again",
                            RELOAD,
                            exchange -> reload(exchange, reading)),
                    _ -> admission);
        }
    }

    private static void reload(Exchange exchange, BooleanSupplier reading) {
        try {
            boolean changed = reading.getAsBoolean();
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
     * Serves the routes on a port of their own.
     *
     * @throws IllegalStateException if the port can't be bound
     */
    public void serve(String host, int port) {
        ServerBuilder builder =
                Server.builder()
                        .address(host)
                        .port(port)
                        .eventLoops(1)
                        .maxConnections(64)
                        .accessLog(false)
                        .stopWithin(Duration.ofSeconds(1));
        mount(builder);
        ownServer = builder.start();
    }

    /** Returns the own port; -1 where there is none. */
    public int port() {
        return ownServer == null ? -1 : ownServer.port();
    }

    /** Adds a server to metrics and health. */
    public void watch(Server server) {
        metrics.watch(server);
        health.watch(server);
    }

    /**
     * Adds a service pool and its parts to metrics and health: while it has no instance for a call, the server is not
     * ready. Whoever has started it closes it.
     *
     * @throws IllegalArgumentException if there is one of the same name
     */
    public void watch(ServicePool<?> pool) {
        servicePools.add(pool);
    }

    /** Adds a database to health: while it does not answer, the server is not ready. */
    public void watch(DatabaseHealth database) {
        health.watch(database);
    }

    /** Makes the server unready, since it is stopping. */
    public void stopping() {
        health.stopping();
    }

    @Override
    public void close() {
        if (ownServer != null) {
            ownServer.close();
        }
        metrics.close();
    }
}
