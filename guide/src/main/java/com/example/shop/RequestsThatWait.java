package com.example.shop;

import dev.penstock.http.events.Topic;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Page 4 of the guide: requests that wait without a thread. */
public final class RequestsThatWait {
    private final Map<String, CompletableFuture<String>> deliveries = new ConcurrentHashMap<>();
    private final Topic news = new Topic(100, 1 << 20, 10_000);

    public static void main(String[] arguments) {
        Server server = new RequestsThatWait().routes(Server.builder()).port(8080).start();
        System.out.println("http://127.0.0.1:" + server.port() + "/later");
    }

    ServerBuilder routes(ServerBuilder server) {
        return events(delivery(later(server)));
    }

    // region later
    private static ServerBuilder later(ServerBuilder server) {
        return server.get(
                "/later",
                exchange ->
                        exchange.suspend(Duration.ofSeconds(30))
                                .resumeAfter(
                                        Duration.ofSeconds(1),
                                        later ->
                                                later.respond(
                                                        200, "text/plain", "a second later\n")));
    }

    // end

    // region delivery
    private ServerBuilder delivery(ServerBuilder server) {
        return server.get(
                        "/delivery/{id}",
                        exchange -> {
                            String id = exchange.pathParameter("id");
                            CompletableFuture<String> arrival =
                                    deliveries.computeIfAbsent(id, _ -> new CompletableFuture<>());
                            exchange.suspend(Duration.ofMinutes(5))
                                    .onTimeout(late ->
                                            late.respond(202, "text/plain", "not yet; ask again\n"))
                                    .resumeWhen(
                                            arrival,
                                            (later, place) ->
                                                    later.respond(200, "text/plain", place + "\n"));
                        })
                .route(
                        "POST",
                        "/delivery/{id}/{place}",
                        exchange -> {
                            String id = exchange.pathParameter("id");
                            String place = exchange.pathParameter("place");
                            deliveries
                                    .computeIfAbsent(id, _ -> new CompletableFuture<>())
                                    .complete(place);
                            news.publish(id + " is at " + place);
                            exchange.respond(200, "text/plain", new byte[0]);
                        });
    }

    // end

    // region events
    private ServerBuilder events(ServerBuilder server) {
        return server.get("/news", news::stream);
    }
    // end
}
