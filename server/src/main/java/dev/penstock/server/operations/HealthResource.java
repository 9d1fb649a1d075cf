package dev.penstock.server.operations;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.Suspension;
import dev.penstock.http.server.Server;
import dev.penstock.http.text.JsonText;
import dev.penstock.server.database.DatabaseHealth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The health of the server: {@code live} until only a restart helps, {@code ready} while it can take more requests.
 * Anyone may read the answers, so they name no host and no user.
 */
final class HealthResource {
    /** Requests refused for a moment don't make the server unready: that is what a full queue looks like. */
    private static final Duration REFUSING_FOR_LONG = Duration.ofSeconds(10);

    private static final Duration WAIT = DatabaseHealth.LIMIT.plusSeconds(1);

    private final Map<String, Admission> admissions;
    private final ServicePools pools;
    private volatile List<DatabaseHealth> databases = List.of();
    private volatile @Nullable Server server;
    private volatile boolean stopping;

    /**
     * @param admissions the admissions by the name of their kind
     * @param pools each of which must have an instance
     */
    HealthResource(Map<String, Admission> admissions, ServicePools pools) {
        this.admissions = Map.copyOf(admissions);
        this.pools = pools;
    }

    /** Sets the server whose event loops are watched. */
    void watch(Server server) {
        this.server = server;
    }

    /** Adds a database that must answer. */
    synchronized void watch(DatabaseHealth database) {
        List<DatabaseHealth> more = new ArrayList<>(databases);
        more.add(database);
        databases = List.copyOf(more);
    }

    /** Makes it unready, since the server is stopping. */
    void stopping() {
        stopping = true;
    }

    void live(Exchange exchange) {
        Server watched = server;
        List<String> reasons =
                watched != null && watched.isBroken()
                        ? List.of("connections are lost: restart the process")
                        : List.of();
        exchange.header("Cache-Control", "no-store")
                .respond(status(reasons), "application/json", document(reasons));
    }

    void ready(Exchange exchange) {
        exchange.header("Cache-Control", "no-store");
        List<DatabaseHealth> asked = databases;
        if (asked.isEmpty()) {
            List<String> reasons = reasons(List.of());
            exchange.respond(status(reasons), "application/json", document(reasons));
            return;
        }
        Suspension wait = exchange.suspend(WAIT);
        CompletableFuture<List<String>> silent = CompletableFuture.completedFuture(List.of());
        for (DatabaseHealth each : asked) {
            silent =
                    silent.thenCombine(
                            each.ask(), (names, answers) -> answers ? names : and(names, each));
        }
        var _ = silent.thenAccept(names -> answer(wait, names));
    }

    private static List<String> and(List<String> names, DatabaseHealth database) {
        return Stream.concat(names.stream(), Stream.of(database.name())).toList();
    }

    private void answer(Suspension wait, List<String> silent) {
        List<String> reasons = reasons(silent);
        wait.respond(status(reasons), "application/json", document(reasons));
    }

    private static int status(List<String> reasons) {
        return reasons.isEmpty() ? 200 : 503;
    }

    private static String document(List<String> reasons) {
        JsonText json = new JsonText().object();
        if (reasons.isEmpty()) {
            json.member("status", "UP");
        } else {
            json.member("status", "DOWN").array("reasons");
            reasons.forEach(json::element);
            json.endArray();
        }
        return json.endObject() + "\n";
    }

    private List<String> reasons(List<String> silent) {
        List<String> reasons = new ArrayList<>();
        if (stopping) {
            reasons.add("the server is stopping");
        }
        silent.forEach(database -> reasons.add(database + " does not answer"));
        admissions.forEach((kind, admission) -> {
            if (admission.refusingFor().compareTo(REFUSING_FOR_LONG) > 0) {
                reasons.add(kind + " have been refused for more than 10 seconds");
            }
        });
        pools.unready()
                .forEach(pool -> reasons.add("the pool " + pool + " has no instance for calls"));
        return reasons;
    }
}
